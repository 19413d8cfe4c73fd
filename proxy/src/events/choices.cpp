#include "events/choices.hpp"

#include "base/text.hpp"

namespace refrain::proxy {

std::optional<double> read_number(std::string_view words) {
    const auto number = base::read_number<double>(words);
    return number && *number >= 0 ? number : std::nullopt;
}

std::optional<RunPoint> read_run_point(std::string_view words) {
    RunPoint point;
    if (words == "pcontrol") {
        point.kind = RunPoint::Kind::pcontrol;
        return point;
    }
    if (words.ends_with('s')) {
        const auto seconds = read_number(words.substr(0, words.size() - 1));
        if (!seconds) return std::nullopt;
        point.kind = RunPoint::Kind::seconds;
        point.seconds = *seconds;
        return point;
    }
    const auto calls = base::read_number<decltype(point.calls)>(words);
    if (!calls) return std::nullopt;
    point.calls = *calls;
    return point;
}

std::optional<std::uint64_t> read_bytes(std::string_view words) {
    return base::read_bytes(words, 1024);
}

}  // namespace refrain::proxy
