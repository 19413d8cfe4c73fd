#include "generate/folded_lines.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace refrain::proxy {
namespace {

constexpr std::size_t period_max = 32;  // lines of what repeats
constexpr std::size_t turns_min = 8;
constexpr std::size_t lines_min =
    24;  // of all turns together: fewer are easier to read as they are

/// A line in pieces: words[0] numbers[0] words[1] ... words[n]
struct Line {
    std::vector<std::string> words, numbers;

    [[nodiscard]] std::string skeleton() const {
        std::string all;
        for (const std::string& word : words) all += word + '\0';
        return all;
    }
    [[nodiscard]] std::size_t indent() const {
        return std::min(words[0].find_first_not_of(' '), words[0].size());
    }
    [[nodiscard]] char last() const { return words.back().empty() ? ' ' : words.back().back(); }
};

bool is_of_word(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}
bool is_digit(char letter) {
    return std::isdigit(static_cast<unsigned char>(letter)) != 0;
}

/// Behind the number that begins at `at`; `at` itself if none does that may stand in a table: no part of a name, no size of an
/// array, no constant with a suffix.
std::size_t end_of_number(std::string_view line, std::size_t at) {
    std::size_t end = at;
    if (line[end] == '-') {
        const std::size_t before = line.substr(0, at).find_last_not_of(' ');
        if (before == std::string_view::npos ||
            std::string_view("(,{[=").find(line[before]) == std::string_view::npos)
            return at;
        ++end;
    }
    const std::size_t digits = end;
    while (end < line.size() && is_digit(line[end])) ++end;
    if (end == digits) return at;
    if (end < line.size() && line[end] == '.')
        for (++end; end < line.size() && is_digit(line[end]);) ++end;
    if (end + 1 < line.size() && line[end] == 'e' &&
        (is_digit(line[end + 1]) || line[end + 1] == '-'))
        for (end += 2; end < line.size() && is_digit(line[end]);) ++end;
    if (end < line.size() && is_of_word(line[end])) return at;
    // "(int[3]){": a type.
    for (const std::string_view type : {"int[", "MPI_Aint[", "MPI_Datatype[", "]["})
        if (line.substr(0, at).ends_with(type)) return at;
    return end;
}

/// A line with words in quotation marks has no numbers: they may be words.
Line read(std::string_view text) {
    Line line;
    line.words.emplace_back();
    const bool quotes = text.find('"') != std::string_view::npos;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = quotes ? at : end_of_number(text, at);
        if (end == at) {
            // With it digits of a name, or of what is no number for a table.
            const bool word = is_of_word(text[at]);
            line.words.back() += text[at++];
            while (word && at < text.size() && is_of_word(text[at]))
                line.words.back() += text[at++];
            continue;
        }
        line.numbers.emplace_back(text.substr(at, end - at));
        line.words.emplace_back();
        at = end;
    }
    return line;
}

bool is_whole(const std::string& number) {
    return number.find_first_of(".e") == std::string::npos;
}

