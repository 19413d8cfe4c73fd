#include "syntax/preprocessor.hpp"

#include "syntax/letters.hpp"
#include "syntax/macro.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <filesystem>

namespace refrain::script {
namespace {

namespace fs = std::filesystem;

bool is_blank(char letter) {
    return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\f' || letter == '\v';
}

/// An #if around a line.
struct Condition {
    bool taken;  // the branch that it stands in
    bool any;    // one of the branches
    bool had_else;
    Position at;
};
using Conditions = std::vector<Condition>;
/// Whether lines count within them, but for the last few.
bool is_active(const Conditions& conditions, std::ptrdiff_t last = 0) {
    return std::all_of(conditions.begin(), conditions.end() - last,
                       [](const Condition& is) { return is.taken; });
}

class Preprocessor {
  public:
    Preprocessor(Sources& sources, const PreprocessorOptions& options, Diagnostics& diagnostics)
        : sources_(sources), options_(options), diagnostics_(diagnostics) {
        macros_.on_misuse = [this](Position at, const std::string& text) { complain(at, text); };
        for (const std::string& each : options.macros) {
            const std::size_t equal = std::min(each.find('='), each.size());
            Macro macro;
            macro.body = macro_words(equal < each.size() ? each.substr(equal + 1) : "1", {});
            macros_.define(each.substr(0, equal), std::move(macro));
        }
    }
    Preprocessor(const Preprocessor&) = delete;
    Preprocessor& operator=(const Preprocessor&) = delete;

    PlacedText run(std::uint32_t file) {
        read(file, 0);
        return std::move(made_);
    }

  private:
    /// Where the reader is in one file, and how many have included it.
    struct Reader : Cursor {
        std::size_t depth = 0;
    };

    void complain(Position at, std::string text, std::string help = {}, bool warning = false) {
        diagnostics_.error({code::preprocessor, at, std::move(text), std::move(help), {}, warning});
    }

    void read(std::uint32_t file, std::size_t depth) {
        const std::string text = sources_.text(file);  // a copy: including a file may move all
        Reader reader{{text, file}, depth};
        Conditions conditions;
        bool line_begins = true;
        while (!reader.over()) {
            const char letter = reader.text[reader.at];
            if (line_begins && letter == '#') {
                directive(reader, conditions);
                continue;
            }
            if (letter == '\n') line_begins = true;
            if (letter != '\n' && !is_blank(letter)) line_begins = false;
            piece(reader, is_active(conditions));
        }
        if (!conditions.empty())
            complain(conditions.back().at, "this condition has no end", "close it with #endif");
    }

    /// A name, a string, a comment, or one character.
    void piece(Reader& reader, bool active) {
        const std::size_t end = end_of_piece(reader);
        const std::string piece(reader.text.substr(reader.at, end - reader.at));
        if (active && begins_name(piece[0])) return name(reader, piece);
        while (reader.at < end) {
            const Position at = reader.here();
            const char letter = reader.take();
            if (active || letter == '\n') made_.add(letter, at);
        }
    }
    static std::size_t end_of_piece(const Reader& reader) {
        const std::string_view text = reader.text;
        const std::size_t at = reader.at;
        const auto behind = [&](std::string_view mark) {
            const std::size_t found = text.find(mark, at + mark.size());
            return found == std::string_view::npos ? text.size() : found + mark.size();
        };
        if (reader.sees("//")) return std::min(text.find('\n', at), text.size());
        if (reader.sees("/*")) return behind("*/");
        for (const std::string_view mark : {"\"\"\"", "----"})
            if (reader.opens_block(mark)) return end_of_string(text, at, mark);
        if (text[at] == '"') return end_of_string(text, at);
        std::size_t end = at + 1;
        if (in_name(text[at]))
            while (end < text.size() && in_name(text[end])) ++end;
        return end;
    }

