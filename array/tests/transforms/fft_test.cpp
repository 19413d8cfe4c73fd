#include "refrain/array/fft.hpp"

#include <cmath>
#include <complex>
#include <gtest/gtest.h>
#include <vector>

namespace refrain::array::fft_test {

using Complex = std::complex<double>;

class Fft : public testing::Test {
  protected:
    Fft() : machine(options()) {}
    static Options options() {
        Options made;
        made.workers = 1;
        made.observe.log = LogLevel::off;
        return made;
    }
    Array row(const std::vector<Complex>& numbers) {
        return machine.copy_of(numbers.data(),
                               Layout::row_major({static_cast<Extent>(numbers.size())}),
                               DType::complex128);
    }
    std::vector<Complex> values(const Array& array) {
        std::vector<Complex> result(static_cast<std::size_t>(array.size()));
        machine.copy_to(array, result.data());
        return result;
    }
    Machine machine;
};

TEST_F(Fft, transforms_of_any_length_are_the_sums_that_define_them) {
    const double circle = 2 * std::acos(-1.0);
    for (const int n : {1, 2, 5, 8, 13, 17, 30, 34, 97}) {
        std::vector<Complex> numbers;
        for (int k = 0; k < n; ++k) numbers.emplace_back(k % 5 - 1.5, k % 3);
        const std::vector<Complex> got =
            values(fft::transform(fft::Kind::complex, row(numbers), true, 0.5));
        for (int j = 0; j < n; ++j) {
            Complex sum = 0;
            for (int k = 0; k < n; ++k)
                sum += numbers[static_cast<std::size_t>(k)] *
                       std::polar(0.5, -circle * (j * k % n) / n);
            EXPECT_NEAR(std::abs(got[static_cast<std::size_t>(j)] - sum), 0, 1e-12)
                << n << " " << j;
        }
    }
}

TEST_F(Fft, other_types_and_empty_rows_are_refused) {
    EXPECT_THROW(static_cast<void>(fft::transform(fft::Kind::real, row({1.0}), true, 1)),
                 ArrayError);
    EXPECT_THROW(static_cast<void>(fft::transform(fft::Kind::complex, row({}), true, 1)),
                 ArrayError);
}

}  // namespace refrain::array::fft_test
