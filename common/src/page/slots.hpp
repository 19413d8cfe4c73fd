#pragma once

#include <span>
#include <string>
#include <string_view>

namespace refrain::page {

/// What takes the place of {{name}} in the template of a page.
struct Slot {
    std::string_view name;
    std::string_view text;
};

/// The template with each {{name}} replaced by the text of that slot; each is among `slots`. Texts are
/// copied as they are: a "{{" in them is no slot.
[[nodiscard]] std::string filled(std::string_view page_template, std::span<const Slot> slots);

/// Text that is safe as the content of an element.
[[nodiscard]] std::string escaped_html(std::string_view text);

}  // namespace refrain::page
