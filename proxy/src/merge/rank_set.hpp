#pragma once

#include <cstdint>
#include <vector>

namespace refrain::proxy {

/// Ranks, as ranges in ascending order: {0-3, 7}.
class RankSet {
  public:
    struct Range {
        std::uint32_t first = 0;
        std::uint32_t last = 0;  // included
        friend bool operator==(const Range&, const Range&) = default;
    };

    RankSet() = default;
    explicit RankSet(std::uint32_t rank) : ranges_{{rank, rank}} {}
    [[nodiscard]] static RankSet all(std::uint32_t size) {
        RankSet set;
        if (size > 0) set.ranges_ = {{0, size - 1}};
        return set;
    }

    void add(std::uint32_t rank) { add(Range{rank, rank}); }
    void add(const RankSet& other) {
        for (const Range& range : other.ranges_) add(range);
    }
    void add(Range range) {
        std::vector<Range> joined;
        for (const Range& each : ranges_) {
            const bool apart = std::uint64_t{each.last} + 1 < range.first ||
                               std::uint64_t{range.last} + 1 < each.first;
            if (apart) {
                joined.push_back(each);
                continue;
            }
            if (each.first < range.first) range.first = each.first;
            if (each.last > range.last) range.last = each.last;
        }
        std::size_t at = 0;
        while (at < joined.size() && joined[at].first < range.first) ++at;
        joined.insert(joined.begin() + static_cast<std::ptrdiff_t>(at), range);
        ranges_ = std::move(joined);
    }

    [[nodiscard]] bool contains(std::uint32_t rank) const {
        for (const Range& range : ranges_)
            if (rank >= range.first && rank <= range.last) return true;
        return false;
    }
    [[nodiscard]] bool intersects(const RankSet& other) const {
        for (const Range& range : ranges_)
            for (const Range& its : other.ranges_)
                if (range.first <= its.last && its.first <= range.last) return true;
        return false;
    }
    [[nodiscard]] std::uint32_t size() const {
        std::uint32_t count = 0;
        for (const Range& range : ranges_) count += range.last - range.first + 1;
        return count;
    }
    [[nodiscard]] bool empty() const { return ranges_.empty(); }
    [[nodiscard]] const std::vector<Range>& ranges() const { return ranges_; }
    [[nodiscard]] std::vector<std::uint32_t> members() const {
        std::vector<std::uint32_t> ranks;
        for (const Range& range : ranges_)
            for (std::uint32_t rank = range.first; rank <= range.last; ++rank)
                ranks.push_back(rank);
        return ranks;
    }

    friend bool operator==(const RankSet&, const RankSet&) = default;

  private:
    std::vector<Range> ranges_;
};

}  // namespace refrain::proxy
