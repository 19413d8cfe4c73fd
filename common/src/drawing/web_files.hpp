#pragma once

#include <string_view>

/// The files of web/, embedded by the build (cmake/RefrainEmbed.cmake).
namespace refrain::drawing {

extern const std::string_view graph_html;
extern const std::string_view graph_css;
extern const std::string_view graph_js;
extern const std::string_view dagre_min_js;  // REFRAIN_DAGRE, if there is one

}  // namespace refrain::drawing
