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
    double unit = 1;
    if (!words.empty()) {
        const auto place = std::string_view("KMGT").find(words.back());
        if (place != std::string_view::npos) {
            for (std::size_t i = 0; i <= place; ++i) unit *= 1024;
            words.remove_suffix(1);
        }
    }
    const auto number = read_number(words);
    if (!number || *number * unit > 1e18) return std::nullopt;
    return static_cast<std::uint64_t>(*number * unit);
}

}  // namespace refrain::proxy
