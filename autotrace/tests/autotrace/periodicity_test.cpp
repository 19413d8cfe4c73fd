#include "autotrace/periodicity.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace refrain::autotrace::periodicity_test {
namespace {

using strings::Symbol;

/// All strings of the length over an alphabet of `alphabet` symbols.
void for_each_string(std::size_t length, Symbol alphabet,
                     const std::function<void(const std::vector<Symbol>&)>& use) {
    std::vector<Symbol> string(length, 0);
    for (;;) {
        use(string);
        std::size_t at = 0;
        while (at < length && ++string[at] == alphabet) string[at++] = 0;
        if (at == length) return;
    }
}

std::size_t plain_period(const std::vector<Symbol>& string) {
    for (std::size_t period = 1;; ++period) {
        bool holds = true;
        for (std::size_t i = period; i < string.size(); ++i) {
            holds &= string[i] == string[i - period];
        }
        if (holds) return period;
    }
}

std::vector<Symbol> rotated(const std::vector<Symbol>& string, std::size_t by) {
    std::vector<Symbol> result(string);
    std::rotate(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(by), result.end());
    return result;
}

TEST(Periodicity, smallest_period_agrees_with_an_exhaustive_search) {
    std::vector<std::uint32_t> borders;
    for (std::size_t length = 1; length <= 9; ++length) {
        for_each_string(length, 3, [&](const std::vector<Symbol>& string) {
            ASSERT_EQ(smallest_period(string, borders), plain_period(string));
        });
    }
}

TEST(Periodicity, least_rotation_agrees_with_an_exhaustive_search) {
    for (std::size_t length = 1; length <= 9; ++length) {
        for_each_string(length, 3, [&](const std::vector<Symbol>& string) {
            std::vector<Symbol> least = string;
            for (std::size_t by = 1; by < length; ++by)
                least = std::min(least, rotated(string, by));
            const std::size_t found = least_rotation(
                length, [&](std::size_t i) { return string[i]; }, std::less<>{});
            ASSERT_LT(found, length);
            ASSERT_EQ(rotated(string, found), least);
        });
    }
}

}  // namespace
}  // namespace refrain::autotrace::periodicity_test
