/// Shared by the tests of the inline recogniser.
#pragma once

#include "refrain/inline_recogniser.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace refrain::autotrace::testing {

using InlineOptions = InlineRecogniser::Options;
using InlinePosition = InlineRecogniser::Position;
using Words = std::vector<std::uint64_t>;

inline constexpr InlineOptions tiny{.capacity_log2 = 6, .words_log2 = 10, .context_max = 12};

/// These options without folding, so that every operation takes a position.
inline InlineOptions unfolded(InlineOptions options) {
    options.fold_loops = false;
    return options;
}

/// A recogniser and all its input; checks every answer word by word.
class Watched {
  public:
    explicit Watched(const InlineOptions& options)
        : options_(options), recogniser_(unfolded(options)) {}

    std::optional<InlinePosition> operation(const Words& words) {
        const InlinePosition now = recogniser_.end();
        all_.emplace_back(words);
        const auto precedent = recogniser_.operation(words).precedent;
        EXPECT_EQ(recogniser_.end(), now + 1);
        if (precedent) expect_truth(now, *precedent);
        return precedent;
    }
    void interrupt() {
        recogniser_.interrupt();
        all_.emplace_back(std::nullopt);
        EXPECT_EQ(recogniser_.end(), all_.size());
    }
    /// The longest context that is proved.
    [[nodiscard]] std::uint32_t context() {
        std::uint32_t count = 0;
        while (count < options_.context_max && recogniser_.is_proved(count + 1)) ++count;
        return count;
    }
    [[nodiscard]] InlineRecogniser& recogniser() { return recogniser_; }

  private:
    void expect_truth(InlinePosition now, InlinePosition precedent) {
        ASSERT_LT(precedent, now);
        ASSERT_LT(now - precedent, recogniser_.capacity());
        ASSERT_EQ(all_[now], all_[precedent]);
        ASSERT_TRUE(recogniser_.is_proved(1));
        // Not at each position, so that is_proved() also starts from different proved contexts.
        if (now % 8 < 5) return;
        for (std::uint32_t count = 2; recogniser_.is_proved(count); ++count) {
            ASSERT_LE(count, precedent + 1);
            ASSERT_TRUE(all_[now + 1 - count]) << "interrupted";
            ASSERT_EQ(all_[now + 1 - count], all_[precedent + 1 - count]) << count;
            if (count == options_.context_max) return;
        }
    }

    InlineOptions options_;
    InlineRecogniser recogniser_;
    std::vector<std::optional<Words>> all_;
};

}  // namespace refrain::autotrace::testing
