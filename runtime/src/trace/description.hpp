#pragma once

#include "trace/trace_template.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace refrain::trace {

/// Encodes an operation as words that name its regions by their last use. So the operations of a
/// loop have equal descriptions in every iteration, even if its regions are renamed:
///
///     1  write(A)             task, points, [shape, never used]
///     2  read(A), write(B)    task, points, [shape, 1 ago: requirement 0], [shape, never used]
///     3  write(C)             as 1
///     4  read(C), write(D)    as 2
///
/// Why equal descriptions mean equal aliasing. Let the operations n - r ... n and q - r ... q have
/// equal descriptions, one by one. A requirement's link names the previous access of its region. So
/// the links tell whether two requirements among n - r ... n use one region: they do exactly if
/// following the links from the later one leads to the earlier one, within the r + 1 operations.
/// The same steps connect the images of the two. Distinct regions never overlap, and a shape tells
/// which elements of its region each point uses. Links do not tell what lies before n - r: a result
/// that is reused in this context must not depend on that (operation_memo.hpp).
///
/// What could break this, and why it does not:
///   - a link by operation alone would make two requirements of one operation look equal; so it
///     names both the operation and the requirement;
///   - ids of subsets could get other contents; but footprints are interned by content, and an id
///     keeps its content while descriptions refer to it (tables and descriptions are reset
///     together);
///   - storage under two names does not exist: regions own their elements, and imported memory that
///     overlaps would have to be one region;
///   - subsets computed from data have their content in the shape, so other content gives another
///     description;
///   - a use inside a trace of the program's own is not described; but links count it, and no
///     context spans it;
///   - a link of a window or more leads to a finished operation, which no walk visits and which
///     needs no edge. The same holds for a new region, so all these links are one word.
///
/// Scalars, fill values and futures cannot change the result and are left out.
///
/// Complexity:  O(requirements).
/// Threads:     the launching thread only.
/// Source:      encoding by the previous occurrence: Baker, "Parameterized Pattern Matching:
///              Algorithms and Applications", JCSS 1996.
class Describer {
  public:
    /// `window`: an operation this many operations ago has finished.
    explicit Describer(std::uint32_t window) : window_(window) {}
    [[nodiscard]] std::uint32_t window() const { return window_; }

    /// The description of the next operation, whose accesses are not yet recorded. Valid until the
    /// next call.
    std::span<const std::uint64_t> describe(OperationNumber number,
                                            const OperationSignature& operation) {
        const std::size_t count = operation.shapes.size();
        words_.resize(words_for(count));
        words_[0] = task_of(operation);
        words_[1] = operation.point_count;
        ++descriptions_;
        for (std::uint32_t i = 0; i < count; ++i) {
            words_[2 + 2 * i] = operation.shapes[i].word();
            words_[3 + 2 * i] = link(number, i, *operation.regions[i]);
        }
        return words_;
    }
    /// Compares the operation with a description: the longest context in which the two count as
    /// equal. Where links differ, the context must not contain what either leads to; if only one of
    /// them leads anywhere, that is 0. Nothing if more than links differs.
    [[nodiscard]] std::optional<std::uint32_t> likeness(std::span<const std::uint64_t> words,
                                                        OperationNumber number,
                                                        const OperationSignature& operation) {
        const std::size_t count = operation.shapes.size();
        if (words.size() != words_for(count) || words[0] != task_of(operation) ||
            words[1] != operation.point_count)
            return std::nullopt;
        ++descriptions_;
        std::uint64_t context = ~std::uint32_t{0};
        for (std::uint32_t i = 0; i < count; ++i) {
            if (words[2 + 2 * i] != operation.shapes[i].word()) return std::nullopt;
            const std::uint64_t own = link(number, i, *operation.regions[i]);
            const std::uint64_t other = words[3 + 2 * i];
            if (own == other) continue;
            if (is_within_operation(own) || is_within_operation(other)) return std::nullopt;
            context = std::min({context, distance_of(own), distance_of(other)});
        }
        return static_cast<std::uint32_t>(context);
    }

    /// A link in two parts: how many operations ago, and which requirement there. Two requirements
    /// of one operation with different regions have equal links only if these lead nowhere.
    struct Link {
        /// Instead of a distance: to requirement `index` of the same operation, the first on the
        /// region.
        static constexpr std::uint32_t same_operation = ~std::uint32_t{0};
        explicit Link(std::uint64_t word)
            : distance(is_within_operation(word) ? same_operation
                                                 : static_cast<std::uint32_t>(distance_of(word))),
              index(static_cast<std::uint32_t>(requirement_of(word))) {}
        std::uint32_t distance;  // less than a window; 0: nowhere
        std::uint32_t index;

        friend bool operator==(const Link&, const Link&) = default;
    };
    /// Whether a requirement of operation `number` on `region` has this link, if no earlier
    /// requirement of the operation uses the region; false for links to the same operation.
    [[nodiscard]] bool matches_link(OperationNumber number, const RegionHistory& region,
                                    const Link& link) const {
        const std::uint64_t distance = number - region.last.operation;
        if (link.distance == 0) return distance >= window_ || region.last.operation == 0;
        return distance == link.distance && region.last.index == link.index;
    }
    /// A link to no operation within a window.
    static constexpr std::uint64_t old_or_new = 0;
    /// How many operations ago a link leads; 0: to the operation itself, or old_or_new.
    [[nodiscard]] static std::uint64_t distance_of(std::uint64_t link) {
        return link == old_or_new ? 0 : (link >> 16) - within_operation;
    }
    /// The requirement that it leads to.
    [[nodiscard]] static std::uint64_t requirement_of(std::uint64_t link) { return link & 0xffff; }
    /// The link of one requirement of a description.
    [[nodiscard]] static std::uint64_t link_in(std::span<const std::uint64_t> words,
                                               std::size_t requirement) {
        return words[3 + 2 * requirement];
    }

  private:
    /// Upper part of a link to an earlier requirement of the same operation; other links add their
    /// distance to it.
    static constexpr std::uint64_t within_operation = 1;

    [[nodiscard]] static std::size_t words_for(std::size_t requirements) {
        return 2 + 2 * requirements;
    }
    [[nodiscard]] static std::uint64_t task_of(const OperationSignature& operation) {
        return reinterpret_cast<std::uintptr_t>(operation.task);
    }
    [[nodiscard]] std::uint64_t link(OperationNumber number, std::uint32_t index,
                                     RegionHistory& region) const {
        if (region.described_by == descriptions_)
            return within_operation << 16 | region.described_index;
        region.described_by = descriptions_;
        region.described_index = static_cast<std::uint16_t>(index);
        const std::uint64_t distance = number - region.last.operation;
        if (distance >= window_ || region.last.operation == 0) return old_or_new;
        return (distance + within_operation) << 16 | region.last.index;
    }
    [[nodiscard]] static bool is_within_operation(std::uint64_t link) {
        return link >> 16 == within_operation;
    }

    std::uint64_t descriptions_ = 0;  // made or compared so far
    std::uint32_t window_;
    std::vector<std::uint64_t> words_;
};

}  // namespace refrain::trace
