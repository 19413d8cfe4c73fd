#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::observe {

/// Which operations of a run are looked at closely, and for how many each of them stands.
///
///     operations   0 ... 2047   2048 ... 3903   3904 ... 3967   ...   7808 ... 7871   ...
///                  all          none            all             none  all
///
/// Neighbours are looked at together, so that a timeline shows what happens, and one block in 61:
/// loops whose length is a power of two are seen at each of their places in turn.
struct Sampling {
    static constexpr std::uint64_t block_operations = 64;
    static constexpr std::uint64_t dense_blocks = 32;
    static constexpr std::uint64_t period_blocks = 61;

    [[nodiscard]] static bool includes(std::uint64_t operation) { return is_kept(operation, 1); }
    /// The first operation after this one that is in a block which level 1 keeps of a whole period.
    [[nodiscard]] static std::uint64_t next_period(std::uint64_t operation) {
        constexpr std::uint64_t period_operations = period_blocks * block_operations;
        return (operation / period_operations + 1) * period_operations;
    }
    [[nodiscard]] static double weight(std::uint64_t operation) {
        return operation < dense_blocks * block_operations ? 1 : static_cast<double>(period_blocks);
    }
    /// Level 0 keeps everything, level 1 what is sampled, each level more half of the one before.
    [[nodiscard]] static bool is_kept(std::uint64_t operation, unsigned level) {
        if (level == 0) return true;
        const std::uint64_t block = operation / block_operations;
        return block < dense_blocks >> (level - 1) || block % (period_blocks << (level - 1)) == 0;
    }
};

/// The same question for operations that are asked about in ascending order: mostly one comparison.
class SamplingCursor {
  public:
    [[nodiscard]] bool includes(std::uint64_t operation) {
        return operation >= next_ && look(operation);
    }

  private:
    bool look(std::uint64_t operation) {
        if (Sampling::includes(operation)) return true;
        next_ = Sampling::next_period(operation);
        return false;
    }

    std::uint64_t next_ = 0;  // none before it is sampled, as far as nobody has asked yet
};

enum class SpanKind : std::uint8_t {
    launch,     ///< checking a launch and building its operation
    match,      ///< automatic tracing: tokens, matching, deciding
    analysis,   ///< finding what an operation waits for
    recording,  ///< the same, written down
    replay,     ///< taking it from a template
    linking,    ///< tying it into the graph
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
};

/// The spans of one thread, in bounded memory: when it is full, those of every second block of
/// operations go.
///
/// Threads:  one writer; read when it has stopped.
class SpanLog {
  public:
    static constexpr std::size_t default_capacity = std::size_t{1} << 14;

    explicit SpanLog(std::size_t capacity = default_capacity) : capacity_(capacity) {
        spans_.reserve(capacity);
    }

    void add(const Span& span) {
        if (!Sampling::is_kept(span.operation, level_)) return;
        if (spans_.size() == capacity_) {
            thin_out();
            if (!Sampling::is_kept(span.operation, level_)) return;
        }
        if (spans_.size() < capacity_)
            spans_.push_back(span);
        else
            ++dropped_;
    }
    [[nodiscard]] const std::vector<Span>& spans() const { return spans_; }
    [[nodiscard]] unsigned level() const { return level_; }
    /// Of the spans of a kind; 0 without any. What happens once or is interrupted does not count.
    [[nodiscard]] double median_ticks(SpanKind kind) const;
    /// Spans of blocks that are kept, for which there was no room.
    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

  private:
    static constexpr unsigned level_max = 40;
    void thin_out();

    std::vector<Span> spans_;
    std::size_t capacity_;
    unsigned level_ = 0;
    std::uint64_t dropped_ = 0;
};

}  // namespace refrain::observe
