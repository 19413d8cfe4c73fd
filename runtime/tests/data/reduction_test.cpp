#include "refrain/reduction.hpp"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace refrain::reduction_test {
namespace {

struct Segment {
    std::int64_t begin, length;
    friend bool operator==(const Segment&, const Segment&) = default;
};

/// The example of the header.
struct Longest {
    static Segment identity() { return {0, 0}; }
    static void fold(Segment& into, const Segment& value) {
        if (value.length > into.length) into = value;
    }
};

struct NoIdentity {
    static void fold(int& into, const int& value) { into += value; }
};
struct IdentityOfAnotherType {
    static float identity() { return 0; }
    static void fold(int& into, const int& value) { into += value; }
};
struct NoFold {
    static int identity() { return 0; }
};
template <int N>
struct Every {
    static int identity() { return 0; }
    static void fold(int& into, const int& value) { into += N * value; }
};

static_assert(ReductionOperator<Sum, double> && ReductionOperator<Product, std::uint8_t>);
static_assert(ReductionOperator<Longest, Segment> && !ReductionOperator<Longest, int>);
static_assert(!ReductionOperator<NoIdentity, int> && !ReductionOperator<NoFold, int>);
static_assert(!ReductionOperator<IdentityOfAnotherType, int>);
static_assert(!ReductionOperator<BitAnd, double>, "bit operators are for integers");
static_assert(!ReductionOperator<Minimum, Segment>, "a segment has no maximum");
static_assert(!ReductionOperator<Sum, std::string>, "elements are copied as bytes");
static_assert(identity_of<Minimum, std::int16_t>() == std::numeric_limits<std::int16_t>::max());
static_assert(identity_of<Maximum, unsigned>() == 0);
static_assert(identity_of<BitAnd, bool>() && !identity_of<BitOr, bool>());

template <class T, class F>
void expect_operator(const data::ReductionFunctions& functions, const F& expected) {
    std::mt19937_64 random(5);
    std::vector<T> a(67), b(67), into(67);
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = static_cast<T>(random() % 201);
        b[i] = static_cast<T>(random() % 201);
    }
    functions.initialise(into.data(), into.size());
    functions.fold(into.data(), a.data(), a.size());
    EXPECT_EQ(into, a) << functions.name << ": folding into the identity returns the value";
    functions.fold(into.data(), b.data(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        const T value = static_cast<T>(expected(a[i], b[i]));
        ASSERT_EQ(into[i], value) << functions.name << ' ' << +a[i] << ' ' << +b[i];
    }
}

template <class T>
void expect_arithmetic() {
    using namespace data;
    expect_operator<T>(reduction_functions<Sum, T>(), [](T a, T b) { return a + b; });
    expect_operator<T>(reduction_functions<Product, T>(), [](T a, T b) { return a * b; });
    expect_operator<T>(reduction_functions<Minimum, T>(), [](T a, T b) { return std::min(a, b); });
    expect_operator<T>(reduction_functions<Maximum, T>(), [](T a, T b) { return std::max(a, b); });
}

template <class T>
void expect_bits() {
    using namespace data;
    expect_operator<T>(reduction_functions<BitAnd, T>(), [](T a, T b) { return a & b; });
    expect_operator<T>(reduction_functions<BitOr, T>(), [](T a, T b) { return a | b; });
    expect_operator<T>(reduction_functions<BitXor, T>(), [](T a, T b) { return a ^ b; });
}

TEST(Reduction, operators_on_arrays_apply_to_every_element) {
    expect_arithmetic<double>();
    expect_arithmetic<float>();
    expect_arithmetic<std::int64_t>();
    expect_arithmetic<std::uint8_t>();
    expect_arithmetic<short>();
    expect_bits<std::uint64_t>();
    expect_bits<std::int8_t>();
}

TEST(Reduction, identities_change_no_number) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ((identity_of<Minimum, double>()), infinity);
    EXPECT_EQ((identity_of<Maximum, float>()), -std::numeric_limits<float>::infinity());
    double least = identity_of<Maximum, double>();
    Maximum::fold(least, std::numeric_limits<double>::lowest());
    EXPECT_EQ(least, std::numeric_limits<double>::lowest());
}

TEST(Reduction, minimum_and_maximum_ignore_nans) {
    double value = 3;
    double propagated = 2;
    PropagatingMinimum::fold(propagated, 1.0);
    EXPECT_EQ(propagated, 1);
    PropagatingMinimum::fold(propagated, std::nan(""));
    PropagatingMinimum::fold(propagated, 0.0);
    EXPECT_TRUE(std::isnan(propagated));
    propagated = 2;
    PropagatingMaximum::fold(propagated, 3.0);
    EXPECT_EQ(propagated, 3);
    PropagatingMaximum::fold(propagated, std::nan(""));
    PropagatingMaximum::fold(propagated, 4.0);
    EXPECT_TRUE(std::isnan(propagated));
    EXPECT_EQ((identity_of<PropagatingMaximum, int>()), std::numeric_limits<int>::lowest());
    Minimum::fold(value, std::nan(""));
    Maximum::fold(value, std::nan(""));
    EXPECT_EQ(value, 3);
}

TEST(Reduction, user_defined_operators_work_like_the_built_in_ones) {
    const data::ReductionFunctions& longest = data::reduction_functions<Longest, Segment>();
    std::vector<Segment> into(2, Segment{9, 9});
    longest.initialise(into.data(), 2);
    EXPECT_EQ(into[1], (Segment{0, 0}));
    const std::vector<Segment> from{{1, 5}, {2, 0}};
    longest.fold(into.data(), from.data(), 2);
    EXPECT_EQ(into[0], (Segment{1, 5}));
    EXPECT_EQ(into[1], (Segment{0, 0}));
    EXPECT_EQ(longest.element_bytes, sizeof(Segment));
}

TEST(Reduction, the_address_of_its_functions_identifies_an_operator_on_a_type) {
    using data::reduction_functions;
    const auto* sum = &reduction_functions<Sum, double>();
    EXPECT_EQ(sum, (&reduction_functions<Sum, double>()));
    EXPECT_NE(sum, (&reduction_functions<Product, double>()));
    EXPECT_NE(sum, (&reduction_functions<Sum, float>()));
}

TEST(Reduction, operators_are_named_as_in_the_source) {
    EXPECT_STREQ((data::reduction_functions<Sum, int>().name), "Sum");
    EXPECT_STREQ((data::reduction_functions<Longest, Segment>().name), "Longest");
    EXPECT_STREQ((data::reduction_functions<Every<3>, int>().name), "Every<3>");
}

}  // namespace
}  // namespace refrain::reduction_test
