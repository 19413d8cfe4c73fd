#include "syntax/lexer.hpp"

#include "syntax/letters.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace refrain::script {
namespace {

int digit_of(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 99;
}

class Lexer : Cursor {
  public:
    Lexer(const Cursor& begin, bool hash_comments, Diagnostics& diagnostics,
          const std::vector<Position>* places = nullptr)
        : Cursor(begin),
          hash_comments_(hash_comments),
          diagnostics_(diagnostics),
          places_(places) {}

    std::vector<Token> run() {
        if (sees("\xef\xbb\xbf")) advance(3);  // some editors mark UTF-8 so
        for (;;) {
            skip_blanks();
            Token token{.at = here()};
            if (over()) {
                tokens_.push_back(std::move(token));
                return std::move(tokens_);
            }
            if (!read(token)) continue;
            token.end = here();
            tokens_.push_back(std::move(token));
        }
    }

  private:
    [[nodiscard]] Position here() const {
        if (places_ != nullptr && !places_->empty())
            return (*places_)[std::min(at, places_->size() - 1)];
        return Cursor::here();
    }
    void advance(std::size_t count = 1) {
        for (; count != 0 && !over(); --count) take();
    }
    void complain(Position where, std::string what, std::string help = {}) {
        diagnostics_.error(code::syntax, where, std::move(what), std::move(help));
    }

    void skip_blanks() {
        while (!over()) {
            const char c = peek();
            if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
                advance();
            } else if (sees("//") || (c == '#' && hash_comments_)) {
                while (!over() && peek() != '\n') advance();
            } else if (sees("/*")) {
                skip_comment();
            } else {
                return;
            }
        }
    }
    void skip_comment() {
        const Position begin = here();
        while (!over() && !sees("*/")) advance();
        if (over()) complain(begin, "this comment has no end", "close it with */");
        advance(2);
    }

    bool read(Token& token) {
        const char c = peek();
        if (begins_name(c)) {
            while (in_name(peek())) token.text += take();
            token.kind = Token::Kind::name;
        } else if (is_digit(c)) {
            number(token);
        } else if (opens_block("\"\"\"")) {
            block(token, "\"\"\"");
        } else if (opens_block("----")) {
            block(token, "----");
        } else if (c == '"' || c == '\'') {
            string(token);
        } else {
            return symbol(token);
        }
        return true;
    }

