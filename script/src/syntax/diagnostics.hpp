#pragma once

#include "refrain/script/options.hpp"
#include "syntax/code.hpp"
#include "syntax/sources.hpp"
#include "values/position.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace refrain::script {

/// The way out, in words and, where one word or one line is all that it takes, as an edit.
struct Help {
    Help() = default;
    Help(const char* words) : text(words) {}             // NOLINT(google-explicit-constructor)
    Help(std::string words) : text(std::move(words)) {}  // NOLINT(google-explicit-constructor)
    [[nodiscard]] static Help import(const std::string& module);

    std::string text;          // empty: none
    std::string wrong, right;  // a word at the place of the message, and what should stand there
    std::string first_line;    // what is missing at the top of the file
};

/// A message about the script: where, what, the other place that explains it, and the way out.
struct Diagnostic {
    struct Note {
        Position at;
        std::string text;
    };
    Code code;
    Position at;
    std::string text;
    Help help{};
    std::vector<Note> notes{};
    bool warning = false;

    /// The text is no script; else its meaning is refused.
    [[nodiscard]] bool is_syntax_error() const {
        return !warning && (code == code::syntax || code == code::preprocessor);
    }
};

/// Collects what is wrong with a script.
///
///     hello.swift:2:1: x is assigned a second time
///       2 | x = 2;
///         | ^
///     hello.swift:1:5: the first assignment is here
///       1 | int x = 1;
///         |     ^
///       help: ...
class Diagnostics {
  public:
    /// An error, unless it says that it is a warning.
    void error(Diagnostic found);
    void error(Code code, Position at, std::string text, Help help = {},
               std::vector<Diagnostic::Note> notes = {}) {
        error({code, at, std::move(text), std::move(help), std::move(notes)});
    }
    void warning(Code code, Position at, std::string text, Help help = {},
                 std::vector<Diagnostic::Note> notes = {}) {
        error({code, at, std::move(text), std::move(help), std::move(notes), true});
    }

    [[nodiscard]] bool failed() const { return errors_ != 0; }
    [[nodiscard]] bool has_syntax_error() const;
    [[nodiscard]] std::string text(const Sources& sources) const;
    /// The same for programs.
    [[nodiscard]] std::vector<Message> messages(const Sources& sources) const;

  private:
    std::vector<Diagnostic> all_;
    std::set<std::pair<Position, std::string>> said_;
    std::size_t errors_ = 0;
};

/// "did you mean 'NEAREST'?", with what stands around names there; `otherwise` if none is near.
[[nodiscard]] Help did_you_mean(const std::string& name, const std::vector<std::string>& candidates,
                                const std::string& otherwise = {}, const std::string& before = "'",
                                const std::string& behind = "'");

}  // namespace refrain::script
