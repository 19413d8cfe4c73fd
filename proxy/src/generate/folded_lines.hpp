#pragma once

#include <string>

namespace refrain::proxy {

/// Statements of C, a line each, of which those that follow each other and differ in numbers only become a loop over a table.
/// Compilers take much longer for thousands of calls than for thousands of numbers.
///
///     MPI_Get(buffer(0), 5, t, 1, 80);          static const struct { long n[2]; } row[] = {
///     MPI_Get(buffer(2), 5, t, 1, 96);              {{0, 80}}, {{2, 96}}, ...};
///     ...                                ->     for (int k = 0; k < 12; k++)
///                                                   MPI_Get(buffer(row[k].n[0]), 5, t, 1, row[k].n[1]);
///
/// What repeats may have several lines, and numbers of seconds, too: row[k].s[0]. What does not repeat stays as it is.
/// Complexity: O(n) for n lines, times the most lines of what repeats
[[nodiscard]] std::string folded_lines(const std::string& text);

}  // namespace refrain::proxy
