#include "trace/rehearsal.hpp"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace refrain::trace::rehearsal_test {
namespace {

using analysis::FootprintId;

constexpr std::uint32_t window = 16;
using Words = std::vector<std::uint64_t>;

/// Launches over regions, some used twice by one operation, some not for long; and what a Describer
/// says of them.
class Program {
  public:
    explicit Program(std::uint64_t seed) : random_(seed), regions_(6) {}

    Words launch() {
        const std::size_t count = random_() % 4;
        shapes_.clear();
        used_.clear();
        for (std::size_t i = 0; i < count; ++i) {
            used_.push_back(&regions_[random_() % regions_.size()]);
            shapes_.emplace_back(FootprintId{static_cast<std::uint32_t>(1 + random_() % 3)},
                                 Privilege::read);
        }
        if (random_() % 10 == 0) regions_[random_() % regions_.size()] = {};  // a fresh one
        const OperationSignature signature{&tasks[random_() % 2], nullptr, 1, shapes_, used_};
        const auto words = describer_.describe(++number_, signature);
        for (std::uint32_t i = 0; i < count; ++i) used_[i]->last = {number_, i};
        return {words.begin(), words.end()};
    }
    void launch_unseen() { static_cast<void>(launch()); }

    static constexpr int tasks[2] = {};

  private:
    std::mt19937_64 random_;
    std::vector<RegionHistory> regions_;
    std::vector<RequirementShape> shapes_;
    std::vector<RegionHistory*> used_;
    Describer describer_{window};
    OperationNumber number_ = 0;
};

SavedHistory::Operation saved(const Words& words) {
    SavedHistory::Operation operation;
    operation.task = Describer::task_in(words) == &Program::tasks[0] ? 0 : 1;
    operation.points = Describer::points_in(words);
    for (std::size_t i = 0; i < Describer::requirements_in(words); ++i) {
        const RequirementShape shape = Describer::shape_in(words, i);
        operation.requirements.push_back({static_cast<std::uint32_t>(shape.footprint),
                                          shape.privilege, shape.reduction,
                                          Describer::link_in(words, i)});
    }
    return operation;
}

TEST(Rehearsal, describes_what_was_launched_in_the_words_of_then) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Program program(seed);
        SavedHistory history;
        std::vector<Words> described;
        for (std::uint32_t i = 0; i < 60; ++i) {
            if (i % 20 == 10) {
                program.launch_unseen();
                history.sequence.push_back(SavedHistory::gap);
            }
            described.push_back(program.launch());
            history.operations.push_back(saved(described.back()));
            history.sequence.push_back(i);
        }
        Rehearsal rehearsal(history, {&Program::tasks[0], &Program::tasks[1]},
                            {FootprintId{0}, FootprintId{1}, FootprintId{2}, FootprintId{3}},
                            window);
        Describer describer(window);
        for (const std::uint32_t operation : history.sequence) {
            if (operation == SavedHistory::gap) {
                rehearsal.gap();
                continue;
            }
            const OperationNumber number = rehearsal.number();
            const auto words = describer.describe(number, rehearsal.launch(operation));
            ASSERT_EQ(Words(words.begin(), words.end()), described[operation]) << "seed " << seed;
        }
    }
}

TEST(Rehearsal, takes_what_is_a_window_ago_for_new) {
    SavedHistory history;
    history.operations = {{0, 1, {{0, Privilege::read, 0, (std::uint64_t{window} + 1) << 16}}}};
    history.sequence = {0};
    Rehearsal rehearsal(history, {nullptr}, {FootprintId{1}}, window);
    Describer describer(window);
    const OperationNumber number = rehearsal.number();
    const auto words = describer.describe(number, rehearsal.launch(0));
    EXPECT_EQ(Describer::link_in(words, 0), Describer::old_or_new);
}

TEST(Rehearsal, leaves_a_window_out_where_something_is_not_known) {
    const SavedHistory history;
    Rehearsal rehearsal(history, {}, {}, window);
    const OperationNumber first = rehearsal.number();
    EXPECT_GT(first, window) << "before the first one, too";
    EXPECT_EQ(rehearsal.gap(), first + window);
    EXPECT_EQ(rehearsal.number(), first + window);
}

}  // namespace
}  // namespace refrain::trace::rehearsal_test
