#include "trace/description.hpp"

#include "analysis/access_program.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace refrain::trace::description_test {
namespace {

using analysis::testing::Extents;
using analysis::testing::reads;
using analysis::testing::reduces;
using analysis::testing::span;
using analysis::testing::updates;
using analysis::testing::Use;
using analysis::testing::writes;

constexpr std::uint32_t window = 8;
constexpr Extents line{1, 4};
constexpr auto all = span(0, 4);
constexpr auto low = span(0, 2);
constexpr auto high = span(2, 4);
constexpr std::size_t a = 0, b = 1, c = 2, d = 3;

using Words = std::vector<std::uint64_t>;

/// A stream of operations over a few regions; each is described and recorded.
class Stream {
  public:
    Words launch(const std::vector<Use>& uses) {
        shapes_.clear();
        used_.clear();
        for (const Use& use : uses) {
            std::vector<data::BoxSet> subsets;
            for (const auto elements : use.elements) subsets.push_back(box_set(elements, line));
            shapes_.emplace_back(footprints_.intern(std::move(subsets)), use.privilege,
                                 use.reduction);
            used_.push_back(&regions_[use.region]);
        }
        const auto points = static_cast<std::uint32_t>(uses[0].elements.size());
        const OperationSignature signature{.task = &task_,
                                           .site = nullptr,
                                           .point_count = points,
                                           .shapes = shapes_,
                                           .regions = used_};
        ++number_;
        if (!before_.empty()) likeness_ = describer_.likeness(before_, number_, signature);
        const auto words = describer_.describe(number_, signature);
        (void)history_.append(number_, shapes_, used_, footprints_);
        return before_ = {words.begin(), words.end()};
    }
    /// Replaces the region by a new one in the same record.
    void renew(std::size_t region) { regions_[region] = {}; }
    /// Whether likeness() said that the operation equals the previous one.
    [[nodiscard]] bool is_as_before() const { return likeness_ == ~std::uint32_t{0}; }
    /// The longest context in which the operation counts as equal to the previous one.
    [[nodiscard]] std::optional<std::uint32_t> likeness() const { return likeness_; }

  private:
    int task_ = 0;
    analysis::FootprintTable footprints_;
    analysis::AccessHistory history_{window};
    Describer describer_{window};
    std::vector<RegionHistory> regions_{8};
    std::vector<RequirementShape> shapes_;
    std::vector<RegionHistory*> used_;
    OperationNumber number_ = 0;
    Words before_;
    std::optional<std::uint32_t> likeness_;
};

TEST(Descriptions, are_equal_for_renamed_regions) {
    Stream stream;
    const Words first = stream.launch({writes(a, {all})});
    const Words second = stream.launch({reads(a, {all}), writes(b, {all})});
    EXPECT_EQ(stream.launch({writes(c, {all})}), first);
    EXPECT_EQ(stream.launch({reads(c, {all}), writes(d, {all})}), second);
}

/// With the distance alone, the reads of the second and the fourth operation would have equal
/// descriptions, and the edge to the writer would be lost.
TEST(Descriptions, name_the_requirement_that_used_the_region_last) {
    Stream stream;
    stream.launch({writes(a, {all}), reads(b, {all})});
    const Words of_the_read = stream.launch({reads(b, {all})});
    stream.launch({writes(c, {all}), reads(d, {all})});
    EXPECT_NE(stream.launch({reads(c, {all})}), of_the_read);
}

TEST(Descriptions, distinguish_a_region_used_within_the_window_from_a_new_one) {
    for (std::uint32_t distance = 1; distance < 2 * window; ++distance) {
        Stream stream;
        stream.launch({writes(a, {all})});
        for (std::uint32_t i = 1; i < distance; ++i) stream.launch({reads(b, {all})});
        const Words old = stream.launch({reads(a, {all})});
        const Words fresh = stream.launch({reads(c, {all})});
        EXPECT_EQ(old == fresh, distance >= window) << distance;
    }
}

TEST(Descriptions, treat_a_reused_region_record_as_a_new_region) {
    Stream stream;
    const Words fresh = stream.launch({writes(a, {all})});
    const Words again = stream.launch({writes(a, {all})});
    EXPECT_NE(again, fresh);
    stream.renew(a);
    EXPECT_EQ(stream.launch({writes(a, {all})}), fresh);
}

TEST(Descriptions, contain_the_subset_of_each_point) {
    Stream stream;
    stream.launch({writes(a, {high, low})});
    const Words same = stream.launch({writes(a, {high, low})});
    EXPECT_EQ(stream.launch({writes(a, {high, low})}), same);
    EXPECT_NE(stream.launch({writes(a, {low, high})}), same);
}

TEST(Descriptions, distinguish_requirements_on_one_region_from_those_on_two) {
    Stream stream;
    const Words shared = stream.launch({updates(a, {low}), reduces(a, {high})});
    EXPECT_NE(stream.launch({updates(b, {low}), reduces(c, {high})}), shared);
    // Likewise if both regions were used before, at the same distance.
    stream.launch({updates(a, {low}), reduces(b, {high})});
    const Words two = stream.launch({updates(a, {low}), reduces(b, {high})});
    EXPECT_NE(stream.launch({updates(a, {low}), reduces(a, {high})}), two);
}

TEST(Descriptions, count_as_equal_in_contexts_that_their_different_links_leave) {
    Stream stream;
    stream.launch({writes(a, {all}), writes(b, {all})});
    stream.launch({reads(c, {all})});
    stream.launch({reads(a, {all})});  // 2 ago
    stream.launch({reads(b, {all})});  // 3 ago
    EXPECT_EQ(stream.likeness(), 2u);
    stream.launch({reads(d, {all})});  // never
    EXPECT_EQ(stream.likeness(), 0u);
    stream.launch({writes(d, {all})});
    EXPECT_EQ(stream.likeness(), std::nullopt) << "another privilege";
    stream.launch({reads(a, {low}), reads(b, {low})});
    stream.launch({reads(a, {low}), reads(a, {low})});
    EXPECT_EQ(stream.likeness(), std::nullopt) << "one region, not two";
}

TEST(Descriptions, distinguish_privileges_and_reduction_operators) {
    Stream stream;
    std::vector<Words> all_words;
    for (std::size_t region = 0;
         const Use& use : {reads(0, {all}), writes(0, {all}), updates(0, {all}),
                           reduces(0, {all}, 1), reduces(0, {all}, 2)}) {
        Use own = use;
        own.region = region++;
        all_words.push_back(stream.launch({own}));
    }
    for (std::size_t i = 0; i < all_words.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(all_words[i], all_words[j]) << i << " " << j;
}

TEST(Descriptions, are_equal_by_likeness_exactly_if_their_words_are) {
    analysis::testing::Random random(3);
    Stream stream;
    Words before;
    int equal = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::vector<Use> uses;
        for (std::size_t count = 1 + random() % 2; count > 0; --count)
            uses.push_back(random() % 2 == 0 ? reads(random() % 2, {all})
                                             : updates(random() % 2, {low}));
        const Words words = stream.launch(uses);
        if (i > 0) {
            EXPECT_EQ(stream.is_as_before(), words == before) << i;
        }
        equal += words == before ? 1 : 0;
        before = words;
    }
    EXPECT_GT(equal, 500);
}

}  // namespace
}  // namespace refrain::trace::description_test
