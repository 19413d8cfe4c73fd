#include "syntax/diagnostics.hpp"

#include "base/edit_distance.hpp"
#include "syntax/letters.hpp"
#include "values/text.hpp"

#include <algorithm>

namespace refrain::script {
namespace {

/// The line of the source, and a caret below the column.
std::string excerpt(const Sources& sources, Position at) {
    const std::string_view line = sources.line(at);
    if (line.empty() || at.column == 0) return {};
    const std::string number = std::to_string(at.line);
    std::string caret;
    for (std::size_t i = 0; i + 1 < at.column && i < line.size(); ++i)
        if (!continues_character(line[i])) caret += line[i] == '\t' ? '\t' : ' ';
    return "  " + number + " | " + std::string(line) + "\n  " + std::string(number.size(), ' ') +
           " | " + caret + "^\n";
}

/// The word at the place, or one character.
Message::Range range_of(const Sources& sources, Position at) {
    if (at.line == 0) return {};
    const std::string_view line = sources.line(at);
    Message::Range range{sources.name(at.file), at.line, at.column, at.column};
    if (at.column == 0) return range;
    const auto pass = [&](auto belongs) {
        while (range.end_column <= line.size() && belongs(line[range.end_column - 1]))
            ++range.end_column;
    };
    pass(in_name);
    if (range.end_column != at.column) return range;
    ++range.end_column;
    pass(continues_character);
    return range;
}

/// The way out as an edit, where there is one.
std::vector<Message::Note> fixes_of(const Sources& sources, const Diagnostic& is) {
    std::vector<Message::Note> fixes;
    const Message::Range word = range_of(sources, is.at);
    if (!is.help.first_line.empty()) {
        const std::uint32_t first = sources.text(is.at.file).starts_with("#!") ? 2 : 1;
        const Message::Range top{sources.name(is.at.file), first, 1, 1};
        fixes.push_back({top, is.help.first_line + "\n"});
    } else if (!is.help.right.empty() && word.column != 0 &&
               sources.line(is.at).substr(word.column - 1, word.end_column - word.column) ==
                   is.help.wrong) {
        fixes.push_back({word, is.help.right});
    }
    return fixes;
}

}  // namespace

void Diagnostics::error(Diagnostic found) {
    if (!said_.emplace(found.at, found.text).second) return;
    if (!found.warning) ++errors_;
    all_.push_back(std::move(found));
}

bool Diagnostics::has_syntax_error() const {
    return std::ranges::any_of(all_, &Diagnostic::is_syntax_error);
}

std::string Diagnostics::text(const Sources& sources) const {
    std::string all;
    for (const Diagnostic& each : all_) {
        all += (each.warning ? "WARN " : "") + sources.text(each.at) + ": " + each.text + "\n";
        all += excerpt(sources, each.at);
        for (const Diagnostic::Note& note : each.notes)
            all += (note.at.line == 0 ? "  of the library" : sources.text(note.at)) + ": " +
                   note.text + "\n" + excerpt(sources, note.at);
        if (!each.help.text.empty()) all += "  help: " + each.help.text + "\n";
    }
    return all;
}

std::vector<Message> Diagnostics::messages(const Sources& sources) const {
    std::vector<Message> all;
    for (const Diagnostic& each : all_) {
        Message made{.at = range_of(sources, each.at),
                     .text = each.text,
                     .warning = each.warning,
                     .code = std::string(each.code.name),
                     .help = each.help.text,
                     .related = {},
                     .fixes = fixes_of(sources, each)};
        for (const Diagnostic::Note& note : each.notes)
            made.related.push_back({range_of(sources, note.at), note.text});
        all.push_back(std::move(made));
    }
    return all;
}

Help Help::import(const std::string& module) {
    Help made;
    made.first_line = "import " + module + ";";
    made.text = "add at the top: " + made.first_line;
    return made;
}

Help did_you_mean(const std::string& name, const std::vector<std::string>& candidates,
                  const std::string& otherwise, const std::string& before,
                  const std::string& behind) {
    Help made(otherwise);
    made.right = base::nearest_name(name, candidates);
    if (made.right.empty()) return made;
    made.wrong = name;
    made.text = "did you mean " + before + made.right + behind + "?";
    return made;
}

}  // namespace refrain::script
