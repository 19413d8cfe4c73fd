#include "autotrace/c_boundary.hpp"
#include "refrain/inline_recogniser.h"
#include "refrain/inline_recogniser.hpp"

#include <optional>
#include <span>

namespace {

using refrain::autotrace::InlineRecogniser;
using refrain::autotrace::detail::guarded;
using refrain::autotrace::detail::guarded_create;

InlineRecogniser::Options options_of(const refrain_inline_options& from) {
    return {.capacity_log2 = from.capacity_log2,
            .words_log2 = from.words_log2,
            .context_max = from.context_max,
            .token_bits = from.token_bits,
            .fold_loops = from.fold_loops != 0};
}

class CDescription {
  public:
    explicit CDescription(const refrain_inline_description& description)
        : description_(description) {}

    [[nodiscard]] std::optional<std::uint32_t> likeness(
        std::span<const std::uint64_t> words) const {
        std::uint32_t longest = InlineRecogniser::equal;
        if (description_.likeness(description_.context, words.data(), words.size(), &longest) == 0)
            return std::nullopt;
        return longest;
    }
    [[nodiscard]] std::span<const std::uint64_t> words() const {
        std::size_t count = 0;
        const std::uint64_t* words = description_.words(description_.context, &count);
        if (words == nullptr && count != 0) throw refrain::autotrace::detail::BadArgument{};
        return {words, count};
    }

  private:
    const refrain_inline_description& description_;
};

refrain_inline_turn turn_of(const InlineRecogniser::Turn& from) {
    return {.first = from.first, .count = from.count, .distance = from.distance};
}

refrain_inline_finding finding_of(const InlineRecogniser::Finding& from) {
    return {.position = from.position,
            .precedent = from.precedent.value_or(REFRAIN_INLINE_NONE),
            .is_equal = from.is_equal ? 1 : 0,
            .loop = from.loop,
            .unfolded = turn_of(from.unfolded)};
}

}  // namespace

struct refrain_inline_recogniser {
    explicit refrain_inline_recogniser(const InlineRecogniser::Options& options)
        : recogniser(options) {}

    InlineRecogniser recogniser;
};

extern "C" {

void refrain_inline_default_options(refrain_inline_options* options) {
    if (options == nullptr) return;
    const InlineRecogniser::Options from;
    *options = {.capacity_log2 = from.capacity_log2,
                .words_log2 = from.words_log2,
                .context_max = from.context_max,
                .token_bits = from.token_bits,
                .fold_loops = from.fold_loops ? 1 : 0};
}

refrain_autotrace_status refrain_inline_create(const refrain_inline_options* options,
                                               refrain_inline_recogniser** recogniser,
                                               char* message, size_t message_bytes) {
    if (recogniser == nullptr) return REFRAIN_AUTOTRACE_BAD_ARGUMENT;
    *recogniser = nullptr;
    return guarded_create("no memory for the recogniser", message, message_bytes, [&] {
        *recogniser = new refrain_inline_recogniser(
            options != nullptr ? options_of(*options) : InlineRecogniser::Options{});
    });
}

void refrain_inline_destroy(refrain_inline_recogniser* recogniser) {
    delete recogniser;
}

refrain_autotrace_status refrain_inline_operation(refrain_inline_recogniser* recogniser,
                                                  const uint64_t* words, size_t count,
                                                  refrain_inline_finding* finding) {
    if (finding == nullptr || (words == nullptr && count != 0))
        return REFRAIN_AUTOTRACE_BAD_ARGUMENT;
    return guarded(recogniser, [&] {
        *finding = finding_of(recogniser->recogniser.operation({words, count}));
    });
}

refrain_autotrace_status refrain_inline_look(refrain_inline_recogniser* recogniser,
                                             const refrain_inline_description* description,
                                             refrain_inline_finding* finding) {
    if (finding == nullptr || description == nullptr || description->likeness == nullptr ||
        description->words == nullptr)
        return REFRAIN_AUTOTRACE_BAD_ARGUMENT;
    return guarded(recogniser, [&] {
        *finding = finding_of(recogniser->recogniser.look(CDescription(*description)));
    });
}

int refrain_inline_is_proved(refrain_inline_recogniser* recogniser, uint32_t count) {
    return recogniser != nullptr && recogniser->recogniser.is_proved(count) ? 1 : 0;
}

refrain_autotrace_status refrain_inline_interrupt(refrain_inline_recogniser* recogniser,
                                                  refrain_inline_turn* unfolded) {
    if (unfolded == nullptr) return REFRAIN_AUTOTRACE_BAD_ARGUMENT;
    return guarded(recogniser, [&] { *unfolded = turn_of(recogniser->recogniser.interrupt()); });
}

int refrain_inline_backing_off(const refrain_inline_recogniser* recogniser) {
    return recogniser != nullptr && recogniser->recogniser.backing_off() ? 1 : 0;
}

refrain_autotrace_status refrain_inline_skip(refrain_inline_recogniser* recogniser) {
    if (refrain_inline_backing_off(recogniser) == 0) return REFRAIN_AUTOTRACE_BAD_ARGUMENT;
    return guarded(recogniser, [&] { recogniser->recogniser.skip(); });
}

refrain_autotrace_status refrain_inline_clear(refrain_inline_recogniser* recogniser) {
    return guarded(recogniser, [&] { recogniser->recogniser.clear(); });
}

uint64_t refrain_inline_end(const refrain_inline_recogniser* recogniser) {
    return recogniser != nullptr ? recogniser->recogniser.end() : 0;
}

size_t refrain_inline_capacity(const refrain_inline_recogniser* recogniser) {
    return recogniser != nullptr ? recogniser->recogniser.capacity() : 0;
}

refrain_autotrace_status refrain_inline_get_statistics(const refrain_inline_recogniser* recogniser,
                                                       refrain_inline_statistics* statistics) {
    if (statistics == nullptr) return REFRAIN_AUTOTRACE_BAD_ARGUMENT;
    return guarded(recogniser, [&] {
        const InlineRecogniser::Statistics& from = recogniser->recogniser.statistics();
        *statistics = {.operations = from.operations,
                       .predicted = from.predicted,
                       .found = from.found,
                       .alike = from.alike,
                       .collisions = from.collisions};
    });
}

}  // extern "C"
