#include "linear/multiply.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace refrain::array::linalg::multiply_test {

// OpenBLAS without threads of its own hands out its buffers without a lock: two products that began within the same 100 ns
// shared one, and both results were wrong. Threads start together here, so that a few thousand rounds find it; fewer where two
// threads share a core, whose rounds take as long as everything else that runs there.
TEST(Multiply, of_several_threads_at_once_gives_each_its_own_product) {
    static constexpr std::int64_t n = 300;
    constexpr int rounds_max = 20'000;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    const std::vector<double> matrix(n * n, 1.0);
    const std::vector<double> ones(n, 1.0);
    const std::vector<double> twos(n, 2.0);
    std::atomic<int> waiting = 0;
    std::atomic<int> wrong = 0;
    std::atomic<int> last_round = rounds_max;
    const auto multiply_many = [&](const std::vector<double>& vector) {
        std::vector<double> result(n);
        for (int round = 1; round <= last_round.load(); ++round) {
            // Whoever says so has not come yet: the other ends this round before it looks.
            if (std::chrono::steady_clock::now() > end && round < last_round.load())
                last_round.store(round);
            // seq_cst: nobody begins a round before both have ended the last one.
            waiting.fetch_add(1);
            for (int spins = 0; waiting.load() < 2 * round; ++spins)
                if (spins > 100'000) std::this_thread::yield();
            const auto view = [](const std::vector<double>& of, std::int64_t columns) {
                return MatrixView{reinterpret_cast<std::byte*>(const_cast<double*>(of.data())), n,
                                  columns, columns, 1};
            };
            multiply(DType::float64, view(matrix, n), view(vector, 1), view(result, 1));
            for (const double element : result) wrong += element != vector[0] * n;
        }
    };
    std::thread other(multiply_many, std::cref(twos));
    multiply_many(ones);
    other.join();
    EXPECT_EQ(wrong.load(), 0);
}

}  // namespace refrain::array::linalg::multiply_test
