#pragma once

#include "observe/span_log.hpp"

#include <cstdint>
#include <vector>

namespace refrain::observe {

/// The sampled operations of a run and what they wait for, in bounded memory. A full log drops every
/// second block of operations, as SpanLog does. Where there are too many pairs of points, new edges
/// come without them: operations are worth more.
///
/// Threads:  the launching thread only.
class DependenceLog {
  public:
    static constexpr std::size_t operations_max = std::size_t{1} << 13;
    static constexpr std::size_t edges_max = std::size_t{1} << 15;
    static constexpr std::size_t pairs_max = std::size_t{1} << 17;

    struct Pair {
        std::uint32_t source = 0;  // points
        std::uint32_t target = 0;
    };
    /// Points of an operation wait for points of an earlier one, which is in the sample, too.
    struct Edge {
        std::uint64_t source = 0;  // operation
        bool carries_data = false;
        std::vector<Pair> pairs;     // none if they are too many:
        std::uint64_t left_out = 0;  // so many
    };
    struct Operation {
        std::uint64_t number = 0;
        bool is_fence = false;
        std::vector<Edge> edges;
    };

    /// `first`: the operation from which sampling counts.
    explicit DependenceLog(std::uint64_t first = 0) : first_(first) {}

    void add(Operation operation);
    /// Whether an operation is in the log.
    [[nodiscard]] bool holds(std::uint64_t number) const;
    [[nodiscard]] const std::vector<Operation>& operations() const { return operations_; }
    [[nodiscard]] unsigned level() const { return level_; }
    [[nodiscard]] std::uint64_t first() const { return first_; }

  private:
    [[nodiscard]] bool is_full() const {
        return operations_.size() >= operations_max || edges_ >= edges_max;
    }
    void thin_out();

    std::vector<Operation> operations_;  // by ascending number
    std::uint64_t first_;
    std::size_t edges_ = 0;
    std::size_t pairs_ = 0;
    unsigned level_ = 0;
};

}  // namespace refrain::observe
