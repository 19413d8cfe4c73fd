#pragma once

#include "commands/operation_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace streams {

/// An operation or a wait, as in the input of `refrain mine`.
using Line = refrain::commands::StreamLine;

/// The launches of a program in order.
struct Stream {
    std::string name;
    std::string what;  // how it repeats, in a few words
    std::vector<Line> lines;
    bool has_names = false;  // the low halves of tokens are the names of data (Script)
};

/// Records the launches of a program, up to a maximum number.
///
///     Script script(1000);
///     while (!script.is_full())
///         for (int i = 0; i < 7; ++i) script.launch(i);
class Script {
  public:
    explicit Script(std::uint64_t operations) : left_(operations) {}

    [[nodiscard]] bool is_full() const { return left_ == 0; }
    /// Adds operation `what` on data with this name, unless the script is full.
    void launch(std::uint64_t what, std::uint64_t name = 0) {
        if (is_full()) return;
        --left_;
        lines_.push_back({Line::Kind::operation, {what, name}});
    }
    /// Operations `first`, `first` + 1, ...
    void launch_all(std::uint64_t first, std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i) launch(first + i);
    }
    void wait() { lines_.push_back({Line::Kind::wait, {}}); }

    [[nodiscard]] std::vector<Line> take() { return std::move(lines_); }

  private:
    std::uint64_t left_;
    std::vector<Line> lines_;
};

/// The same operations with names replaced by last uses: how many operations ago the data were last
/// used, 0 for never.
[[nodiscard]] inline std::vector<Line> named_by_use(std::vector<Line> lines) {
    std::unordered_map<std::uint64_t, std::uint64_t> last_use;
    std::uint64_t operation = 0;
    for (Line& line : lines) {
        if (line.kind != Line::Kind::operation) continue;
        std::uint64_t& last = last_use[line.token.low];
        ++operation;
        line.token.low = last == 0 ? 0 : operation - last;
        last = operation;
    }
    return lines;
}

[[nodiscard]] inline std::uint64_t operations_of(const std::vector<Line>& lines) {
    return static_cast<std::uint64_t>(std::count_if(
        lines.begin(), lines.end(), [](const Line& l) { return l.kind != Line::Kind::wait; }));
}

}  // namespace streams
