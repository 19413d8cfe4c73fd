#pragma once

#include "events/event.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace refrain::proxy {

/// What calls of two threads may meet in, when their order matters.
struct Thing {
    enum class Kind : std::uint8_t {
        sends,       // to a rank, with a tag, in a communicator
        receives,    // likewise
        collective,  // calls in a communicator
        buffer,      // that was attached for MPI_Bsend
        errors,      // the classes and codes that the program added: a proxy knows the latest only
        handle,      // by its role and number
    } kind = Kind::handle;
    std::array<std::int64_t, 3> which{};  // communicator, rank, tag; or role, number

    friend auto operator<=>(const Thing&, const Thing&) = default;
};
/// "messages to rank 1 with tag 5 in comm0"
[[nodiscard]] std::string describe(const Thing& thing);

/// How a call uses a thing: two calls of which neither is `alone` may come in any order.
struct ThingUse {
    Thing thing;
    bool alone = false;
};

/// Says of each call of a process, in their order, what it uses.
class ThingUses {
  public:
    /// `event`: with absolute ranks.
    [[nodiscard]] std::vector<ThingUse> of(const Event& event);

  private:
    std::map<std::int64_t, std::vector<Thing>>
        messages_;  // of persistent requests, by their numbers
};

}  // namespace refrain::proxy
