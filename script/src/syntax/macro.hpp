#pragma once

#include "values/position.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace refrain::script {

/// A word of the preprocessor: a name, a number, a string as it is written, or one or more signs.
struct MacroWord {
    std::string text;
    Position at;
    bool blank_before = false;
    std::set<std::string> hidden;  // macros that it came from, which it does not name again

    [[nodiscard]] bool is_name() const;
};

struct Macro {
    bool has_arguments = false;
    bool variable_count = false;  // the last argument takes all that are left
    std::vector<std::string> arguments;
    std::vector<MacroWord> body;
};

/// The words of a text without line ends. A string, a comment's remains or a sign is one word.
[[nodiscard]] std::vector<MacroWord> macro_words(std::string_view text, Position at);
/// Where the string that begins at `at` with the mark ends: behind the next one that no escape hides, or else at the end of its
/// line, if the mark is a quote, or of the text.
[[nodiscard]] std::size_t end_of_string(std::string_view text, std::size_t at,
                                        std::string_view mark = "\"");

class MacroTable {
  public:
    void define(const std::string& name, Macro macro) { all_[name] = std::move(macro); }
    void remove(const std::string& name) { all_.erase(name); }
    [[nodiscard]] const Macro* find(const std::string& name) const;

    /// Called for a macro with another number of arguments than it takes, which is then left as it stands.
    std::function<void(Position at, const std::string& text)> on_misuse;

    /// The words with all macros in them expanded. `more` gives what follows the words, where the arguments of a
    /// macro do: with no "(" open, from a "(" that stands next to its ")", or nothing; else up to the last ")".
    [[nodiscard]] std::vector<MacroWord> expanded(
        std::vector<MacroWord> words,
        const std::function<std::vector<MacroWord>(int open)>& more = {}) const;

  private:
    using Words = std::vector<MacroWord>;
    [[nodiscard]] Words substituted(const Macro& macro, const std::vector<Words>& given,
                                    const std::set<std::string>& hidden,
                                    const MacroWord& use) const;

    std::map<std::string, Macro> all_;
};

/// The value of what stands behind #if, its macros expanded; empty if it is no expression. Names are 0.
[[nodiscard]] std::optional<std::int64_t> condition_value(const std::vector<MacroWord>& words);

}  // namespace refrain::script
