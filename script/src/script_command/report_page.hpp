#pragma once

#include "refrain/script/script.hpp"

#include <string>
#include <vector>

namespace refrain::script {

/// "123 done, 4 running, 10 ready, 7 waiting, 0 failed, 61/s"
[[nodiscard]] std::string progress_text(const Progress& progress);

/// What limited a run, and where its time went, in sentences.
[[nodiscard]] std::vector<std::string> summarise(const RunResult& result);

/// The whole page as one HTML file that loads nothing. Errors: refrain::UsageError if the run kept no calls.
[[nodiscard]] std::string report_page(const RunResult& result, const std::string& title);

/// The calls for chrome://tracing and Perfetto, as JSON.
[[nodiscard]] std::string trace_text(const RunResult& result);

/// The data that the page's script reads, as JSON.
[[nodiscard]] std::string report_data(const RunResult& result, const std::string& title);

}  // namespace refrain::script
