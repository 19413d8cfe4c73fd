/// Reads matrices in the Matrix Market exchange format (R. F. Boisvert, R. Pozo and K. A.
/// Remington, NISTIR 5935, 1996):
///
///     %%MatrixMarket matrix coordinate real symmetric
///     % comments
///     3 3 4                   rows, columns, number of elements
///     1 1 4                   row, column, value; indices count from one
///     2 2 4
///     3 1 -1                  a symmetric matrix: lower triangle only
///     3 3 4
///
/// Reads square matrices in coordinate format, real or integer, symmetric or general. Refuses
/// everything else with the line number and the reason.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <istream>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "cg/sparse_matrix.hpp"
#include "common/number_text.hpp"

namespace cg {

/// A malformed file, with its line: "plate.mtx:17: row 5 is not in 1 to 4; ..."
class MalformedMatrix : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

namespace detail {

/// Splits a line into words.
class Words {
  public:
    explicit Words(std::string_view line) : rest_(line) {}

    /// The next word, empty at the end of the line.
    [[nodiscard]] std::string_view next() {
        constexpr std::string_view blanks = " \t\r";
        rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
        const std::string_view word = rest_.substr(0, rest_.find_first_of(blanks));
        rest_.remove_prefix(word.size());
        return word;
    }

  private:
    std::string_view rest_;
};

/// Parses all of `word` as a number into `value`; false if it is not one.
template <class Number>
[[nodiscard]] bool read_number(std::string_view word, Number& value) {
    if (word.size() > 1 && word.front() == '+' && word[1] != '-') word.remove_prefix(1);
    const char* const end = word.data() + word.size();
    const auto [stopped, error] = std::from_chars(word.data(), end, value);
    return !word.empty() && error == std::errc() && stopped == end;
}

[[nodiscard]] inline std::string lower_case(std::string_view word) {
    std::string lower(word);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

}  // namespace detail

class MatrixMarketReader {
  public:
    /// `name` appears in messages.
    MatrixMarketReader(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {}

    /// Errors: MalformedMatrix.
    [[nodiscard]] SparseMatrix read() {
        read_header();
        read_size();
        for (std::int64_t k = 0; k < element_count_; ++k) read_element(k);
        if (next_line()) refuse("more elements than the " + count_text() + " announced");
        refuse_duplicates();
        if (symmetric_) mirror();
        std::vector<Element> elements;
        elements.reserve(elements_.size());
        for (const Placed& placed : elements_) elements.push_back(placed.element);
        return compress(size_, std::move(elements));
    }

  private:
    struct Placed {
        Element element;
        std::int64_t line;
    };

    [[noreturn]] void refuse(const std::string& reason) const { refuse_line(line_, reason); }
    [[noreturn]] void refuse_line(std::int64_t line, const std::string& reason) const {
        throw MalformedMatrix(name_ + ":" + std::to_string(line) + ": " + reason);
    }
    [[nodiscard]] std::string count_text() const { return std::to_string(element_count_); }

    [[nodiscard]] bool next_raw_line() {
        if (!std::getline(in_, text_)) return false;
        ++line_;
        return true;
    }
    /// The next line that is neither empty nor a comment.
    [[nodiscard]] bool next_line() {
        while (next_raw_line())
            if (text_.find_first_not_of(" \t\r") != std::string::npos && text_.front() != '%')
                return true;
        return false;
    }

    void read_header() {
        if (!next_raw_line()) refuse_line(1, "the file is empty");
        detail::Words words(text_);
        if (detail::lower_case(words.next()) != "%%matrixmarket")
            refuse("a Matrix Market file begins with '%%MatrixMarket', not with '" +
                   text_.substr(0, 20) + "'");
        expect_word(words, "object", {"matrix"}, "the object must be a matrix");
        expect_word(words, "format", {"coordinate"}, "dense matrices are not supported");
        expect_word(words, "field", {"real", "integer"},
                    "the elements must be real numbers; a pattern has none");
        const std::string symmetry =
            expect_word(words, "symmetry", {"symmetric", "general"},
                        "the method needs a symmetric matrix, as its lower triangle or in full");
        symmetric_ = symmetry == "symmetric";
        if (!words.next().empty()) refuse("more than five words in the header");
    }

    std::string expect_word(detail::Words& words, const char* what,
                            const std::vector<std::string>& taken, const char* reason) const {
        std::string word = detail::lower_case(words.next());
        if (std::find(taken.begin(), taken.end(), word) != taken.end()) return word;
        std::string choice = "'" + taken.front() + "'";
        if (taken.size() > 1) choice.append(" or '").append(taken[1]).append("'");
        refuse("the " + std::string(what) + " in the header is '" + word + "', expected " + choice +
               ": " + reason);
    }

    void read_size() {
        if (!next_line()) refuse("the file ends before the size line");
        detail::Words words(text_);
        std::int64_t columns = 0;
        if (!detail::read_number(words.next(), size_) ||
            !detail::read_number(words.next(), columns) ||
            !detail::read_number(words.next(), element_count_) || !words.next().empty())
            refuse("expected three numbers (rows, columns, elements), found '" + text_ + "'");
        if (size_ != columns)
            refuse("the matrix is not square: " + std::to_string(size_) + " rows and " +
                   std::to_string(columns) + " columns");
        if (size_ < 1) refuse("a matrix needs at least one row, not " + std::to_string(size_));
        if (element_count_ < size_)
            refuse(count_text() + " elements are too few for " + std::to_string(size_) +
                   " rows: a positive definite matrix has its whole diagonal");
    }

    void read_element(std::int64_t already) {
        if (!next_line())
            refuse("the file ends after " + std::to_string(already) + " of " + count_text() +
                   " elements");
        detail::Words words(text_);
        Element element;
        element.row = read_index(words.next(), "row");
        element.column = read_index(words.next(), "column");
        const std::string_view value = words.next();
        if (!detail::read_number(value, element.value) || !std::isfinite(element.value))
            refuse("expected a finite number as value, found '" + std::string(value) + "'");
        if (!words.next().empty()) refuse("more than row, column and value: '" + text_ + "'");
        if (symmetric_ && element.column > element.row)
            refuse("column " + std::to_string(element.column + 1) +
                   " is above the diagonal in row " + std::to_string(element.row + 1) +
                   "; a symmetric matrix gives the lower triangle only");
        elements_.push_back({element, line_});
    }

    [[nodiscard]] std::int64_t read_index(std::string_view word, const char* what) const {
        std::int64_t index = 0;
        if (!detail::read_number(word, index))
            refuse("expected a " + std::string(what) + ", found '" + std::string(word) + "'");
        if (index < 1 || index > size_)
            refuse(std::string(what) + " " + std::to_string(index) + " is not in 1 to " +
                   std::to_string(size_) + "; indices count from one");
        return index - 1;
    }

    void refuse_duplicates() {
        std::sort(elements_.begin(), elements_.end(), [](const Placed& a, const Placed& b) {
            return std::tie(a.element.row, a.element.column, a.line) <
                   std::tie(b.element.row, b.element.column, b.line);
        });
        for (std::size_t i = 1; i < elements_.size(); ++i) {
            const Element& a = elements_[i - 1].element;
            const Element& b = elements_[i].element;
            if (a.row == b.row && a.column == b.column)
                refuse_line(elements_[i].line, "the element of row " + std::to_string(b.row + 1) +
                                                   " and column " + std::to_string(b.column + 1) +
                                                   " is already in line " +
                                                   std::to_string(elements_[i - 1].line));
        }
    }

    void mirror() {
        const std::size_t lower = elements_.size();
        for (std::size_t i = 0; i < lower; ++i) {
            const Placed placed = elements_[i];
            const Element& e = placed.element;
            if (e.row != e.column) elements_.push_back({{e.column, e.row, e.value}, placed.line});
        }
    }

    std::istream& in_;
    std::string name_;
    std::string text_;
    std::int64_t line_ = 0;
    bool symmetric_ = false;
    std::int64_t size_ = 0;
    std::int64_t element_count_ = 0;  // as announced
    std::vector<Placed> elements_;
};

/// Errors: MalformedMatrix, also if the file cannot be opened.
[[nodiscard]] inline SparseMatrix read_matrix_market(const std::string& path) {
    std::ifstream file(path);
    if (!file)
        throw MalformedMatrix("cannot open " + path + "; does it exist, and is it readable?");
    return MatrixMarketReader(file, path).read();
}

/// Writes the lower triangle of a symmetric matrix; reading it back gives the same bits.
inline void write_matrix_market(std::ostream& out, const SparseMatrix& matrix,
                                const std::string& comment) {
    std::int64_t lower = 0;
    for (std::int64_t row = 0; row < matrix.size; ++row)
        for (std::int64_t e = matrix.begin(row); e < matrix.end(row); ++e)
            if (matrix.columns[static_cast<std::size_t>(e)] <= row) ++lower;
    out << "%%MatrixMarket matrix coordinate real symmetric\n% " << comment << '\n'
        << matrix.size << ' ' << matrix.size << ' ' << lower << '\n';
    for (std::int64_t row = 0; row < matrix.size; ++row)
        for (std::int64_t e = matrix.begin(row); e < matrix.end(row); ++e) {
            const std::int64_t column = matrix.columns[static_cast<std::size_t>(e)];
            if (column > row) continue;
            out << row + 1 << ' ' << column + 1 << ' '
                << example::number_text(matrix.values[static_cast<std::size_t>(e)]) << '\n';
        }
}

}  // namespace cg