    // ---- macros
    void name(Reader& reader, const std::string& text) {
        const Position at = reader.here();
        reader.at += text.size();
        if (text == "__LINE__") return made_.add(std::to_string(at.line), at);
        if (text == "__FILE__") return made_.add(in_quotes(sources_.name(reader.file)), at);
        const Macro* macro = macros_.find(text);
        if (macro == nullptr) return add_name(text, at);
        const auto arguments = [&](int open) { return arguments_of(reader, open, at); };
        std::vector<MacroWord> words{{text, at, false, {}}};
        const std::vector<MacroWord> all = macros_.expanded(std::move(words), arguments);
        for (const MacroWord& each : all) {
            const bool apart = &each != all.data() && each.blank_before;
            if (apart || touches(each.text.front())) made_.add(' ', at);
            made_.add(each.text, at);
        }
        if (!reader.over() && !all.empty() && touches(reader.text[reader.at])) made_.add(' ', at);
    }
    void add_name(const std::string& text, Position at) {
        for (const char letter : text) {
            made_.add(letter, at);
            ++at.column;
        }
    }
    /// Whether a letter would become one word with what was written last.
    [[nodiscard]] bool touches(char letter) const {
        if (made_.text.empty()) return false;
        const char last = made_.text.back();
        if (in_name(last) || in_name(letter)) return in_name(last) && in_name(letter);
        constexpr std::string_view signs = "+-*/%<>=!&|:.";
        return signs.find(last) != std::string_view::npos &&
               signs.find(letter) != std::string_view::npos;
    }
    /// Up to the ")" that closes all that are open, over several lines. If none is: nothing, unless a "(" is next.
    std::vector<MacroWord> arguments_of(Reader& reader, int open, Position at) {
        std::size_t look = reader.at;
        while (look < reader.text.size() &&
               (is_blank(reader.text[look]) || reader.text[look] == '\n'))
            ++look;
        if (open == 0 && (look == reader.text.size() || reader.text[look] != '(')) return {};
        std::string text;
        int depth = open;
        Reader ahead = reader;
        for (bool began = open != 0; depth > 0 || !began;) {
            if (ahead.over()) {
                complain(at, "the arguments of this macro have no end", "close them with )");
                return {};
            }
            const std::size_t end = end_of_piece(ahead);
            const std::string piece(ahead.text.substr(ahead.at, end - ahead.at));
            depth += piece == "(" ? 1 : piece == ")" ? -1 : 0;
            began = began || depth > 0;
            const bool comment = piece.starts_with("//") || piece.starts_with("/*");
            text += comment || piece == "\n" ? " " : piece;
            while (ahead.at < end) ahead.take();
        }
        reader = ahead;
        return macro_words(text, at);
    }

