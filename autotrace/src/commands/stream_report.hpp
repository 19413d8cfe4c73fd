#pragma once

#include "refrain/autotrace.hpp"
#include "page/run_data.hpp"

#include <deque>
#include <istream>
#include <string>

namespace refrain::commands {

struct StreamReport {
    page::RunData run;
    std::deque<std::string> texts;  // names and files, which the sites of `run` point to
};

/// What mining makes of a stream of operations, for a page. Launch sites are those that comments of
/// the stream name ("# TOKEN 'name' (file:line)"); a token without one is its own site.
///
/// Memory does not grow with the stream: beside what mining takes by its options, some tens of bytes
/// for each of up to a million distinct tokens, and what a page shows.
///
/// Errors:  MalformedLine.
[[nodiscard]] StreamReport report_on_stream(std::istream& input, const std::string& name,
                                            const autotrace::Options& options);

}  // namespace refrain::commands
