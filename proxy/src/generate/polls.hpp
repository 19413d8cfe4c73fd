#pragma once

#include "merge/recording.hpp"

#include <cstdint>
#include <vector>

/// Calls that ask whether something is done or there, and what they are told: one definition for what generates a proxy, compares
/// it and tells of a recording.
///
///     Iprobe(any source) no      told_no: a strict proxy asks for what never comes
///     Iprobe(any source) yes     gets_recorded_match: a strict proxy asks for the source that was found
namespace refrain::proxy {

/// Requests that a Wait or Test names, null_handle among them.
[[nodiscard]] std::vector<std::int64_t> requests_of(const Event& event);
/// The first of them that is active; null_handle if none is.
[[nodiscard]] std::int64_t first_active(const Event& event);

/// A test, probe or question about a request that found nothing. False for all other calls, whatever flag comes out of them.
[[nodiscard]] bool told_no(const Event& event);
/// Whether any call of a recording was.
[[nodiscard]] bool has_refused_polls(const Recording& recording);

/// A receive from any source or with any tag, or a probe for one that found something: a strict proxy names what it matched.
[[nodiscard]] bool gets_recorded_match(const Event& event);

}  // namespace refrain::proxy
