#pragma once

#include <string_view>

/// The parts of the page that are the same for every run: what it looks like, what is in it, and
/// what draws it. Plain CSS, HTML and JavaScript without libraries, so that the page needs no
/// network and still opens in years.
namespace refrain::page {

extern const std::string_view page_style;
extern const std::string_view page_body;
extern const std::string_view page_charts;  // what draws: comes before the script
extern const std::string_view page_script;

}  // namespace refrain::page
