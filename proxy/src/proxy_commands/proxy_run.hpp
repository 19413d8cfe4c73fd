#pragma once

#include "merge/recording.hpp"
#include "proxy_commands/options.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace refrain::proxy {

class Computations;

/// A proxy that was built and recorded.
struct ProxyRun {
    std::vector<std::string> words;  // the command
    std::string problem;             // why there is no recording; empty if there is one
    std::optional<Recording> recording;
};

/// Builds the proxy in `folder` and records it there, in `verify-run`, as the original was started, unless `options` names
/// another launcher, compiler or MPI.
/// Errors: UsageError if nothing says how it is started
[[nodiscard]] ProxyRun run_proxy(const Recording& original, const std::string& folder,
                                 const std::string& metrics, const Options& options);

/// Writes the proxy, runs it under the counts tool and chooses its blocks again, `options.rounds` times; then takes of each
/// computation the nearest. Says how near they came, round by round.
/// Errors: UsageError if the proxy fails
void tune(const Recording& original, Computations& computations, const Options& options);

/// The program, whose text `program` makes, and its Makefile, in the folder that `options` names.
void write_proxy(const Options& options, const std::function<std::string()>& program);
/// "A proxy of halo on 4 ranks."
[[nodiscard]] std::string proxy_title(const Recording& recording);

}  // namespace refrain::proxy
