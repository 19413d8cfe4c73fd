#pragma once

#include "events/event.hpp"

#include <cstdint>
#include <vector>

namespace refrain::proxy {

/// A request that a call completes, and what its status says.
struct Completion {
    std::int64_t request = null_handle;
    std::int64_t bytes = 0;  // 0 if it is no receive and no access to a file
    bool cancelled = false;
};

/// The requests that a call waits for or asks about, in its order.
[[nodiscard]] std::vector<std::int64_t> requests_asked(const Event& event);

/// Those of them that it completes, in the order of its statuses: none where it was told no, or only asks (Request_get_status).
[[nodiscard]] std::vector<Completion> completions(const Event& event);

}  // namespace refrain::proxy
