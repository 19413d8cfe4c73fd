#pragma once

#include "syntax/lexer.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace refrain::script {

/// Thrown where a statement cannot be understood; the parser reports it and goes on after the statement.
struct SyntaxError {
    Position at;
    std::string text;
    Help help;
    std::vector<Diagnostic::Note> notes{};
};

/// A cursor over the tokens of a file.
class TokenStream {
  public:
    explicit TokenStream(const std::vector<Token>& tokens) : tokens_(tokens) {}

    [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
        return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
    }
    [[nodiscard]] bool at_end() const { return peek().kind == Token::Kind::end; }
    [[nodiscard]] bool sees(std::string_view text, std::size_t ahead = 0) const {
        const Token& token = peek(ahead);
        return token.text == text &&
               (token.kind == Token::Kind::symbol || token.kind == Token::Kind::name);
    }
    [[nodiscard]] bool sees_name(std::size_t ahead = 0) const {
        return peek(ahead).kind == Token::Kind::name;
    }
    [[nodiscard]] bool sees_string(std::size_t ahead = 0) const {
        return peek(ahead).kind == Token::Kind::string;
    }
    /// Whether the next token stands right behind the one before.
    [[nodiscard]] bool is_adjacent() const { return at_ != 0 && tokens_[at_ - 1].end == peek().at; }
    const Token& take() {
        const Token& token = peek();
        if (!at_end()) ++at_;
        return token;
    }
    bool accept(std::string_view text) {
        if (!sees(text)) return false;
        take();
        return true;
    }
    /// Errors: SyntaxError, which says what stands there instead.
    Position expect(std::string_view text, const char* where) {
        if (!sees(text)) fail("expected '" + std::string(text) + "' " + where);
        return take().at;
    }
    const Token& expect_name(const char* what) {
        if (!sees_name()) fail(std::string("expected ") + what);
        return take();
    }
    /// Items between commas, up to the sign that closes them; a comma may stand before it.
    template <class Item>
    void list(std::string_view close, const char* where, Item item) {
        while (!sees(close)) {
            item();
            if (!accept(",")) break;
        }
        expect(close, where);
    }
    [[noreturn]] void fail(const std::string& expected, const std::string& help = {},
                           std::vector<Diagnostic::Note> notes = {}) const {
        const Token& last = tokens_[at_ == 0 ? 0 : at_ - 1];
        const bool before = expected.starts_with("expected ';'") && last.end.line < peek().at.line;
        throw SyntaxError{before ? last.end : peek().at, expected + ", found " + shown(), help,
                          std::move(notes)};
    }
    /// How many tokens ahead the bracket is closed that opens `ahead` tokens from here; past the end if never.
    [[nodiscard]] std::size_t closing(std::size_t ahead) const {
        int depth = 0;
        for (std::size_t i = ahead; at_ + i < tokens_.size(); ++i) {
            if (peek(i).kind != Token::Kind::symbol) continue;
            const std::string& text = peek(i).text;
            if (text == "(" || text == "[" || text == "{") ++depth;
            if ((text == ")" || text == "]" || text == "}") && --depth == 0) return i;
        }
        return tokens_.size();
    }

    [[nodiscard]] static bool is_closed(const Token& brace) {
        int depth = 0;
        for (const Token* each = &brace; each->kind != Token::Kind::end; ++each) {
            if (each->kind != Token::Kind::symbol) continue;
            if (each->text == "{") ++depth;
            if (each->text == "}" && --depth == 0) return true;
        }
        return false;
    }

  private:
    [[nodiscard]] std::string shown() const {
        if (at_end()) return "the end of the file";
        const Token& token = peek();
        return token.kind == Token::Kind::string ? "a string" : "'" + token.text + "'";
    }

    const std::vector<Token>& tokens_;
    std::size_t at_ = 0;
};

}  // namespace refrain::script
