#pragma once

#include "merge/recording.hpp"

#include <string>
#include <vector>

namespace refrain::proxy {

class Computations;

/// Why no proxy can be made of a recording: one reason per string, with the place of the call where it is
/// known. Empty if one can be made.
[[nodiscard]] std::vector<std::string> obstacles(const Recording& recording);

/// A tag that the program never uses; polls that answered "no" ask for it.
[[nodiscard]] std::int64_t unused_tag(const Recording& recording);

/// The text of a C99 program that makes the same MPI calls, with the recorded time between them.
///
/// A function per rule, loops for counts, conditions on the rank as ranges. Receives from any source get
/// the recorded match, polls the recorded answer: equal to the original on any network.
///
/// `recording` has no obstacles. `title` is for the comment at the top. `computations`: what the proxy computes, of
/// the same recording, which has one thread; null: it takes the recorded time.
[[nodiscard]] std::string proxy_text(const Recording& recording, const std::string& title,
                                     const Computations* computations = nullptr);

/// The text of a free proxy: what `plan_free` leaves to the network is left to it.
[[nodiscard]] std::string free_proxy_text(const Recording& recording, const std::string& title);
/// Whether the text of a proxy is that of a free one.
[[nodiscard]] bool is_free_proxy(const std::string& text);
/// What builds a proxy of this text: with threads if it has some.
[[nodiscard]] std::string makefile_text(const std::string& proxy);

}  // namespace refrain::proxy
