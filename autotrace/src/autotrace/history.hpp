#pragma once

#include "base/assertion.hpp"
#include "base/ordinal.hpp"
#include "refrain/autotrace.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::autotrace {

/// Index of a token or break in the stream.
using Position = base::Ordinal<struct StreamKind>;

/// The newest tokens of the stream in a ring, and the breaks, which no repeat may span.
///
/// Hot path: append is one 16-byte store to the line after the last one.
///
/// Besides `history_tokens`, the ring keeps as many tokens as a mining job can lag behind. A job
/// can therefore read its slice in place while the launching thread writes other entries.
///
/// Invariant:   tokens in [end() - capacity(), end()) can be read.
/// Threads:     one thread appends. A job may read its slice until its result is applied; the
///              caller applies it before end() passes the slice's begin + capacity.
class History {
  public:
    explicit History(const Options& options)
        : ring_(capacity(options)), breaks_(ring_.size()), mask_(ring_.size() - 1) {}

    static std::size_t bytes(const Options& options) {
        return capacity(options) * (sizeof(Token) + sizeof(Position));
    }

    void append(const Token& token) { ring_[end_++ & mask_] = token; }

    /// Appends a break, which differs from every token and every other break.
    void append_break() {
        breaks_[break_count_++ & mask_] = end_;
        append(Token{});
    }

    [[nodiscard]] Position end() const { return end_; }
    [[nodiscard]] std::size_t capacity() const { return ring_.size(); }
    [[nodiscard]] const Token& operator[](Position position) const {
        return ring_[position & mask_];
    }

    /// Replaces the content of `breaks` by the breaks in [begin, end()), ascending.
    void list_breaks(Position begin, std::vector<Position>& breaks) const {
        breaks.clear();
        for (std::uint64_t i = break_count_; i > 0; --i) {
            const Position at = breaks_[(i - 1) & mask_];
            if (at < begin || break_count_ - i >= ring_.size()) break;
            breaks.push_back(at);
        }
        std::reverse(breaks.begin(), breaks.end());
    }

    /// The longest delay of a result, in operations.
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
