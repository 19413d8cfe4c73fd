#pragma once

#include "refrain/autotrace.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace refrain::commands {

/// One line of a stream of operations.
struct StreamLine {
    enum class Kind {
        operation,    ///< a token: decimal, or hexadecimal after 0x, up to 128 bits
        untraceable,  ///< !
        wait,         ///< ?
        ignorable     ///< .
    };
    Kind kind;
    autotrace::Token token;
};

/// A line of none of these kinds; the message says where it is and what to write instead.
class MalformedLine : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Reads operations, one per line. Ignores blank lines, lines that begin with #, and white space
/// around an operation. A line is at most `line_letters_max` long, so that memory is bounded whatever the
/// file is.
class OperationReader {
  public:
    static constexpr std::size_t line_letters_max = std::size_t{1} << 20;

    /// `name` is the name of the input in messages; `comment` is called with each line that begins
    /// with #.
    OperationReader(std::istream& input, std::string name,
                    std::function<void(std::string_view)> comment = {})
        : input_(input),
          name_(std::move(name)),
          comment_(std::move(comment)),
          buffer_(std::make_unique_for_overwrite<char[]>(line_letters_max + 2)) {}

    /// Reads the next line; false at the end. Errors: MalformedLine.
    bool next(StreamLine& line);

    [[nodiscard]] std::uint64_t line_number() const { return line_number_; }

  private:
    [[nodiscard]] bool read_line();
    [[noreturn]] void reject(std::string_view text, std::string_view reason) const;
    [[nodiscard]] autotrace::Token parse_token(std::string_view text) const;

    std::istream& input_;
    std::string name_;
    std::function<void(std::string_view)> comment_;
    std::unique_ptr<char[]> buffer_;  // holds the line, a letter too many, and the end
    std::string_view text_;           // the line
    std::uint64_t line_number_ = 0;
};

}  // namespace refrain::commands