class Folder {
  public:
    explicit Folder(const std::string& text) {
        std::map<std::string, std::size_t> known;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            raw_.push_back(std::string_view(text).substr(at, end - at));
            lines_.push_back(read(raw_.back()));
            kinds_.push_back(
                known.try_emplace(lines_.back().skeleton(), known.size()).first->second);
            at = end + 1;
        }
        for (std::size_t period = 1; period <= period_max; ++period) find_repeats(period);
    }

    [[nodiscard]] std::string text() const {
        std::string all;
        for (std::size_t at = 0; at < lines_.size();) {
            const std::optional<Repeat> repeat = best_at(at);
            if (!repeat) {
                all += std::string(raw_[at++]) + "\n";
                continue;
            }
            all += loop(at, *repeat);
            at += repeat->period * repeat->turns;
        }
        return all;
    }

  private:
    struct Repeat {
        std::size_t period = 0, turns = 0;
    };

    /// same_[period - 1][at]: how many lines from `at` on are like those `period` lines behind them.
    void find_repeats(std::size_t period) {
        std::vector<std::size_t> same(lines_.size(), 0);
        for (std::size_t at = lines_.size(); at-- > 0;)
            if (at + period < lines_.size() && kinds_[at] == kinds_[at + period])
                same[at] = 1 + (at + 1 < lines_.size() ? same[at + 1] : 0);
        same_.push_back(std::move(same));
    }

    /// What repeats from here on and has most lines; of these the shortest.
    [[nodiscard]] std::optional<Repeat> best_at(std::size_t at) const {
        std::optional<Repeat> best;
        for (std::size_t period = 1; period <= period_max; ++period) {
            const Repeat found{period, same_[period - 1][at] / period + 1};
            if (found.turns < turns_min || found.turns * period < lines_min) continue;
            if (best && found.turns * period <= best->turns * best->period) continue;
            if (stands_alone(at, period)) best = found;
        }
        return best;
    }

    /// Whether lines are statements that are whole: none begins before them or ends behind them.
    [[nodiscard]] bool stands_alone(std::size_t at, std::size_t count) const {
        if (at > 0 && !ends_statement(at - 1) && lines_[at - 1].last() != '{') return false;
        if (!ends_statement(at + count - 1)) return false;
        int depth = 0;
        for (std::size_t i = at; i < at + count; ++i) {
            if (raw_[i].empty() || lines_[i].indent() < lines_[at].indent()) return false;
            for (const char letter : raw_[i]) {
                depth += (letter == '{') - (letter == '}');
                if (depth < 0) return false;
            }
        }
        return depth == 0;
    }
    [[nodiscard]] bool ends_statement(std::size_t at) const {
        return lines_[at].last() == ';' || lines_[at].last() == '}';
    }

    [[nodiscard]] std::string loop(std::size_t at, const Repeat& repeat) const {
        const std::string indent(lines_[at].indent(), ' ');
        std::string body;
        std::vector<std::pair<std::size_t, std::size_t>> whole,
            seconds;  // line of a turn, number of a line
        for (std::size_t i = 0; i < repeat.period; ++i) {
            const Line& line = lines_[at + i];
            body += "        " + line.words[0];
            for (std::size_t k = 0; k < line.numbers.size(); ++k) {
                bool varies = false, all_whole = true;
                for (std::size_t turn = 0; turn < repeat.turns; ++turn) {
                    const std::string& number = lines_[at + turn * repeat.period + i].numbers[k];
                    varies = varies || number != line.numbers[k];
                    all_whole = all_whole && is_whole(number);
                }
                auto& column = all_whole ? whole : seconds;
                body += varies ? std::string("row[k].") + (all_whole ? "n[" : "s[") +
                                     std::to_string(column.size()) + "]"
                               : line.numbers[k];
                if (varies) column.emplace_back(i, k);
                body += line.words[k + 1];
            }
            body += "\n";
        }
        std::string members, rows;
        if (!whole.empty()) members += " long n[" + std::to_string(whole.size()) + "];";
        if (!seconds.empty()) members += " double s[" + std::to_string(seconds.size()) + "];";
        for (std::size_t turn = 0; turn < repeat.turns && !members.empty(); ++turn) {
            std::string row;
            for (const auto* const columns : {&whole, &seconds}) {
                if (columns->empty()) continue;
                std::string list;
                for (const auto& [line, number] : *columns)
                    list += (list.empty() ? "" : ", ") +
                            lines_[at + turn * repeat.period + line].numbers[number];
                row += (row.empty() ? "{" : ", {") + list + "}";
            }
            rows += indent + "        {" + row + "},\n";
        }
        std::string text = indent + "{\n";
        if (!rows.empty())
            text += indent + "    static const struct {" + members + " } row[] = {\n" + rows +
                    indent + "    };\n";
        return text + indent + "    for (int k = 0; k < " + std::to_string(repeat.turns) +
               "; k++) {\n" + body + indent + "    }\n" + indent + "}\n";
    }

    std::vector<std::string_view> raw_;
    std::vector<Line> lines_;
    std::vector<std::size_t> kinds_;  // equal: the same but for numbers
    std::vector<std::vector<std::size_t>> same_;
};

}  // namespace

std::string folded_lines(const std::string& text) {
    return Folder(text).text();
}

}  // namespace refrain::proxy
