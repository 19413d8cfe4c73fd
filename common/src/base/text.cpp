#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

namespace refrain::base {

std::string duration_text(double seconds) {
    if (seconds < 1e-3) return printed("%.0f µs", seconds * 1e6);
    if (seconds < 1) return printed("%.1f ms", seconds * 1e3);
    return printed("%.2f s", seconds);
}

std::optional<std::string> content_of(const std::string& path) {
    const auto close = [](std::FILE* file) { return std::fclose(file); };
    const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
    if (file == nullptr) return std::nullopt;
    std::string content;
    std::array<char, 1 << 16> part;
    for (std::size_t got = 0; (got = std::fread(part.data(), 1, part.size(), file.get())) > 0;)
        content.append(part.data(), got);
    if (std::ferror(file.get()) != 0) return std::nullopt;  // a folder, or an error
    return content;
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
    text = text.substr(0, text.find_last_not_of(blanks) + 1);
    return text.substr(std::min(text.find_first_not_of(blanks), text.size()));
}

std::vector<std::string> parts_of(std::string_view text, std::string_view separators) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(separators), text.size());
        if (end != 0) parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

std::optional<std::uint64_t> read_bytes(std::string_view text, unsigned kilo) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto number = read_number<double>(text.substr(0, end));
    std::string_view unit = text.substr(end);
    double each = 1;
    if (const std::size_t power = std::string_view("KMGT").find(unit.substr(0, 1));
        !unit.empty() && power != std::string_view::npos) {
        if (unit.size() > 1) kilo = unit.ends_with("iB") ? 1024 : 1000;
        for (std::size_t i = 0; i <= power; ++i) each *= kilo;
        unit.remove_prefix(unit.ends_with("iB") ? 2 : 1);
    }
    constexpr double most = 1e18;
    if (!number || *number * each > most || (!unit.empty() && unit != "B")) return std::nullopt;
    return static_cast<std::uint64_t>(*number * each);
}

std::string setting(const std::string& name, const std::string& otherwise) {
    const char* const value = std::getenv(name.c_str());
    return value == nullptr || *value == '\0' ? otherwise : value;
}

}  // namespace refrain::base
