#include "base/assertion.hpp"

#include <gtest/gtest.h>
#include <string>

namespace refrain::base::assertion_test {
namespace {

void need_order(int begin, int end) {
    REFRAIN_ASSERT(begin <= end, "a slice ends before it begins");
}

class ThrowingAssertions : public ::testing::Test {
  protected:
    ThrowingAssertions() { throw_on_internal_failure = true; }
    ~ThrowingAssertions() override { throw_on_internal_failure = false; }
};

TEST_F(ThrowingAssertions, a_true_fact_passes_and_a_false_one_throws) {
    EXPECT_NO_THROW(need_order(1, 2));
    EXPECT_THROW(need_order(2, 1), InternalError);
}

TEST_F(ThrowingAssertions, the_message_names_the_fact_its_meaning_and_the_place) {
    try {
        need_order(2, 1);
        FAIL() << "no exception";
    } catch (const InternalError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("a slice ends before it begins"), std::string::npos) << text;
        EXPECT_NE(text.find("begin <= end"), std::string::npos) << text;
        EXPECT_NE(text.find("assertion_test.cpp:"), std::string::npos) << text;
    }
}

TEST(AssertionDeathTest, a_false_fact_aborts_with_the_message_by_default) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_DEATH(need_order(2, 1), "internal failure: a slice ends before it begins");
}

}  // namespace
}  // namespace refrain::base::assertion_test
