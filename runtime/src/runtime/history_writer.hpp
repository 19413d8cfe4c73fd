#pragma once

#include "analysis/footprint.hpp"
#include "refrain/inline_recogniser.hpp"
#include "runtime/program_image.hpp"
#include "trace/saved_history.hpp"

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace refrain::runtime {

/// Puts what a recogniser remembers into words that another run understands.
///
///     position     0   1   2   3   4   5 | 6 ...        sequence   0 1 2 gap 0 1 2 3
///     description  a   b   c   .   a   b | c ...
///
/// The newest half of what it can remember, so that it has room for the run that reads it. An operation
/// that cannot be told of (its task lies in no module, its subsets are beyond the limits of a file)
/// leaves a gap; parts between gaps that are equal are kept once.
///
/// Threads:  the launching thread only.
class HistoryWriter {
  public:
    HistoryWriter(const autotrace::InlineRecogniser& recogniser,
                  const analysis::FootprintTable& footprints)
        : recogniser_(recogniser), footprints_(footprints) {}

    [[nodiscard]] trace::SavedHistory write();

  private:
    using Words = std::vector<std::uint64_t>;
    struct WordsHash {
        std::size_t operator()(const Words& words) const noexcept;
    };

    [[nodiscard]] std::uint32_t operation(std::span<const std::uint64_t> description);
    [[nodiscard]] std::uint32_t make_operation(std::span<const std::uint64_t> description);
    [[nodiscard]] std::optional<std::uint32_t> task(const void* function);
    [[nodiscard]] std::optional<std::uint32_t> footprint(analysis::FootprintId id);
    void keep_each_part_once();

    const autotrace::InlineRecogniser& recogniser_;
    const analysis::FootprintTable& footprints_;
    ProgramImage image_;
    trace::SavedHistory history_;
    std::unordered_map<Words, std::uint32_t, WordsHash> operations_;  // by description
    std::unordered_map<const void*, std::optional<std::uint32_t>> tasks_;
    std::unordered_map<std::uint32_t, std::optional<std::uint32_t>> known_footprints_;
    std::size_t boxes_left_ = trace::SavedHistory::Limits::boxes;
    Words key_;
};

}  // namespace refrain::runtime
