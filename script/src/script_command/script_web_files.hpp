#pragma once

#include <string_view>

/// The files of web/, embedded by the build (cmake/RefrainEmbed.cmake).
namespace refrain::script {

extern const std::string_view script_html;
extern const std::string_view script_css;
extern const std::string_view script_js;

}  // namespace refrain::script
