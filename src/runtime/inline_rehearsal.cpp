/// What an InlineHost does before the run begins. Kept apart from its hot path, into which the
/// recogniser is inlined as long as there is one place that calls it.
#include "runtime/inline_host.hpp"

#include <algorithm>

namespace refrain::runtime {
namespace {

/// An operation that has been put into words.
struct Spelled {
    std::span<const std::uint64_t> spelled;

    [[nodiscard]] std::optional<std::uint32_t> likeness(
        std::span<const std::uint64_t> words) const {
        if (!std::equal(words.begin(), words.end(), spelled.begin(), spelled.end()))
            return std::nullopt;
        return autotrace::InlineRecogniser::equal;
    }
    [[nodiscard]] std::span<const std::uint64_t> words() const { return spelled; }
};

}  // namespace

void InlineHost::rehearse(std::uint64_t number, const trace::OperationSignature& operation) {
    const Spelled description{describer_.describe(number, operation)};
    const autotrace::InlineRecogniser::Finding found = recogniser_.look(description);
    if (found.unfolded.count != 0) repeat(found.unfolded);
    pipeline_.tracer().rehearse(
        number, operation, {found.position, found.precedent, *this, found.is_equal, found.loop});
}

void InlineHost::begin_run() {
    interrupt();
    recogniser_.awaken();
    before_ = recogniser_.statistics();
    rehearsed_ = before_.operations;
    run_begins_ = recogniser_.end();
    pipeline_.tracer().end_rehearsal();
    if (observer_ != nullptr) observer_->run_begins_at(run_begins_);
}

}  // namespace refrain::runtime
