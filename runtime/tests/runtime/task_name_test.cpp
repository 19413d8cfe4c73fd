#include "runtime/harness.hpp"

#include <string>

namespace refrain::task_name_test {
namespace {

class TaskNames : public ::testing::TestWithParam<Serving> {};
INSTANTIATE_TEST_SUITE_P(, TaskNames, every_serving, serving_name);

/// The text is gone when the task runs, and when its failure is told.
TEST_P(TaskNames, may_be_made_at_run_time) {
    Runtime runtime(options_for(GetParam()));
    const auto x = runtime.create_region<int>(extents(64), std::string("x") + "y");
    EXPECT_EQ(x.name(), "region0 'xy'");
    runtime.fill(x, 0);
    const auto each = tiles(x.bounds(), 64);
    const auto change = [](View<int, 1> v) {
        if (++v[v.domain().lo] == 5) throw std::runtime_error("five");
    };
    for (int turn = 0; turn < 5; ++turn)
        for (int i = 0; i < 64; ++i)
            runtime.launch(("tile " + std::to_string(i)).c_str(), change,
                           read_write(x, each, Point<1>(i)));
    expect_phrases(error_text<TaskError>([&] {
                       runtime.launch(
                           std::string("look"), [](View<const int, 1>) {},
                           read(x, each, Point<1>(33)));
                       static_cast<void>(runtime.read(x));
                   }),
                   "task 'tile ", "' (task_name_test.cpp:", "failed: five");
    runtime.launch(std::string_view("views").substr(0, 4), extents(2), [](Point<1>) {});
    runtime.fence(std::string("fence ") + std::to_string(1));
    EXPECT_THROW(runtime.wait_all(), TaskError);
}

}  // namespace
}  // namespace refrain::task_name_test
