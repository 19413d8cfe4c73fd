#include "commands/grammar_run.hpp"

#include "strings/run_grammar.hpp"

#include <cstddef>
#include <cstdio>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace refrain::commands {
namespace {

constexpr std::uint64_t lines_per_report = 1000000;

/// As the stream may have it.
std::string text_of(const StreamLine& line) {
    switch (line.kind) {
        case StreamLine::Kind::untraceable:
            return "!";
        case StreamLine::Kind::wait:
            return "?";
        case StreamLine::Kind::ignorable:
            return ".";
        case StreamLine::Kind::operation:
            break;
    }
    if (line.token.high == 0) return std::to_string(line.token.low);
    char text[40];
    std::snprintf(text, sizeof text, "0x%llx%016llx",
                  static_cast<unsigned long long>(line.token.high),
                  static_cast<unsigned long long>(line.token.low));
    return text;
}

}  // namespace

void print_grammar(std::ostream& out, OperationReader& reader,
                   const std::function<void(std::uint64_t)>& progress) {
    strings::RunGrammar grammar;
    std::vector<std::string> texts;  // by terminal
    std::map<std::string, std::uint32_t> terminals;
    StreamLine line;
    for (std::uint64_t count = 1; reader.next(line); ++count) {
        const auto [known, is_new] =
            terminals.try_emplace(text_of(line), static_cast<std::uint32_t>(texts.size()));
        if (is_new) texts.push_back(known->first);
        grammar.append(known->second);
        if (count % lines_per_report == 0) progress(reader.line_number());
    }
    const strings::Grammar rules = grammar.grammar();
    for (std::size_t rule = 0; rule < rules.size(); ++rule) {
        out << 'R' << rule << " =";
        for (const strings::Run& run : rules[rule]) {
            out << ' ' << (run.is_rule ? "R" + std::to_string(run.symbol) : texts[run.symbol]);
            if (run.count != 1) out << '^' << run.count;
        }
        out << '\n';
    }
}

}  // namespace refrain::commands
