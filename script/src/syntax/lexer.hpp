#pragma once

#include "syntax/diagnostics.hpp"
#include "syntax/preprocessor.hpp"
#include "values/value.hpp"

#include <string>
#include <vector>

namespace refrain::script {

struct Token {
    enum class Kind : std::uint8_t { end, name, integer, floating, string, symbol };
    Kind kind = Kind::end;
    std::string text{};  // of names and symbols; of others as they are written
    Value value{};       // of literals
    Position at;
    Position end{};  // behind it
};

/// The tokens of a file, with one of kind `end` last. `hash_comments`: "#" begins a comment.
///
/// Errors: reported, and what is malformed is left out.
[[nodiscard]] std::vector<Token> tokens_of(const Sources& sources, std::uint32_t file,
                                           bool hash_comments, Diagnostics& diagnostics);
/// The same for a text that was preprocessed.
[[nodiscard]] std::vector<Token> tokens_of(const PlacedText& text, Diagnostics& diagnostics);

}  // namespace refrain::script
