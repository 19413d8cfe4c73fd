#pragma once

#include "base/assertion.hpp"
#include "refrain/autotrace.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::autotrace {

/// Counts tokens and breaks since the beginning of the stream.
using Position = std::uint64_t;

/// The newest tokens of the stream in a ring, and the places that no repeat may span.
///
/// Hot path: append is one 16-byte store to the line after the last one.
///
/// The ring keeps more than `history_tokens`: as much as a mining job can lag behind. A job
/// therefore reads its slice in place while the launching thread goes on writing elsewhere.
///
/// Invariant:   tokens in [end() - capacity(), end()) can be read.
/// Threads:     append by one thread; a slice handed to a job may be read by that job until its
///              result is taken in, which the caller does before end() passes begin + capacity.
class History {
  public:
    explicit History(const Options& options)
        : ring_(capacity(options)), breaks_(ring_.size()), mask_(ring_.size() - 1) {}

    static std::size_t bytes(const Options& options) {
        return capacity(options) * (sizeof(Token) + sizeof(Position));
    }

    void append(const Token& token) { ring_[end_++ & mask_] = token; }

    /// A place that differs from every token, this one's earlier ones included.
    void append_break() {
        breaks_[break_count_++ & mask_] = end_;
        append(Token{});
    }

    [[nodiscard]] Position end() const { return end_; }
    [[nodiscard]] std::size_t capacity() const { return ring_.size(); }
    [[nodiscard]] const Token& operator[](Position position) const {
        return ring_[position & mask_];
    }

    /// Breaks in [begin, end()), ascending, replace the content of `breaks`.
    void list_breaks(Position begin, std::vector<Position>& breaks) const {
        breaks.clear();
        for (std::uint64_t i = break_count_; i > 0; --i) {
            const Position at = breaks_[(i - 1) & mask_];
            if (at < begin || break_count_ - i >= ring_.size()) break;
            breaks.push_back(at);
        }
        std::reverse(breaks.begin(), breaks.end());
    }

    /// How long a result may have to wait.
    static std::size_t delay_max(const Options& options) {
        return options.result_delay_operations.value_or(
            options.synchronous_mining ? 0 : options.history_tokens);
    }

  private:
    static std::size_t capacity(const Options& options) {
        return std::bit_ceil(std::max(options.history_tokens + delay_max(options) + 1,
                                      2 * options.trace_length_max + 2));
    }

    std::vector<Token> ring_;
    std::vector<Position> breaks_;
    std::size_t mask_;
    Position end_ = 0;
    std::uint64_t break_count_ = 0;
};

}  // namespace refrain::autotrace
