#pragma once

#include "generate/rule_book.hpp"
#include "merge/recording.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace refrain::proxy {

/// A call, and the work that comes before it behind another one.
struct TurnStep {
    std::uint32_t before = Work::start;
    std::uint32_t event = 0;
    std::uint64_t count = 1;
};

/// How long calls and the work between them take each rank, on average.
class RankMeans {
  public:
    explicit RankMeans(const Recording& recording);

    [[nodiscard]] double call(std::uint32_t rank, std::uint32_t event) const {
        return found(calls_[rank], event);
    }
    [[nodiscard]] double work(std::uint32_t rank, std::uint32_t before, std::uint32_t event) const {
        return found(works_[rank], key_of(before, event));
    }

  private:
    using Means = std::unordered_map<std::uint64_t, double>;
    static std::uint64_t key_of(std::uint32_t before, std::uint32_t event) {
        return std::uint64_t{before} << 32 | event;
    }
    static double found(const Means& means, std::uint64_t key) {
        const auto at = means.find(key);
        return at == means.end() ? 0 : at->second;
    }

    std::vector<Means> calls_, works_;  // by rank
};

/// What one rank needs for each rule, once: its calls and all work but that before its first call.
class RuleTimes {
  public:
    /// All outlive this.
    RuleTimes(const Recording& recording, const RuleBook& book, const RankMeans& means,
              std::uint32_t rank);

    /// `before`: the call that comes before.
    [[nodiscard]] double of(const strings::Run& run, std::uint32_t before) const;
    [[nodiscard]] double sum(std::span<const strings::Run> runs, std::uint32_t before) const;

  private:
    static constexpr double not_known = -1;
    static constexpr std::uint32_t whatever = Work::start - 1;  // comes before a rule
    void find(const Recording& recording, std::uint32_t rule);
    [[nodiscard]] double once(const strings::Run& run) const {
        return run.is_rule ? rules_[run.symbol] : means_.call(rank_, run.symbol);
    }

    const RuleBook& book_;
    const RankMeans& means_;
    std::uint32_t rank_;
    std::vector<double> rules_;
};

}  // namespace refrain::proxy
