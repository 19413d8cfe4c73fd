#include "refrain/array/random.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace refrain::array::generator_test {

using Integers = std::vector<std::int64_t>;

/// What numpy.random.Generator(PCG64(seed)), or Philox, gives in this order.
struct Stream {
    BitGenerator bits;
    std::uint64_t seed;
    std::vector<double> random;  // 3
    Integers dice;               // integers(0, 6, 5)
    Integers all;                // integers(-2**63, 2**63 - 1, 2)
    Integers wide;               // integers(-5, 2**40, 3)
    Integers half;               // integers(0, 2**32, 1)
    Integers more_dice;          // integers(0, 6, 2), after integers(4, 5, 2)
    double middle;               // uniform(-1, 1, 400001)[200000]
    double last;                 // uniform(-1, 1, 400001)[400000]
    Integers after;              // integers(0, 100, 2)
    std::int64_t sum;            // of a new generator's integers(0, 3 * 2**30, 1000)
    std::int64_t exclusive_or;   // of a new generator's integers(0, 3 * 2**61, 1000)
};

const Stream streams[] = {
    {BitGenerator::pcg64,
     7,
     {0x1.400c8353e3ca9p-1, 0x1.cb5f9b795e4cdp-1, 0x1.8d26acbf2815fp-1},
     {5, 1, 0, 1, 1},
     {-9126244311063483281, 5925618423109387996},
     {876387105056, 514499921691, 333187676877},
     {3751883479},
     {2, 1},
     -0x1.1df6678be3614p-1,
     -0x1.5761764a365a4p-1,
     {77, 26},
     1648879917846,
     7721337235645387387},
    {BitGenerator::pcg64,
     1099511627779,
     {0x1.8c1ca67f77610p-1, 0x1.fde104bee3accp-1, 0x1.e489036d85c6ap-2},
     {2, 0, 4, 1, 0},
     {3055632895375956787, 1132726490032657517},
     {170209652442, 698590160476, 239238075327},
     {2429858947},
     {0, 5},
     -0x1.d97e7193f3438p-3,
     0x1.7ad03b610e010p-2,
     {26, 98},
     1605706512242,
     8347988906053083673},
    {BitGenerator::philox,
     7,
     {0x1.e011b0f91315ep-2, 0x1.b45f92f7e53e2p-2, 0x1.73b1799881d06p-2},
     {4, 1, 1, 0, 5},
     {-3638387528347428657, 8964197277751656485},
     {110735477725, 835858613444, 882143949199},
     {2198965064},
     {0, 3},
     -0x1.8f6c502c66b7ap-1,
     -0x1.f9f9bd649f908p-1,
     {53, 38},
     1594844005885,
     15062851500887211},
    {BitGenerator::philox,
     1099511627779,
     {0x1.88f665584b9d0p-5, 0x1.d5068926f3320p-4, 0x1.d08ae144d8216p-2},
     {5, 5, 2, 1, 0},
     {-8375178108225631677, -8085714478468734755},
     {345170673092, 949673284190, 148307094361},
     {34042563},
     {5, 1},
     0x1.5cb0e848beda0p-4,
     -0x1.558e2a0cac580p-7,
     {84, 79},
     1613658100786,
     1418173757927689453},
};

class Random : public testing::TestWithParam<std::int64_t> {
  protected:
    Random() : machine(options(), {.at_once_bytes = GetParam()}) {}
    static Options options() {
        Options made;
        made.workers = 3;
        made.observe.log = LogLevel::off;
        return made;
    }
    template <class T>
    std::vector<T> values(const Array& array) {
        std::vector<T> result(static_cast<std::size_t>(array.size()));
        machine.copy_to(array, result.data());
        return result;
    }
    Machine machine;
};
INSTANTIATE_TEST_SUITE_P(AtOnceOrByTasks, Random, testing::Values(0, 256 << 10));

TEST_P(Random, streams_are_numpys_whatever_is_drawn) {
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    for (const Stream& stream : streams) {
        SCOPED_TRACE(stream.seed);
        Generator generator(machine, stream.seed, stream.bits);
        // All draws are made before one is read: they may be pending.
        const Array random = generator.random({3, 1});
        EXPECT_EQ(random.shape(), Extents({3, 1}));
        const Array dice = generator.integers(0, 6, {5});
        const Array all = generator.integers(least, most, {2});
        const Array wide = generator.integers(-5, std::int64_t{1} << 40, {3});
        const Array half = generator.integers(0, std::int64_t{1} << 32, {1});
        const Array fours = generator.integers(4, 5, {2});
        const Array more_dice = generator.integers(0, 6, {2});
        const Array large = generator.uniform(-1, 1, {400'001});
        const Array after = generator.integers(0, 100, {2});
        EXPECT_EQ(values<double>(random), stream.random);
        EXPECT_EQ(values<std::int64_t>(dice), stream.dice);
        EXPECT_EQ(values<std::int64_t>(all), stream.all);
        EXPECT_EQ(values<std::int64_t>(wide), stream.wide);
        EXPECT_EQ(values<std::int64_t>(half), stream.half);
        EXPECT_EQ(values<std::int64_t>(fours), Integers({4, 4}));
        EXPECT_EQ(values<std::int64_t>(more_dice), stream.more_dice);
        const std::vector<double> uniform = values<double>(large);
        EXPECT_EQ(uniform[200'000], stream.middle);
        EXPECT_EQ(uniform[400'000], stream.last);
        EXPECT_EQ(values<std::int64_t>(after), stream.after);
    }
}

TEST_P(Random, integers_that_would_be_favoured_are_drawn_again) {
    for (const Stream& stream : streams) {
        Generator small(machine, stream.seed, stream.bits);
        std::int64_t sum = 0;
        for (const std::int64_t number :
             values<std::int64_t>(small.integers(0, std::int64_t{3} << 30, {1000})))
            sum += number;
        EXPECT_EQ(sum, stream.sum);
        Generator large(machine, stream.seed, stream.bits);
        std::int64_t exclusive_or = 0;
        for (const std::int64_t number :
             values<std::int64_t>(large.integers(0, std::int64_t{3} << 61, {1000})))
            exclusive_or ^= number;
        EXPECT_EQ(exclusive_or, stream.exclusive_or);
    }
}

TEST_P(Random, bad_arguments_are_named_and_draw_nothing) {
    Generator generator(machine, 7);
    const auto words_of = [](auto&& call) -> std::string {
        try {
            static_cast<void>(call());
        } catch (const ArrayError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(words_of([&] { return generator.integers(5, 5, {2}); }),
              "integers: low is 5, but high 5, and only numbers below high are drawn");
    EXPECT_NE(words_of([&] { return generator.uniform(2, 1, {2}); }).find("exchange them"),
              std::string::npos);
    EXPECT_NE(words_of([&] { return generator.uniform(-1e308, 1e308, {2}); }).find("not finite"),
              std::string::npos);
    EXPECT_EQ(words_of([&] {
                  return generator.random({2, -1});
              }),
              "negative dimensions are not allowed: (2,-1)");
    EXPECT_NE(words_of([&] {
                  return generator.random({Extent{1} << 40, Extent{1} << 40});
              }).find("than can be counted"),
              std::string::npos);
    EXPECT_EQ(generator.random({0, 3}).size(), 0);
    EXPECT_EQ(values<double>(generator.random({3})), streams[0].random);
}

}  // namespace refrain::array::generator_test
