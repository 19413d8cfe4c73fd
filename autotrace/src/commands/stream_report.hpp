#pragma once

#include "page/run_data.hpp"
#include "refrain/autotrace.hpp"

#include <deque>
#include <istream>
#include <string>

namespace refrain::commands {

struct StreamReport {
    page::RunData run;
    std::deque<std::string> texts;  // owns the names and files of the sites of `run`
};

/// The page of a stream by mining. Launch sites are those in comments of the stream ("# TOKEN
/// 'name' (file:line)"); a token without a comment is its own site.
///
/// Memory does not grow with the stream: it is that of mining, by its options, some tens of bytes
/// for each of up to a million distinct tokens, and the content of the page.
///
/// Errors:  MalformedLine.
[[nodiscard]] StreamReport report_on_stream(std::istream& input, const std::string& name,
                                            const autotrace::Options& options);

}  // namespace refrain::commands
