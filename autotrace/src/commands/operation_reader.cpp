#include "commands/operation_reader.hpp"

#include "base/text.hpp"

#include <string>

namespace refrain::commands {
namespace {

__extension__ using Wide = unsigned __int128;

/// The value of a hexadecimal digit; 16 for other characters.
unsigned digit_value(char digit) {
    if (digit >= '0' && digit <= '9') return static_cast<unsigned>(digit - '0');
    if (digit >= 'a' && digit <= 'f') return static_cast<unsigned>(digit - 'a' + 10);
    if (digit >= 'A' && digit <= 'F') return static_cast<unsigned>(digit - 'A' + 10);
    return 16;
}

}  // namespace

bool OperationReader::next(StreamLine& line) {
    while (read_line()) {
        const std::string_view text = base::trimmed(text_);
        if (comment_ && text.starts_with('#')) comment_(text);
        if (text.empty() || text.front() == '#') continue;
        using Kind = StreamLine::Kind;
        if (text == "!") {
            line = {Kind::untraceable, {}};
        } else if (text == "?") {
            line = {Kind::wait, {}};
        } else if (text == ".") {
            line = {Kind::ignorable, {}};
        } else {
            line = {Kind::operation, parse_token(text)};
        }
        return true;
    }
    return false;
}

/// False at the end.
bool OperationReader::read_line() {
    input_.getline(buffer_.get(), line_letters_max + 2);
    if (input_.bad()) throw std::runtime_error("reading " + name_ + " failed");
    auto letters = static_cast<std::size_t>(input_.gcount());
    if (letters == 0) return false;
    ++line_number_;
    const bool has_end = input_.good();  // which is counted
    letters -= has_end ? 1 : 0;
    if (letters > line_letters_max)
        throw MalformedLine(name_ + ":" + std::to_string(line_number_) +
                            ": the line has more than " + std::to_string(line_letters_max) +
                            " letters; name a file with one operation per line");
    text_ = {buffer_.get(), letters};
    return true;
}

autotrace::Token OperationReader::parse_token(std::string_view text) const {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    const unsigned base = hexadecimal ? 16 : 10;
    const std::string_view digits = text.substr(hexadecimal ? 2 : 0);
    if (digits.empty()) reject(text, "has no digits");
    Wide value = 0;
    for (const char digit : digits) {
        const unsigned digit_of = digit_value(digit);
        if (digit_of >= base) reject(text, "is not an operation");
        if (value > (~Wide{0} - digit_of) / base) reject(text, "has more than 128 bits");
        value = value * base + digit_of;
    }
    return {static_cast<std::uint64_t>(value >> 64), static_cast<std::uint64_t>(value)};
}

void OperationReader::reject(std::string_view text, std::string_view reason) const {
    constexpr std::size_t shown_max = 60;
    std::string shown(text.substr(0, shown_max));
    for (char& letter : shown)
        if (letter < ' ' || letter > '~') letter = '?';  // of a file that is no text
    if (text.size() > shown_max) shown += "...";
    throw MalformedLine(name_ + ":" + std::to_string(line_number_) + ": '" + shown + "' " +
                        std::string(reason) +
                        "; write a token (decimal, or hexadecimal after 0x, up to 128 bits), "
                        "or one of ! ? .");
}

}  // namespace refrain::commands
