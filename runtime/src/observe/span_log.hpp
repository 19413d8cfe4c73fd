#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::observe {

/// Which operations of a run are sampled, and how many operations each of them represents, where samples are cheap
/// (sampling_rate.hpp): at level 1.
///
///     operations   0 ... 2047   2048 ... 3903   3904 ... 3967   ...   7808 ... 7871   ...
///                  all          none            all             none  all
///
/// Samples are blocks of neighbours, so that a timeline shows what happens around an operation. One
/// block in 61 is sampled: 61 is odd, so a loop whose length is a power of two is sampled at each of
/// its positions in turn.
///
/// What is sampled is thinned out where there is no room for all of it. Level 0 keeps everything,
/// level 1 the sampled operations, each further level half of the level before, though never less
/// than a whole block.
struct Sampling {
    static constexpr unsigned level_max = 40;
    static constexpr std::uint64_t block_operations = 64;

    /// From level 1 on: the operations in front of the first gap, and those of a period, whose first
    /// block is kept.
    [[nodiscard]] static constexpr std::uint64_t first_operations(unsigned level = 1) {
        return std::max<std::uint64_t>(1, dense_blocks >> (level - 1)) * block_operations;
    }
    [[nodiscard]] static constexpr std::uint64_t period_operations(unsigned level = 1) {
        return (period_blocks << (level - 1)) * block_operations;
    }

    [[nodiscard]] static bool is_kept(std::uint64_t operation, unsigned level) {
        return level == 0 || operation < first_operations(level) ||
               operation % period_operations(level) < block_operations;
    }
    /// The first operation kept that is not before this one.
    [[nodiscard]] static std::uint64_t next_sampled(std::uint64_t operation, unsigned level) {
        const std::uint64_t period = period_operations(level);
        return is_kept(operation, level) ? operation : (operation / period + 1) * period;
    }
    /// How many operations one that is kept stands for. Those between the first ones and the next
    /// block are taken for like those after them.
    [[nodiscard]] static double weight(std::uint64_t operation, unsigned level = 1) {
        if (level == 0 || operation < first_operations(level)) return 1;
        return static_cast<double>(period_operations(level) / block_operations);
    }

  private:
    static constexpr std::uint64_t dense_blocks = 32;
    static constexpr std::uint64_t period_blocks = 61;
};

enum class SpanKind : std::uint8_t {
    launch,     ///< checking a launch and building its operation
    match,      ///< automatic tracing: tokens, matching, deciding
    analysis,   ///< finding what an operation waits for
    recording,  ///< the same, and keeping the result for later operations
    replay,     ///< taking it from a template or a memo
    linking,    ///< adding the operation and its edges to the graph
    mining,
    wait,  ///< the launching thread waits, and runs tasks meanwhile
    task,
};
inline constexpr std::size_t span_kinds = 9;
[[nodiscard]] const char* name_of(SpanKind kind);

struct Span {
    std::uint64_t begin = 0;  // ticks
    std::uint64_t end = 0;
    const char* name = "";  // of the launch; lives as long as the program
    std::uint64_t operation = 0;
    std::uint32_t point = 0;
    SpanKind kind = SpanKind::task;
    std::uint32_t site = 0;  // of a task: its page::SiteId
};

/// The spans of one thread, in bounded memory. A full log drops the spans of every second block of
/// operations. Sampling counts from operation `first` on.
///
/// Threads:  one writer; readers only after it has stopped.
class SpanLog {
  public:
    static constexpr std::size_t default_capacity = std::size_t{1} << 14;

    explicit SpanLog(std::size_t capacity = default_capacity, std::uint64_t first = 0)
        : capacity_(capacity), first_(first) {
        spans_.reserve(capacity);
    }

    void add(const Span& span) {
        if (!is_kept(span)) return;
        if (spans_.size() == capacity_) {
            thin_out();
            if (!is_kept(span)) return;
        }
        if (spans_.size() < capacity_)
            spans_.push_back(span);
        else
            ++dropped_;
    }
    [[nodiscard]] const std::vector<Span>& spans() const { return spans_; }
    [[nodiscard]] unsigned level() const { return level_; }
    /// The median length of the spans of a kind, so that rare or interrupted ones do not count; 0
    /// without any.
    [[nodiscard]] double median_ticks(SpanKind kind) const;
    /// Spans that did not fit although their block is kept.
    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

  private:
    [[nodiscard]] bool is_kept(const Span& span) const {
        return Sampling::is_kept(span.operation - first_, level_);
    }
    void thin_out();

    std::vector<Span> spans_;
    std::size_t capacity_;
    std::uint64_t first_;
    unsigned level_ = 0;
    std::uint64_t dropped_ = 0;
};

}  // namespace refrain::observe
