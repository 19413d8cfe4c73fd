#pragma once

#include "events/event.hpp"

#include <optional>

namespace refrain::proxy {

/// What becomes of a number under --bytes F. A receiver has room for at least what is sent, whatever its datatype.
enum class Amount : std::uint8_t {
    fixed,  // stays
    sent,   // F times as many elements, less what is none, but at least one
    room,   // what a receive has room for: never less than before, F times as much and what is left
    placed,  // where elements begin: F times as far on, so that those before have ended
};

/// What becomes of a parameter of a function.
[[nodiscard]] Amount amount_of(Function function, const Parameter& parameter);

/// The elements that a buffer of a message between two ranks holds; nothing for other functions.
struct MessageExtent {
    Amount amount = Amount::fixed;
    std::int64_t count = 0;
    std::int64_t type = 0;
};
[[nodiscard]] std::optional<MessageExtent> message_of(const Event& event, const Parameter& buffer);

/// Whether the event is a collective call whose messages cannot be scaled alike at all ranks: its datatypes are
/// derived, or differ between what it sends and what it receives.
[[nodiscard]] bool keeps_size(const Event& event);

}  // namespace refrain::proxy
