#include "generate/polls.hpp"

#include "generate/call_text.hpp"

#include <algorithm>

namespace refrain::proxy {

std::vector<std::int64_t> requests_of(const Event& event) {
    std::vector<std::int64_t> numbers = values_of(event, Kind::waits_);
    if (numbers.empty()) return values_of(event, Kind::wait_);
    numbers.erase(numbers.begin());
    return numbers;
}

std::int64_t first_active(const Event& event) {
    for (const std::int64_t number : requests_of(event))
        if (number >= 0) return number;
    return null_handle;
}

bool told_no(const Event& event) {
    switch (event.function) {
        case Function::Test_:
        case Function::Testall_:
        case Function::Testany_:
        case Function::Win_test_:
        case Function::Request_get_status_:
        case Function::Iprobe_:
        case Function::Improbe_:
            return values_of(event, Kind::oflag_)[0] == 0;
        case Function::Testsome_:
            // Nothing is said of requests that are not active: then the number is MPI_UNDEFINED.
            return values_of(event, Kind::oint_)[0] == 0 && first_active(event) >= 0;
        default:
            return false;
    }
}

bool has_refused_polls(const Recording& recording) {
    return std::any_of(recording.events.begin(), recording.events.end(), told_no);
}

bool gets_recorded_match(const Event& event) {
    return is_wildcard(event) && !told_no(event);
}

}  // namespace refrain::proxy
