#pragma once

#include "syntax/diagnostics.hpp"
#include "syntax/sources.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace refrain::script {

/// A text, and where each of its characters comes from: what a macro became comes from where it was used.
struct PlacedText {
    std::string text;
    std::vector<Position> places;

    void add(char letter, Position at) {
        text += letter;
        places.push_back(at);
    }
    void add(std::string_view letters, Position at) {
        text += letters;
        places.insert(places.end(), letters.size(), at);
    }
};

struct PreprocessorOptions {
    std::vector<std::string> folders;  // of files that are included
    std::vector<std::string> macros;   // "NAME", which is 1, or "NAME=text"
};

/// Does what `cpp -undef` does with a script: #include, #define (with arguments, #, ## and __VA_ARGS__), #undef, #if and
/// its like, #error, #warning; __FILE__ and __LINE__. Macros do not reach into strings, and in those of several lines
/// there are no directives. A line of a directive becomes an empty one.
///
/// Included files are added to `sources`. Errors: reported; the directive is then without effect.
[[nodiscard]] PlacedText preprocess(Sources& sources, std::uint32_t file,
                                    const PreprocessorOptions& options, Diagnostics& diagnostics);

}  // namespace refrain::script
