#include "convert/completions.hpp"

#include "generate/call_text.hpp"

#include <cstddef>

namespace refrain::proxy {
namespace {

/// The elements of an array; none if the call has none of this kind.
std::vector<std::int64_t> elements(const Event& event, Kind kind) {
    std::vector<std::int64_t> values = values_of(event, kind);
    if (!values.empty()) values.erase(values.begin());
    return values;
}

}  // namespace

std::vector<std::int64_t> requests_asked(const Event& event) {
    std::vector<std::int64_t> requests = elements(event, Kind::waits_);
    for (const Kind kind : {Kind::wait_, Kind::request_})
        for (const std::int64_t request : values_of(event, kind)) requests.push_back(request);
    return requests;
}

std::vector<Completion> completions(const Event& event) {
    if (event.function == Function::Request_get_status_) return {};
    const std::vector<std::int64_t> requests = requests_asked(event);
    const auto flag = values_of(event, Kind::oflag_);
    if (requests.empty() || (!flag.empty() && flag[0] == 0)) return {};
    std::vector<std::int64_t> done = values_of(event, Kind::oindex_);
    if (done.empty() && !values_of(event, Kind::oindices_).empty())
        done = elements(event, Kind::oindices_);
    else if (done.empty())
        for (std::size_t i = 0; i < requests.size(); ++i)
            done.push_back(static_cast<std::int64_t>(i));
    std::vector<std::int64_t> statuses = elements(event, Kind::statuses_);
    if (statuses.empty()) statuses = values_of(event, Kind::status_);
    std::vector<Completion> all;
    for (std::size_t i = 0; i < done.size(); ++i) {
        if (done[i] < 0 || static_cast<std::size_t>(done[i]) >= requests.size()) continue;
        const bool told = 2 * i + 1 < statuses.size();
        all.push_back({requests[static_cast<std::size_t>(done[i])], told ? statuses[2 * i] : 0,
                       told && statuses[2 * i + 1] != 0});
    }
    return all;
}

}  // namespace refrain::proxy
