#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace sharing {

using Ns = std::uint64_t;  // virtual time: a tick of the policy's clock is a nanosecond

/// Workers on cores, and how long a flag takes from one to another.
struct Machine {
    unsigned workers;
    Ns within;  // a socket
    Ns across;  // sockets
    unsigned per_socket = 1U << 16;

    [[nodiscard]] Ns distance(unsigned a, unsigned b) const {
        if (a == b) return 0;
        return a / per_socket == b / per_socket ? within : across;
    }
};

/// One launch, and what the launching thread does before it.
struct Launch {
    std::uint32_t points = 1;
    Ns point_ns = 0;
    std::uint32_t kind = 0;   // launches of one kind share a cost estimate
    std::int64_t after = -1;  // the launch it depends on, as a whole; -1: none
    Ns away_ns = 0;           // the launching thread computes or sleeps, and runs no task
    bool waits = false;       // it waits for all launches so far, and runs tasks meanwhile
};

/// A program on a machine. The launching thread waits at its end.
struct Scenario {
    std::string family;
    std::string name;
    Machine machine;
    std::vector<Launch> launches;
};

/// Scenarios of every family. `quick`: a few of each.
[[nodiscard]] std::vector<Scenario> all_scenarios(bool quick);

}  // namespace sharing
