#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// What users choose for a recording, as words: `record` checks them, the interposer reads them from its environment.
/// Numbers have a point, whatever the locale.
namespace refrain::proxy {

/// Where in a run recording begins or ends.
///
///     read_run_point("2.5s")       2.5 seconds after MPI_Init
///     read_run_point("1000")       the 1,000th call of the rank
///     read_run_point("pcontrol")   where the program calls MPI_Pcontrol(1); only for a beginning
struct RunPoint {
    enum class Kind : std::uint8_t { seconds, calls, pcontrol };
    Kind kind = Kind::calls;
    double seconds = 0;
    std::uint64_t calls = 0;
};
/// `nullopt` if `words` has none of these forms.
[[nodiscard]] std::optional<RunPoint> read_run_point(std::string_view words);
/// A number of bytes: "4096", "64M", "1.5G", "64MiB" (units of 1,024), "64MB" (of 1,000). `nullopt` if malformed.
[[nodiscard]] std::optional<std::uint64_t> read_bytes(std::string_view words);
/// A number of at least 0. `nullopt` if malformed.
[[nodiscard]] std::optional<double> read_number(std::string_view words);

}  // namespace refrain::proxy
