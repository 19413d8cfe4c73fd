#pragma once

#include "trace/trace_template.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace refrain::trace {

/// Puts an operation into words that name its regions by their last use, so that a loop describes
/// its operations alike in every iteration, whatever its regions are called:
///
///     1  write(A)             task, points, [shape, never used]
///     2  read(A), write(B)    task, points, [shape, 1 ago: requirement 0], [shape, never used]
///     3  write(C)             as 1
///     4  read(C), write(D)    as 2
///
/// Why equal descriptions mean equal aliasing. Let the operations n - r ... n and q - r ... q have
/// equal descriptions, one by one. A requirement's link says which access of the same region came
/// last. So whether two requirements among n - r ... n use one region can be read off the links: they
/// do exactly if following the links from the later one leads to the earlier one, and each step
/// stays within the r + 1 operations. The same steps lead from image to image. Regions never overlap
/// unless they are the same, and a shape says which elements of the region each point uses. What the
/// links do not tell is what lies before n - r; whoever relies on a context must not have looked
/// further (operation_memo.hpp).
///
/// What would break it, and why it does not:
///   - a link by operation alone: two requirements of one operation would look alike. So it has both;
///   - the names of subsets: equal ones could have other contents later. Footprints are interned by
///     content, and never given another one while descriptions refer to them (the tables are reset
///     together with all descriptions);
///   - storage shared under two names: there is none. Regions own their elements; whoever wants to
///     import memory must give all that overlaps one region;
///   - subsets computed from data: their content is in the shape, so that another content is another
///     description;
///   - a use that was not described, since it lies in a trace of the program's own: links count it,
///     and no context spans it;
///   - links of a window or more: whoever is so far away has finished, is not looked at and needs no
///     edge, whether the region is that old or new. All these links are one word.
///
/// Scalars, values of fills and futures cannot change what is found, and are left out.
///
/// Complexity:  O(requirements).
/// Threads:     the launching thread only.
/// Source:      encoding by the previous occurrence: Baker, "Parameterized Pattern Matching:
///              Algorithms and Applications", JCSS 1996.
class Describer {
  public:
    /// `window`: operations after which an operation has finished.
    explicit Describer(std::uint32_t window) : window_(window) {}

    /// Of the operation that comes next, before its accesses are recorded. Valid until the next call.
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
    /// How far it is described by `words`: the longest context in which the two operations count as
    /// equal. Everything but the links must be, and where those differ, a context must not hold what
    /// they lead to. Nothing if more differs; 0 if one leads nowhere and the other does not.
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

    /// A link in two parts: how many operations ago, and there which requirement. Two requirements
    /// of an operation that use different regions have the same only if it leads nowhere.
    struct Link {
        explicit Link(std::uint64_t word)
            : distance(static_cast<std::uint32_t>(distance_of(word))),
              index(static_cast<std::uint32_t>(requirement_of(word))) {}
        std::uint32_t distance;  // less than a window; 0: nowhere
        std::uint32_t index;
    };
    /// Whether that is the link of a requirement whose region no earlier one of operation `number`
    /// uses.
    [[nodiscard]] bool is_linked(OperationNumber number, const RegionHistory& region,
                                 const Link& link) const {
        const std::uint64_t distance = number - region.last.operation;
        if (link.distance == 0) return distance >= window_ || region.last.operation == 0;
        return distance == link.distance && region.last.index == link.index;
    }
    /// A link to no operation within a window.
    static constexpr std::uint64_t old_or_new = 0;
    /// How many operations ago another link leads, 0 being the operation itself, and to which
    /// requirement there. 0 for old_or_new, too.
    [[nodiscard]] static std::uint64_t distance_of(std::uint64_t link) {
        return link == old_or_new ? 0 : (link >> 16) - within_operation;
    }
    [[nodiscard]] static std::uint64_t requirement_of(std::uint64_t link) { return link & 0xffff; }
    /// The link of one requirement of a description.
    [[nodiscard]] static std::uint64_t link_in(std::span<const std::uint64_t> words,
                                               std::size_t requirement) {
        return words[3 + 2 * requirement];
    }

  private:
    /// The upper part of a link to an earlier requirement of the same operation. Other links have
    /// their distance on top of it.
    static constexpr std::uint64_t within_operation = 1;

    [[nodiscard]] static std::size_t words_for(std::size_t requirements) {
        return 2 + 2 * requirements;
    }
    [[nodiscard]] static std::uint64_t task_of(const OperationSignature& operation) {
        return reinterpret_cast<std::uintptr_t>(operation.task);
    }
    /// How many operations ago, and there which requirement.
    [[nodiscard]] std::uint64_t link(OperationNumber number, std::uint32_t index,
                                     RegionHistory& region) const {
        if (region.described_by == descriptions_)
            return within_operation << 16 | region.described_index;
        region.described_by = descriptions_;
        region.described_index = index;
        const std::uint64_t distance = number - region.last.operation;
        if (distance >= window_ || region.last.operation == 0) return old_or_new;
        return (distance + within_operation) << 16 | region.last.index;
    }
    [[nodiscard]] static bool is_within_operation(std::uint64_t link) {
        return link >> 16 == within_operation;
    }

    std::uint64_t descriptions_ = 0;  // so far, those that were compared with others included
    std::uint32_t window_;
    std::vector<std::uint64_t> words_;
};

}  // namespace refrain::trace
