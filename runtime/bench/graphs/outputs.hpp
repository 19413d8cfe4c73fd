#pragma once

#include <cstdint>
#include <vector>

namespace graphs {

/// The output of a task; it names its writer, so that readers can check it.
struct Output {
    std::int64_t step = -1;
    std::int64_t column = -1;
    friend bool operator==(const Output&, const Output&) = default;
};

/// A column's output fills a cache line.
inline constexpr int outputs_per_column = 4;
static_assert(outputs_per_column * sizeof(Output) == 64, "columns do not share cache lines");

/// The two rows of outputs that steps use in turn, for systems that do not manage data.
class OutputRows {
  public:
    explicit OutputRows(int width) : width_(width), lines_(static_cast<std::size_t>(2 * width)) {}

    [[nodiscard]] Output* at(int step, int column) noexcept {
        return lines_[static_cast<std::size_t>((step & 1) * width_ + column)].outputs;
    }

  private:
    struct alignas(64) Line {
        Output outputs[outputs_per_column];
    };
    int width_;
    std::vector<Line> lines_;
};

}  // namespace graphs
