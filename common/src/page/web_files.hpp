#pragma once

#include <string_view>

/// The files of web/, embedded by the build (cmake/RefrainEmbed.cmake). Plain HTML, CSS and JavaScript
/// without libraries, so that a page needs no network and still opens in years.
namespace refrain::page {

extern const std::string_view page_html;  // the whole page, with a {{slot}} for each other file
extern const std::string_view page_css;
extern const std::string_view helpers_js;
extern const std::string_view chart_js;
extern const std::string_view table_js;
extern const std::string_view task_graph_js;
extern const std::string_view timeline_js;
extern const std::string_view run_parts_js;
extern const std::string_view region_states_js;
extern const std::string_view page_js;

}  // namespace refrain::page
