#pragma once

#include "page/site_table.hpp"
#include "refrain/autotrace.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace refrain::commands {

/// The launch sites of a stream, by token: those in its comments, and one for each other token.
/// Tokens beyond a million share one site.
class StreamSites {
  public:
    /// Parses "# 0x12ab 'saxpy' (main.cpp:41)"; ignores other comments.
    void comment(std::string_view text);
    [[nodiscard]] page::SiteId of(const autotrace::Token& token);

    /// The texts that the sites point to; must outlive them.
    std::deque<std::string> take_texts() { return std::move(texts_); }

    page::SiteTable table;

  private:
    static constexpr std::size_t tokens_max = std::size_t{1} << 20;

    page::SiteId find(std::string_view name, std::string_view file, std::uint32_t line) {
        LaunchSite site;
        site.name = keep(name);
        site.file = keep(file);
        site.line = line;
        return table.find(site);
    }
    const char* keep(std::string_view text);

    std::unordered_map<autotrace::Token, page::SiteId> ids_;
    std::unordered_map<std::string, const char*> by_text_;
    std::deque<std::string> texts_;
};

}  // namespace refrain::commands
