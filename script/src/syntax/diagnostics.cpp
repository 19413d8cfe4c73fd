#include "syntax/diagnostics.hpp"

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
        caret += line[i] == '\t' ? '\t' : ' ';
    return "  " + number + " | " + std::string(line) + "\n  " + std::string(number.size(), ' ') +
           " | " + caret + "^\n";
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

}  // namespace

void Diagnostics::error(Diagnostic found) {
    if (!said_.emplace(found.at, found.text).second) return;
    if (!found.warning) ++errors_;
    all_.push_back(std::move(found));
}

void Diagnostics::warning(Diagnostic found) {
    found.warning = true;
    error(std::move(found));
}

bool Diagnostics::has_syntax_error() const {
    return std::ranges::any_of(all_, [](const Diagnostic& each) { return each.syntax; });
}

std::string Diagnostics::text(const Sources& sources) const {
    std::string all;
    for (const Diagnostic& each : all_) {
        all += (each.warning ? "WARN " : "") + sources.text(each.at) + ": " + each.text + "\n";
        all += excerpt(sources, each.at);
        for (const Diagnostic::Note& note : each.notes)
            all += (note.at.line == 0 ? "  of the library" : sources.text(note.at)) + ": " +
                   note.text + "\n" + excerpt(sources, note.at);
        if (!each.help.empty()) all += "  help: " + each.help + "\n";
    }
    return all;
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
    std::size_t best = name.size() / 3 + 2;
    std::string nearest;
    for (const std::string& each : candidates) {
        const std::size_t distance = edit_distance(name, each);
        if (distance < best && distance < each.size()) {
            best = distance;
            nearest = each;
        }
    }
    return nearest;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates,
                         const std::string& otherwise, const std::string& before,
                         const std::string& behind) {
    const std::string near = nearest_name(name, candidates);
    return near.empty() ? otherwise : "did you mean " + before + near + behind + "?";
}

}  // namespace refrain::script
