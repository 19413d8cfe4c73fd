#include "commands/inline_run.hpp"

#include "commands/inline_stream.hpp"
#include "commands/replayed_share.hpp"

#include <algorithm>
#include <unordered_map>

namespace refrain::commands {
namespace {

/// Counts repeats of traceable operations; their handles are indices.
class Repeats {
  public:
    void add(const std::optional<InlineStream::Repeat>& repeat, std::uint64_t operations_before) {
        const bool counts = repeat && repeat->context >= InlineStream::context_asked;
        const bool is_replayed = counts && repeated_[repeat->precedent];
        if (repeat) ++outcome_.repeated;
        if (counts) note_loop(repeated_.size() - repeat->precedent, operations_before);
        if (is_replayed && !outcome_.first_replay) outcome_.first_replay = operations_before;
        repeated_.push_back(counts);
        replayed_.push_back(is_replayed);
    }
    [[nodiscard]] std::uint64_t count() const { return repeated_.size(); }

    [[nodiscard]] InlineOutcome finish(std::uint64_t operations) {
        outcome_.operations = operations;
        outcome_.traceable = count();
        outcome_.replayed =
            static_cast<std::uint64_t>(std::count(replayed_.begin(), replayed_.end(), true));
        outcome_.coverage = replayed_share(replayed_, 0);
        outcome_.coverage_second_half = replayed_share(replayed_, count() / 2);
        outcome_.coverage_last_quarter = replayed_share(replayed_, count() - count() / 4);
        outcome_.warm_up = first_steady_window(replayed_);
        for (const auto& [length, loop] : loops_) outcome_.loops.push_back(loop);
        std::sort(outcome_.loops.begin(), outcome_.loops.end(), [](const auto& a, const auto& b) {
            return a.operations != b.operations ? a.operations > b.operations : a.length < b.length;
        });
        return std::move(outcome_);
    }

  private:
    void note_loop(std::uint64_t length, std::uint64_t operations_before) {
        ++loops_.try_emplace(length, InlineOutcome::Loop{length, 0, operations_before})
              .first->second.operations;
    }

    InlineOutcome outcome_;
    std::vector<bool> repeated_;  // in a context of context_asked operations
    std::vector<bool> replayed_;
    std::unordered_map<std::uint64_t, InlineOutcome::Loop> loops_;  // by length
};

}  // namespace

InlineOutcome run_inline(OperationReader& reader,
                         const std::function<void(std::uint64_t)>& progress) {
    constexpr std::uint64_t lines_between_reports = std::uint64_t{1} << 20;
    InlineStream stream;
    Repeats repeats;
    std::uint64_t operations = 0;
    for (StreamLine line{}; reader.next(line);) {
        using Kind = StreamLine::Kind;
        if (line.kind == Kind::operation)
            repeats.add(stream.operation(line.token, repeats.count()), operations);
        if (line.kind == Kind::untraceable) stream.untraceable();
        if (line.kind != Kind::wait) ++operations;
        if (reader.line_number() % lines_between_reports == 0) progress(reader.line_number());
    }
    return repeats.finish(operations);
}

}  // namespace refrain::commands
