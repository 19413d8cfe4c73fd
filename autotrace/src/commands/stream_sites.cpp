#include "commands/stream_sites.hpp"

#include <array>
#include <charconv>
#include <cstdio>

namespace refrain::commands {
namespace {

std::uint64_t number(std::string_view digits) {
    std::uint64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    return value;
}

}  // namespace

void StreamSites::comment(std::string_view text) {
    const std::size_t digits = text.find("0x");
    const std::size_t name = text.find(" '");
    const std::size_t where = text.rfind("' (");
    const std::size_t colon = text.rfind(':');
    const bool is_name = digits == 2 && name != std::string_view::npos &&
                         where != std::string_view::npos && where > name + 1 &&
                         colon != std::string_view::npos && colon > where && text.ends_with(')');
    if (!is_name) return;
    std::uint32_t line = 0;
    std::from_chars(text.data() + colon + 1, text.data() + text.size() - 1, line);
    const std::string_view token = text.substr(4, name - 4);
    if (token.size() > 32 || ids_.size() >= tokens_max) return;
    const std::size_t low = token.size() > 16 ? token.size() - 16 : 0;
    ids_[{number(token.substr(0, low)), number(token.substr(low))}] = find(
        text.substr(name + 2, where - name - 2), text.substr(where + 3, colon - where - 3), line);
}

page::SiteId StreamSites::of(const autotrace::Token& token) {
    if (const auto known = ids_.find(token); known != ids_.end()) return known->second;
    std::array<char, 40> text;
    std::snprintf(text.data(), text.size(), token.high == 0 ? "0x%llx" : "0x%llx%016llx",
                  static_cast<unsigned long long>(token.high == 0 ? token.low : token.high),
                  static_cast<unsigned long long>(token.low));
    const bool room = ids_.size() < tokens_max;
    const page::SiteId id = find(room ? text.data() : "all further tokens", "", 0);
    if (room) ids_.emplace(token, id);
    return id;
}

/// A stable copy of the text; equal texts share one.
const char* StreamSites::keep(std::string_view text) {
    const auto [place, is_new] = by_text_.try_emplace(std::string(text), nullptr);
    if (is_new) place->second = texts_.emplace_back(text).c_str();
    return place->second;
}

}  // namespace refrain::commands
