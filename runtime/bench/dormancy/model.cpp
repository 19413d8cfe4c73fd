#include "dormancy/model.hpp"

#include "base/hash.hpp"

#include <deque>
#include <unordered_set>

namespace dormancy {
namespace {

/// Replays a launch if the eight before it and itself occurred before, in sight of it.
class PlainRecogniser {
  public:
    /// Whether it is replayed.
    bool look(std::uint64_t launch) {
        seen_.push_back(launch);
        if (seen_.size() <= context) return note(false);
        if (seen_.size() > context + 1) seen_.pop_front();
        refrain::base::Hasher hasher;
        for (const std::uint64_t each : seen_) hasher.add(each);
        return note(!known_.insert(hasher.finish().low).second);
    }
    /// A launch that it was not shown.
    void miss() { seen_.clear(); }
    [[nodiscard]] std::uint64_t fruitless() const { return fruitless_; }

  private:
    static constexpr std::size_t context = 8;
    bool note(bool replayed) {
        fruitless_ = replayed ? 0 : fruitless_ + 1;
        return replayed;
    }
    std::deque<std::uint64_t> seen_;  // the newest, without a gap
    std::unordered_set<std::uint64_t> known_;
    std::uint64_t fruitless_ = 0;
};

}  // namespace

double instructions_per_launch(const Stream& stream, const refrain::trace::Dormancy::Limits& limits,
                               const Costs& costs) {
    refrain::trace::Dormancy dormancy(limits);
    PlainRecogniser recogniser;
    double sum = 0;
    std::uint64_t number = 0;
    for (const std::uint64_t launch : stream.launches) {
        const auto now = refrain::graph::OperationNumber::at(++number);
        if (number % refrain::trace::Dormancy::interval == 0 && !dormancy.is_dormant() &&
            dormancy.should_begin(now, recogniser.fruitless())) {
            dormancy.begin(now);
            sum += costs.change * costs.pending;
        }
        if (dormancy.is_dormant() && dormancy.should_end(now, launch)) dormancy.end();
        if (dormancy.is_dormant()) {
            recogniser.miss();
            sum += costs.asleep;
        } else {
            sum += recogniser.look(launch) ? costs.replayed : costs.awake;
        }
    }
    return sum / static_cast<double>(stream.launches.size());
}

}  // namespace dormancy
