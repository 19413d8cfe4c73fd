#include "page/slots.hpp"

#include "base/assertion.hpp"

#include <algorithm>

namespace refrain::page {

std::string escaped_html(std::string_view text) {
    std::string escaped;
    for (const char letter : text) {
        if (letter == '<')
            escaped += "&lt;";
        else if (letter == '&')
            escaped += "&amp;";
        else
            escaped += letter;
    }
    return escaped;
}

std::string filled(std::string_view page_template, std::span<const Slot> slots) {
    std::string page;
    for (;;) {
        const std::size_t open = page_template.find("{{");
        page.append(page_template.substr(0, open));
        if (open == std::string_view::npos) return page;
        const std::size_t close = page_template.find("}}", open);
        const auto name = page_template.substr(open + 2, close - open - 2);
        const auto slot = std::find_if(slots.begin(), slots.end(),
                                       [&](const Slot& each) { return each.name == name; });
        REFRAIN_ASSERT(slot != slots.end(), "a template has no slots but those it is filled with");
        page.append(slot->text);
        page_template.remove_prefix(close + 2);
    }
}

}  // namespace refrain::page
