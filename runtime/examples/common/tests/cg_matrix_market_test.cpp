#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

#include "cg/matrix_market.hpp"
#include "cg/plate.hpp"

namespace cg::cg_matrix_market_test {
namespace {

SparseMatrix read(const std::string& text) {
    std::istringstream in(text);
    return MatrixMarketReader(in, "test.mtx").read();
}

/// The message of the reader; empty if it accepts the text.
std::string complaint(const std::string& text) {
    try {
        static_cast<void>(read(text));
    } catch (const MalformedMatrix& error) {
        return error.what();
    }
    return {};
}

const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
const std::string general = "%%MatrixMarket matrix coordinate real general\n";

TEST(MatrixMarket, a_symmetric_file_is_mirrored) {
    const SparseMatrix m =
        read(symmetric + "% a comment\n\n3 3 4\n3 3 5e0\n1 1 4\n3 1 -1\n2 2 +2\n");
    EXPECT_EQ(m.size, 3);
    EXPECT_EQ(m.row_begin, (std::vector<std::int64_t>{0, 2, 3, 5}));
    EXPECT_EQ(m.columns, (std::vector<std::int64_t>{0, 2, 1, 0, 2}));
    EXPECT_EQ(m.values, (Values{4, -1, 2, -1, 5}));
}

TEST(MatrixMarket, a_general_file_is_read_unchanged) {
    const SparseMatrix m = read(general + "2 2 3\n1 1 1\n2 2 2\n1 2 0.5\n");
    EXPECT_EQ(m.columns, (std::vector<std::int64_t>{0, 1, 1}));
    EXPECT_EQ(m.values, (Values{1, 0.5, 2}));
}

TEST(MatrixMarket, case_blanks_line_ends_and_integers_are_accepted) {
    const SparseMatrix m = read(
        "%%matrixmarket MATRIX Coordinate Integer Symmetric\r\n%\r\n \t2  2\t2 \r\n\r\n1 1 4\r\n"
        "% between\r\n2 2 9");
    EXPECT_EQ(m.values, (Values{4, 9}));
}

TEST(MatrixMarket, a_written_matrix_is_read_back_to_the_bit) {
    const SparseMatrix plate = plate_matrix({.size = 7});
    std::ostringstream out;
    write_matrix_market(out, plate, "a plate");
    const SparseMatrix again = read(out.str());
    EXPECT_EQ(again.row_begin, plate.row_begin);
    EXPECT_EQ(again.columns, plate.columns);
    EXPECT_EQ(again.values, plate.values);
}

TEST(MatrixMarket, a_malformed_header_is_refused) {
    EXPECT_EQ(complaint(""), "test.mtx:1: the file is empty");
    EXPECT_EQ(complaint("3 3 4\n"),
              "test.mtx:1: a Matrix Market file begins with '%%MatrixMarket', not with '3 3 4'");
    EXPECT_EQ(complaint("%%MatrixMarket matrix coordinate real symmetric too\n"),
              "test.mtx:1: more than five words in the header");
}

TEST(MatrixMarket, unsupported_kinds_of_matrices_are_refused_with_the_reason) {
    const auto complaint_about = [](const std::string& kind) {
        return complaint("%%MatrixMarket " + kind + "\n1 1 1\n1 1 1\n");
    };
    EXPECT_EQ(complaint_about("vector coordinate real general"),
              "test.mtx:1: the object in the header is 'vector', expected 'matrix': the object "
              "must be a matrix");
    EXPECT_EQ(complaint_about("matrix array real general"),
              "test.mtx:1: the format in the header is 'array', expected 'coordinate': dense "
              "matrices are not supported");
    for (const std::string field : {"pattern", "complex"})
        EXPECT_EQ(complaint_about("matrix coordinate " + field + " symmetric"),
                  "test.mtx:1: the field in the header is '" + field +
                      "', expected 'real' or 'integer': the elements must be real numbers; a "
                      "pattern has none");
    for (const std::string symmetry : {"skew-symmetric", "hermitian", ""})
        EXPECT_EQ(complaint_about("matrix coordinate real " + symmetry),
                  "test.mtx:1: the symmetry in the header is '" + symmetry +
                      "', expected 'symmetric' or 'general': the method needs a symmetric matrix, "
                      "as its lower triangle or in full");
}

TEST(MatrixMarket, an_invalid_size_is_refused_with_its_line) {
    EXPECT_EQ(complaint(symmetric + "% only\n"), "test.mtx:2: the file ends before the size line");
    EXPECT_EQ(complaint(symmetric + "%\n3 3\n"),
              "test.mtx:3: expected three numbers (rows, columns, elements), found '3 3'");
    EXPECT_EQ(complaint(symmetric + "3 4 3\n"),
              "test.mtx:2: the matrix is not square: 3 rows and 4 columns");
    EXPECT_EQ(complaint(symmetric + "0 0 0\n"),
              "test.mtx:2: a matrix needs at least one row, not 0");
    EXPECT_EQ(
        complaint(symmetric + "9000000000000000000 9000000000000000000 3\n"),
        "test.mtx:2: 3 elements are too few for 9000000000000000000 rows: a positive definite "
        "matrix has its whole diagonal");
}

TEST(MatrixMarket, an_invalid_element_is_refused_with_its_line) {
    const auto complaint_about = [](const std::string& line) {
        return complaint(symmetric + "3 3 3\n1 1 1\n" + line + "\n3 3 1\n");
    };
    EXPECT_EQ(complaint_about("2 4 1"),
              "test.mtx:4: column 4 is not in 1 to 3; indices count from one");
    EXPECT_EQ(complaint_about("0 1 1"),
              "test.mtx:4: row 0 is not in 1 to 3; indices count from one");
    EXPECT_EQ(complaint_about("2.5 1 1"), "test.mtx:4: expected a row, found '2.5'");
    EXPECT_EQ(complaint_about("2"), "test.mtx:4: expected a column, found ''");
    EXPECT_EQ(complaint_about("2 2"), "test.mtx:4: expected a finite number as value, found ''");
    EXPECT_EQ(complaint_about("2 2 1.0D+00"),
              "test.mtx:4: expected a finite number as value, found '1.0D+00'");
    EXPECT_EQ(complaint_about("2 2 nan"),
              "test.mtx:4: expected a finite number as value, found 'nan'");
    EXPECT_EQ(complaint_about("2 2 1e999"),
              "test.mtx:4: expected a finite number as value, found '1e999'");
    EXPECT_EQ(complaint_about("2 2 1 0"), "test.mtx:4: more than row, column and value: '2 2 1 0'");
    EXPECT_EQ(complaint_about("2 3 1"),
              "test.mtx:4: column 3 is above the diagonal in row 2; a symmetric matrix gives the "
              "lower triangle only");
    EXPECT_EQ(complaint_about("1 1 2"),
              "test.mtx:4: the element of row 1 and column 1 is already in line 3");
}

TEST(MatrixMarket, a_wrong_number_of_elements_is_refused) {
    EXPECT_EQ(complaint(symmetric + "2 2 3\n1 1 1\n2 2 1\n"),
              "test.mtx:4: the file ends after 2 of 3 elements");
    EXPECT_EQ(complaint(symmetric + "2 2 2\n1 1 1\n2 2 1\n2 1 1\n"),
              "test.mtx:5: more elements than the 2 announced");
}

TEST(MatrixMarket, a_missing_file_is_an_error) {
    EXPECT_THROW(static_cast<void>(read_matrix_market("no/such/file.mtx")), MalformedMatrix);
}

}  // namespace
}  // namespace cg::cg_matrix_market_test
