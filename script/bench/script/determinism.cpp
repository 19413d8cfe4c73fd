#include "engine/scheduler.hpp"
#include "refrain/script/script.hpp"
#include "scripting/session.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>

#include "programs/random_program.hpp"
#include "script/rows.hpp"

/// Random programs: what they print depends neither on level and workers, nor on the order of messages and tasks.
namespace script_bench {
namespace {

using refrain::script::RunOptions;
using refrain::script::RunResult;
using refrain::script::Session;
namespace schedules = refrain::script::schedules_test;

constexpr std::uint64_t schedules_each = 100;

struct Printed {
    std::vector<std::string> lines;
    RunResult result;
};
Printed printed(const Session& session, RunOptions options) {
    std::string all;
    options.on_output = [&](const std::string& more) { all += more; };
    Printed made;
    made.result = session.run(options);
    std::istringstream stream(all);
    for (std::string line; std::getline(stream, line);) made.lines.push_back(line);
    std::ranges::sort(made.lines);
    return made;
}
Session compiled(const std::string& text, int level) {
    RunOptions options;
    options.level = level;
    return {"random.swift", text, options};
}
Printed interpreted(const Session& session) {
    RunOptions options;
    options.sequential = true;
    return printed(session, options);
}

/// How a run differs from the right one; empty if it does not. What dead code would have waited for, or failed at, may be gone.
std::string difference(const Printed& right, const std::vector<std::string>& lines, bool worse,
                       std::size_t left) {
    if (lines != right.lines) return "other output";
    if (worse) return "a failure";
    return left == 0 ? "" : std::to_string(left) + " data are left";
}

/// At every level, by one and by two workers.
std::string differs(const std::string& text) {
    const Session plain = compiled(text, 0);
    const Printed right = interpreted(plain);
    for (const int level : {0, 1, 2, 3}) {
        const Session session = level == 0 ? plain : compiled(text, level);
        for (const std::uint32_t workers : {1U, 2U}) {
            RunOptions options;
            options.workers = workers;
            const Printed made = printed(session, options);
            const bool worse = right.result.status == 0 && made.result.status != 0;
            const std::size_t left = made.result.tasks_waiting == 0 ? made.result.data_left : 0;
            if (std::string how = difference(right, made.lines, worse, left); !how.empty())
                return how + " at O" + std::to_string(level) + " by " + std::to_string(workers);
        }
    }
    return {};
}

/// In every order of messages and tasks that is tried: of 2 to 4 ranks, by inboxes and by links; at O0 and at O3.
std::string differs_by_schedule(const std::string& text, std::uint64_t seed) {
    const Session plain = compiled(text, 0);
    const Printed right = interpreted(plain);
    for (const int level : {0, 3}) {
        const auto program = std::make_shared<schedules::Scheduled>(
            level == 0 ? plain.program() : compiled(text, level).program());
        for (std::uint64_t i = 0; i < schedules_each / 2; ++i) {
            const auto network =
                i % 2 == 0 ? schedules::Network::inboxes : schedules::Network::links;
            const auto ranks = static_cast<refrain::script::engine::Rank>(2 + i / 2 % 3);
            const auto made =
                schedules::Scheduler(program, ranks, seed * schedules_each + i, network).run();
            const std::size_t left = made.waiting == 0 ? made.data : 0;
            if (std::string how = difference(right, made.lines, false, left); !how.empty())
                return how + " at O" + std::to_string(level) + " in schedule " + std::to_string(i);
        }
    }
    return {};
}

/// The share, in per cent, of programs of which `differs` is empty; the others are named.
template <class Differs>
double equal_share(const char* what, std::uint64_t first, std::uint64_t programs, Differs differs) {
    std::uint64_t equal = 0;
    for (std::uint64_t seed = first; seed < first + programs; ++seed) {
        const std::string how = differs(refrain::script::make_random_program(seed).text(), seed);
        if (how.empty())
            ++equal;
        else
            std::fprintf(stderr, "random program %llu differs by %s: %s\n",
                         static_cast<unsigned long long>(seed), what, how.c_str());
        if ((seed + 1) % 1000 == 0)
            std::fprintf(stderr, "%s: %llu programs, %llu equal\n", what,
                         static_cast<unsigned long long>(seed + 1 - first),
                         static_cast<unsigned long long>(equal));
    }
    return 100 * static_cast<double>(equal) / static_cast<double>(programs);
}

}  // namespace

void add_determinism(std::vector<Row>& rows, std::uint64_t first, std::uint64_t programs) {
    rows.push_back({"determinism", "%", 100, true, 0, true, [=] {
                        return equal_share(
                            "levels or workers", first, programs,
                            [](const std::string& text, std::uint64_t) { return differs(text); });
                    }});
    rows.push_back({"schedules", "%", 100, true, 0, true, [=] {
                        const std::uint64_t some = std::max<std::uint64_t>(1, programs / 10);
                        return equal_share("schedules", first, some, differs_by_schedule);
                    }});
}

}  // namespace script_bench
