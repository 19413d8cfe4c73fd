#pragma once

#include <string_view>

/// The files of web/ and help/, embedded by the build (cmake/RefrainEmbed.cmake).
namespace refrain::script {

extern const std::string_view script_html;
extern const std::string_view script_css;
extern const std::string_view script_js;
extern const std::string_view stc_help_txt;
extern const std::string_view turbine_help_txt;
extern const std::string_view swift_t_help_txt;

}  // namespace refrain::script
