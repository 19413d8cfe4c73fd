#pragma once

#include <string_view>

/// The files of web/, embedded by the build; styles and helpers are those of common/src/page.
namespace refrain::proxy {

extern const std::string_view proxy_html;
extern const std::string_view proxy_js;
extern const std::string_view timeline_js;

}  // namespace refrain::proxy
