#include "events/choices.hpp"

#include <charconv>

namespace refrain::proxy {

std::optional<double> read_number(std::string_view words) {
    double number = 0;
    const char* const end = words.data() + words.size();
    const auto [at, error] = std::from_chars(words.data(), end, number);
    if (error != std::errc() || at != end || !(number >= 0)) return std::nullopt;
    return number;
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
    const char* const end = words.data() + words.size();
    const auto [at, error] = std::from_chars(words.data(), end, point.calls);
    if (error != std::errc() || at != end) return std::nullopt;
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