    // ---- numbers
    void number(Token& token) {
        token.kind = Token::Kind::integer;
        if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'o')) {
            const int base = peek(1) == 'x' ? 16 : 8;
            token.text = std::string{take(), take()};
            return digits(token, base);
        }
        while (is_digit(peek())) token.text += take();
        const bool point = peek() == '.' && is_digit(peek(1));
        const bool exponent =
            (peek() == 'e' || peek() == 'E') &&
            (is_digit(peek(1)) || ((peek(1) == '-' || peek(1) == '+') && is_digit(peek(2))));
        if (point || exponent) return floating(token);
        if (begins_name(peek())) return wrong_digit(token, 10);
        return whole(token, token.text, 10);
    }
    void digits(Token& token, int base) {
        std::string found;
        while (digit_of(peek()) < base) found += take();
        token.text += found;
        if (in_name(peek())) return wrong_digit(token, base);
        return whole(token, found, base);
    }
    void whole(Token& token, const std::string& found, int base) {
        const auto value = read_number<std::int64_t>(found, base);
        if (found.empty())
            complain(token.at, "the number " + token.text + " has no digits");
        else if (!value)
            complain(token.at, "the number " + token.text + " does not fit into 64 bits",
                     "write it as a float: " + token.text + ".0");
        token.value = Value(value.value_or(0));
    }
    void wrong_digit(Token& token, int base) {
        complain(here(), std::string("'") + peek() + "' is no digit of a number to base " +
                             std::to_string(base));
        while (in_name(peek())) advance();
        token.value = Value(std::int64_t{0});
    }
    void floating(Token& token) {
        token.kind = Token::Kind::floating;
        if (peek() == '.') {
            token.text += take();
            while (is_digit(peek())) token.text += take();
        }
        if (peek() == 'e' || peek() == 'E') {
            token.text += take();
            if (!is_digit(peek())) token.text += take();
            while (is_digit(peek())) token.text += take();
        }
        token.value = Value(read_number<double>(token.text).value_or(0));
    }

    // ---- strings
    void string(Token& token) {
        token.kind = Token::Kind::string;
        std::string value;
        const char quote = take();
        if (quote == '\'')
            complain(token.at, "''' cannot stand here", "strings stand in double quotes");
        const std::size_t begin = at;
        while (peek() != quote) {
            if (over() || peek() == '\n') {
                if (quote == '"')
                    complain(token.at, "this string has no end on its line",
                             "close it with \", or open it with \"\"\" at the end of a line");
                // What ends the call and the statement is not the string's.
                while (at > begin && std::strchr(");]} \r", text[at - 1])) --at;
                break;
            }
            value += letter();
        }
        if (peek() == quote) advance();
        token.value = Value(value);
    }
    void block(Token& token, std::string_view mark) {
        token.kind = Token::Kind::string;
        std::string value;
        advance(mark.size());
        while (!over() && !sees(mark)) value += letter();
        if (over())
            complain(token.at, "this string has no end", "close it with " + std::string(mark));
        advance(mark.size());
        token.value = Value(value);
    }
    /// One character of a string, escapes resolved.
    std::string letter() {
        if (peek() != '\\') return {take()};
        const Position begin = here();
        advance();
        const char c = peek();
        constexpr std::string_view letters = "abfnrtv\\\"?";
        constexpr std::string_view meanings = "\a\b\f\n\r\t\v\\\"?";
        const std::size_t found = letters.find(c);
        if (c != '\0' && found != std::string_view::npos) {
            advance();
            return {meanings[found]};
        }
        if (digit_of(c) < 8) return {coded(8, 3)};
        if (c == 'x' && digit_of(peek(1)) < 16) {
            advance();
            return {coded(16, 2)};
        }
        complain(begin, std::string("unknown escape \\") + c,
                 "write \\\\ for a backslash; known are \\a \\b \\f \\n \\r \\t \\v \\\\ \\\" \\?, "
                 "\\x1b and \\033");
        return {};
    }
    char coded(int base, int digits_max) {
        int code = 0;
        for (int i = 0; i < digits_max && digit_of(peek()) < base; ++i)
            code = code * base + digit_of(take());
        return static_cast<char>(code);
    }

    bool symbol(Token& token) {
        static constexpr std::array<std::string_view, 13> symbols = {
            "...", "=>", "==", "!=", "<=", ">=", "&&", "||", "**", "%/", "%%", "+=", ":="};
        constexpr std::string_view known = "()[]{},;:=+-*/%<>!@.|#&";
        token.kind = Token::Kind::symbol;
        const auto longer =
            std::ranges::find_if(symbols, [&](std::string_view each) { return sees(each); });
        if (longer == symbols.end() && known.find(peek()) == std::string_view::npos) {
            const Position begin = here();
            std::string whole(1, take());
            while (continues_character(peek())) whole += take();
            complain(begin, "'" + whole + "' cannot stand here");
            return false;
        }
        token.text = longer != symbols.end() ? *longer : text.substr(at, 1);
        advance(token.text.size());
        return true;
    }

    bool hash_comments_;
    Diagnostics& diagnostics_;
    const std::vector<Position>* places_;  // of each character; null: the text is the file's own
    std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(const Sources& sources, std::uint32_t file, bool hash_comments,
                             Diagnostics& diagnostics) {
    return Lexer({sources.text(file), file}, hash_comments, diagnostics).run();
}

std::vector<Token> tokens_of(const PlacedText& text, Diagnostics& diagnostics) {
    return Lexer({text.text}, false, diagnostics, &text.places).run();
}

}  // namespace refrain::script