    // ---- directives
    /// The line without its comments, joined with those that a backslash adds; what was read becomes line ends.
    std::string rest_of_line(Reader& reader) {
        std::string line;
        while (!reader.over() && reader.text[reader.at] != '\n') {
            if (reader.sees("\\\n")) {
                reader.take();
                made_.add('\n', reader.here());
                reader.take();
                continue;
            }
            if (reader.sees("//")) {
                while (!reader.over() && reader.text[reader.at] != '\n') reader.take();
                break;
            }
            const bool comment = reader.sees("/*");
            const bool string = reader.text[reader.at] == '"';
            if (!comment && !string) {
                line += reader.take();
                continue;
            }
            const std::size_t end =
                string ? end_of_string(reader.text, reader.at) : end_of_piece(reader);
            while (reader.at < end) {
                const Position at = reader.here();
                const char letter = reader.take();
                if (string) line += letter;
                if (comment && letter == '\n') made_.add('\n', at);
            }
            if (comment) line += ' ';
        }
        return line;
    }
    void directive(Reader& reader, Conditions& conditions) {
        const Position at = reader.here();
        reader.take();
        const std::string line = rest_of_line(reader);
        std::vector<MacroWord> words = macro_words(line, at);
        if (words.empty() || (at.line == 1 && words[0].text == "!")) return;
        const std::string is = words[0].text;
        words.erase(words.begin());
        if (conditional(is, words, conditions, at) || !is_active(conditions)) return;
        if (is == "define")
            define(words, at);
        else if (is == "undef")
            macros_.remove(words.empty() ? "" : words[0].text);
        else if (is == "include")
            include(reader, line, std::move(words), at);
        else if (is == "error" || is == "warning")
            complain(at, "#" + std::string(trimmed(line)), {}, is == "warning");
        else if (is != "pragma" && is != "line" && is != "ident")
            complain(at, "there is no directive #" + is,
                     "if '#' is to begin a comment, use stc -p");
    }
    /// Takes #if and its like; false for any other.
    bool conditional(const std::string& is, const std::vector<MacroWord>& words,
                     Conditions& conditions, Position at) {
        if (is == "if" || is == "ifdef" || is == "ifndef") {
            const bool taken =
                is_active(conditions) &&
                (is == "if" ? condition(words, at) : defined(words, at) == (is == "ifdef"));
            conditions.push_back({taken, taken, false, at});
            return true;
        }
        if (is != "elif" && is != "else" && is != "endif") return false;
        if (conditions.empty() || (is != "endif" && conditions.back().had_else)) {
            complain(at, "#" + is + " has no #if before it");
        } else if (is == "endif") {
            conditions.pop_back();
        } else {
            Condition& own = conditions.back();
            const bool may = is_active(conditions, 1) && !own.any;
            own.taken = may && (is == "else" || condition(words, at));
            own.any |= own.taken;
            own.had_else = is == "else";
        }
        return true;
    }
    bool defined(const std::vector<MacroWord>& words, Position at) {
        if (words.empty() || !words[0].is_name()) {
            complain(at, "the name of a macro is missing");
            return false;
        }
        return macros_.find(words[0].text) != nullptr;
    }
    bool condition(const std::vector<MacroWord>& words, Position at) {
        std::vector<MacroWord> known;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (words[i].text != "defined") {
                known.push_back(words[i]);
                continue;
            }
            const bool parenthesis = i + 1 < words.size() && words[i + 1].text == "(";
            i += parenthesis ? 2 : 1;
            const bool is = i < words.size() && macros_.find(words[i].text) != nullptr;
            known.push_back({is ? "1" : "0", at, true, {}});
            i += parenthesis ? 1 : 0;
        }
        const auto value = condition_value(macros_.expanded(std::move(known)));
        if (!value) complain(at, "what stands behind #if is no expression of ints");
        return value.value_or(0) != 0;
    }
    void define(const std::vector<MacroWord>& words, Position at) {
        if (words.empty() || !words[0].is_name())
            return complain(at, "the name of a macro is missing");
        Macro macro;
        std::size_t next = 1;
        // Arguments follow the name without a blank.
        if (words.size() > 1 && words[1].text == "(" && !words[1].blank_before) {
            macro.has_arguments = true;
            std::string before = "(";
            for (next = 2; next < words.size() && words[next].text != ")"; ++next) {
                const std::string& text = words[next].text;
                if (words[next].is_name()) macro.arguments.push_back(text);
                if (text == "." && before != ".") {
                    macro.variable_count = true;
                    if (macro.arguments.empty() || before == ",")
                        macro.arguments.emplace_back("__VA_ARGS__");
                }
                before = text;
            }
            if (next == words.size())
                return complain(at, "the arguments of '" + words[0].text + "' have no end");
            ++next;
        }
        macro.body.assign(words.begin() + static_cast<std::ptrdiff_t>(next), words.end());
        if (!macro.body.empty()) macro.body.front().blank_before = false;
        macros_.define(words[0].text, std::move(macro));
    }
    void include(const Reader& reader, const std::string& line, std::vector<MacroWord> words,
                 Position at) {
        constexpr std::size_t depth_max = 200;
        if (reader.depth == depth_max) return complain(at, "files include one another without end");
        std::string text(trimmed(std::string_view(line).substr(line.find("include") + 7)));
        if (!text.empty() && text[0] != '"' && text[0] != '<') {
            text.clear();
            for (const MacroWord& each : macros_.expanded(std::move(words))) text += each.text;
        }
        const std::size_t end = text.size() < 3 ? 0 : text.find(text[0] == '<' ? '>' : '"', 1);
        if (text.empty() || end == 0 || end == std::string::npos ||
            (text[0] != '"' && text[0] != '<'))
            return complain(at, "#include takes \"FILE\" or <FILE>");
        const std::string name = text.substr(1, end - 1);
        std::vector<fs::path> folders;
        if (text[0] == '"') folders.push_back(fs::path(sources_.name(reader.file)).parent_path());
        folders.insert(folders.end(), options_.folders.begin(), options_.folders.end());
        for (const fs::path& folder : folders) {
            const std::string path = (folder / name).lexically_normal().string();
            if (auto content = content_of(path))
                return read(sources_.add(path, std::move(*content)), reader.depth + 1);
        }
        complain(at, "there is no file '" + name + "' to include",
                 "folders are named by -I FOLDER");
    }

    Sources& sources_;
    const PreprocessorOptions& options_;
    Diagnostics& diagnostics_;
    MacroTable macros_;
    PlacedText made_;
};

}  // namespace

PlacedText preprocess(Sources& sources, std::uint32_t file, const PreprocessorOptions& options,
                      Diagnostics& diagnostics) {
    return Preprocessor(sources, options, diagnostics).run(file);
}

}  // namespace refrain::script
