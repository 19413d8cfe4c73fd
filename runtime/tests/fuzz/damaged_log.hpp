/// Damages logs of streams, and checks what `refrain mine` and `refrain report` make of them: an error
/// that says where it is, or figures that are right for the file as it is.
#pragma once

#include "commands/inline_report.hpp"
#include "commands/inline_run.hpp"
#include "commands/mining_run.hpp"
#include "commands/operation_reader.hpp"
#include "commands/stream_report.hpp"
#include "page/run_data.hpp"

#include <cstdint>
#include <exception>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace refrain::damaged_log {

/// What is in a log, by a reading of its own.
struct Contents {
    std::uint64_t traceable = 0;
    std::uint64_t others = 0;    // operations that have no token
    std::uint64_t bad_line = 0;  // the first line of no kind; 0: there is none
};

inline bool is_token(const std::string& text) {
    const bool is_hexadecimal = text.rfind("0x", 0) == 0 || text.rfind("0X", 0) == 0;
    const std::string digits = text.substr(is_hexadecimal ? 2 : 0);
    const std::string allowed = is_hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
    if (digits.empty() || digits.find_first_not_of(allowed) != std::string::npos) return false;
    const std::size_t leading = digits.find_first_not_of('0');
    const std::size_t length = leading == std::string::npos ? 0 : digits.size() - leading;
    return is_hexadecimal ? length <= 32 : length <= 38;  // 39 digits may be too many
}

inline Contents contents_of(const std::string& log) {
    Contents found;
    std::istringstream lines(log);
    std::uint64_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const char* white = " \t\r\v\f";
        const std::size_t begin = line.find_first_not_of(white);
        if (begin == std::string::npos || line[begin] == '#') continue;
        line = line.substr(begin, line.find_last_not_of(white) - begin + 1);
        if (line == "?") continue;
        if (line == "!" || line == ".") {
            ++found.others;
        } else if (is_token(line)) {
            ++found.traceable;
        } else {
            found.bad_line = number;
            break;
        }
    }
    return found;
}

/// What is wrong with the page; empty if nothing is.
inline std::string fault_of_page(const page::RunData& run, const Contents& contents) {
    if (run.operations != contents.traceable || run.without_token != contents.others)
        return "the page counts " + std::to_string(run.operations) + " operations, not " +
               std::to_string(contents.traceable);
    if (run.replayed + run.recorded + run.analysed != run.operations)
        return "the kinds of operations do not add up";
    std::uint64_t by_site = 0;
    for (const LaunchSiteReport& site : run.sites) by_site += site.operations;
    if (by_site != run.operations) return "the operations of the sites do not add up";
    const auto data = nlohmann::json::parse(page::page_data(run));  // throws unless it is JSON
    if (data["operations"] != run.operations) return "the page's data are others";
    return "";
}

inline autotrace::Options mining_options() {
    autotrace::Options options;
    options.synchronous_mining = true;
    options.history_tokens = 256;
    options.multi_scale_factor = 32;
    return options;
}

/// Reads a log; returns what is wrong. `read(stream)` returns what is wrong with the result.
template <class Read>
std::string fault_of_reading(const std::string& log, const Contents& contents, Read&& read) {
    std::istringstream stream(log);
    try {
        const std::string fault = read(stream);
        if (!fault.empty()) return fault;
        return contents.bad_line == 0 ? "" : "a bad line is accepted";
    } catch (const commands::MalformedLine& error) {
        const std::string place = "log:" + std::to_string(contents.bad_line) + ": ";
        if (contents.bad_line != 0 && std::string(error.what()).rfind(place, 0) == 0) return "";
        return "the error should say " + place + "but is " + error.what();
    } catch (const std::exception& error) {
        return std::string("an error of another kind: ") + error.what();
    }
}

/// What is wrong with what the commands make of a log; empty if nothing is.
inline std::string fault_of(const std::string& log) {
    const Contents contents = contents_of(log);
    const std::uint64_t all = contents.traceable + contents.others;
    std::string fault = fault_of_reading(log, contents, [&](std::istream& stream) {
        return fault_of_page(commands::report_on_stream_inline(stream, "log").run, contents);
    });
    if (!fault.empty()) return "report: " + fault;
    fault = fault_of_reading(log, contents, [&](std::istream& stream) {
        return fault_of_page(commands::report_on_stream(stream, "log", mining_options()).run,
                             contents);
    });
    if (!fault.empty()) return "report, mined: " + fault;
    fault = fault_of_reading(log, contents, [&](std::istream& stream) -> std::string {
        commands::OperationReader reader(stream, "log");
        const auto outcome = commands::run_inline(reader, [](std::uint64_t) {});
        return outcome.operations == all ? "" : "wrong number of operations";
    });
    if (!fault.empty()) return "mine, inline: " + fault;
    fault = fault_of_reading(log, contents, [&](std::istream& stream) -> std::string {
        commands::OperationReader reader(stream, "log");
        const auto outcome = commands::run_mining(reader, mining_options(), [](std::uint64_t) {});
        return outcome.statistics.traceable == contents.traceable ? "" : "wrong number of tokens";
    });
    return fault.empty() ? "" : "mine: " + fault;
}

/// Calls f(damaged) for the log cut at each byte, and with each byte altered in several ways.
template <class F>
void for_each_damage(const std::string& log, std::initializer_list<char> letters, F&& f) {
    for (std::size_t at = 0; at < log.size(); ++at) {
        f(log.substr(0, at));
        std::string damaged = log;
        for (const char letter : letters) {
            damaged[at] = letter;
            f(damaged);
        }
        damaged[at] = static_cast<char>(log[at] ^ 1);
        f(damaged);
    }
}

}  // namespace refrain::damaged_log
