#include "proxy_commands/run.hpp"

#include "base/text.hpp"
#include "cli/output_of.hpp"
#include "events/choices.hpp"
#include "generate/blocks.hpp"
#include "merge/consistent.hpp"
#include "merge/parts.hpp"
#include "proxy_commands/call_sites.hpp"
#include "proxy_commands/processes.hpp"
#include "proxy_commands/stage.hpp"
#include "recorder/papi.hpp"
#include "refrain/error.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace refrain::proxy {
namespace {

namespace fs = std::filesystem;

/// What runs a program under the counts tool.
std::vector<std::string> counts_words() {
    const fs::path tools = library_folder() / "valgrind";
    if (!fs::exists(tools / "refraincounts-amd64-linux"))
        throw UsageError(
            "there is no counts tool: " + (tools / "refraincounts-amd64-linux").string() +
            " is missing; build Refrain where Debian's package valgrind is installed");
    setenv("VALGRIND_LIB", tools.c_str(), 1);
    // Valgrind runs one thread at a time: an OpenMP thread that spins keeps those from running that it waits for.
    setenv("OMP_WAIT_POLICY", "passive", 0);
    // Without following jumps into one block, where Valgrind leaves out branches that it can foresee.
    return {"valgrind", "-q", "--tool=refraincounts", "--vex-guest-chase=no"};
}

/// The command with the counts tool in front of the program; smpirun takes it as one of its options.
std::vector<std::string> counted_words(std::vector<std::string> words, const Target& target) {
    if (target.program >= words.size())
        throw UsageError("--metrics counts: which word of the command is the MPI program?");
    std::vector<std::string> tool = counts_words();
    std::size_t place = target.program;
    if (target.is_simulated()) {
        const std::optional<std::size_t> smpirun = find_smpirun(words);
        if (!smpirun)
            throw UsageError(
                "--metrics counts: no word of the command is smpirun, which starts the tool");
        std::string whole;
        for (const std::string& word : tool) whole += (whole.empty() ? "" : " ") + word;
        tool = {"-wrapper", whole};
        place = *smpirun + 1;
    }
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(place), tool.begin(), tool.end());
    return words;
}

void set_environment(const Target& target, const std::string& folder,
                     const RecordSettings& settings) {
    setenv("REFRAIN_PROXY_METRICS", settings.metrics.c_str(), 1);
    setenv("REFRAIN_PROXY_CHECKPOINT", settings.checkpoint.c_str(), 1);
    setenv("REFRAIN_PROXY_MEMORY", settings.memory.c_str(), 1);
    setenv("REFRAIN_PROXY_START", settings.start.c_str(), 1);
    setenv("REFRAIN_PROXY_STOP", settings.stop.c_str(), 1);
    setenv("REFRAIN_PROXY_CALLERS", settings.callers ? "1" : "0", 1);
    setenv("REFRAIN_PROXY_RUN", fs::absolute(folder).c_str(), 1);
    if (target.interposer.empty()) return;
    std::string preload = target.interposer + ":" + target.counter;
    if (const char* before = std::getenv("LD_PRELOAD"); before != nullptr && *before != '\0')
        preload += std::string(":") + before;
    setenv("LD_PRELOAD", preload.c_str(), 1);
}

std::string rank_file(const std::string& folder, std::uint32_t rank, const std::string& part = "") {
    return folder + "/rank-" + std::to_string(rank) + part + ".rpr";
}

/// Whether there is such a source here, before the program runs: it would have run for nothing.
///
/// Errors: UsageError that says what is missing
void check_metrics(const std::string& metrics, const Target& target) {
    if (metrics == "time" || metrics == "counts" || metrics == "perf") return;
    if (metrics != "papi")
        throw UsageError("--metrics " + metrics + ": there is time, counts, perf and papi");
    if (target.is_simulated())
        throw UsageError(
            "--metrics papi: simulated ranks share one thread, and PAPI counts threads; --metrics "
            "counts counts them one by one");
    const Papi papi;
    if (!papi.problem().empty()) throw UsageError("--metrics papi: " + papi.problem());
    if (papi.missing().empty()) return;
    std::cerr << "refrain proxy: PAPI does not count here: " << base::joined(papi.missing())
              << "; they stay 0\n";
}

/// Errors: UsageError that names the option
void check_settings(const RecordSettings& settings) {
    constexpr const char* points =
        "': seconds after MPI_Init (2.5s), or the number of a call of each rank (1000) are wanted";
    for (const auto& [name, words] :
         {std::pair("--start", settings.start), {"--stop", settings.stop}}) {
        if (words.empty()) continue;
        const auto point = read_run_point(words);
        const bool begins = std::string(name) == "--start";
        if (!point || (!begins && point->kind == RunPoint::Kind::pcontrol))
            throw UsageError(std::string(name) + " '" + words + points +
                             (begins ? ", or pcontrol" : ""));
    }
    const auto start = read_run_point(settings.start), stop = read_run_point(settings.stop);
    if (start && stop && start->kind == stop->kind &&
        std::pair(stop->seconds, stop->calls) <= std::pair(start->seconds, start->calls))
        throw UsageError("--stop '" + settings.stop + "' is not behind --start '" + settings.start +
                         "': nothing would be recorded");
    if (!read_number(settings.checkpoint))
        throw UsageError("--checkpoint '" + settings.checkpoint +
                         "': seconds are wanted, as in 10 or 0.5");
    const auto memory = read_bytes(settings.memory);
    constexpr std::uint64_t least = std::uint64_t{1} << 20;
    if (!memory || *memory < least)
        throw UsageError("--memory '" + settings.memory +
                         "': bytes for each rank are wanted, at least 1M, as in 64M");
}

}  // namespace

int record(const std::vector<std::string>& words, const Target& target, const std::string& folder,
           const RecordSettings& settings) {
    check_settings(settings);
    const std::string& metrics = settings.metrics;
    check_metrics(metrics, target);
    const std::vector<std::string> run_words =
        metrics == "counts" ? counted_words(words, target) : words;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw UsageError("cannot make the folder '" + folder + "': " + error.message() +
                         "; name another one with -o");
    // What an earlier run left there must not be taken for this one.
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename();
        if (name.starts_with("rank-") || name.starts_with("counts-") || name == "launch.rpl")
            fs::remove(entry.path());
    }
    Launch launch;
    launch.words = words;
    launch.program = target.program;
    const auto began = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0) {
        set_environment(target, folder, settings);
        setenv("REFRAIN_PROXY_FRESH", "1", 1);
        execvp(run_words[0].c_str(), arguments(run_words).data());
        std::fprintf(stderr, "refrain proxy: cannot run %s: %s\n", run_words[0].c_str(),
                     std::strerror(errno));
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        throw std::runtime_error("cannot start a process");
    launch.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    launch.status = status_of(status);
    if (!replace_file(folder + "/launch.rpl", write(launch)))
        throw std::runtime_error("cannot write into '" + folder + "': " + std::strerror(errno));
    return launch.status;
}

void become(const std::vector<std::string>& words, const Target& target, const std::string& folder,
            const RecordSettings& settings) {
    check_settings(settings);
    std::error_code error;
    fs::create_directories(folder, error);
    set_environment(target, folder, settings);
    execvp(words[0].c_str(), arguments(words).data());
    throw std::runtime_error("cannot run '" + words[0] + "': " + std::strerror(errno));
}

namespace {

/// Whether a rank left a file with something in it: it makes an empty one first, and may be killed then.
bool is_left(const std::string& name) {
    std::error_code error;
    const auto bytes = fs::file_size(name, error);
    return !error && bytes != 0;
}

/// How many ranks the run had: any file of a rank says so. 0 if there is none.
std::uint32_t ranks_in(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".rpr" && entry.path().stem().extension().empty() &&
            is_left(entry.path()))
            names.push_back(entry.path());
    if (names.empty()) return 0;
    const std::string name = *std::min_element(names.begin(), names.end());
    return read_rank(read_whole_file(name), name).size;
}

/// What a rank left: the parts that it wrote when it had its share of memory, and what came behind them.
RankRecording read_parts(const std::string& folder, std::uint32_t rank) {
    std::vector<RankRecording> parts;
    std::error_code error;
    for (;;) {
        const std::string name = rank_file(folder, rank, ".part" + std::to_string(parts.size()));
        if (!fs::exists(name, error)) break;
        parts.push_back(read_rank(read_whole_file(name), name));
    }
    const std::string name = rank_file(folder, rank);
    RankRecording last = read_rank(read_whole_file(name), name);
    // A checkpoint may be of a part that was written later.
    if (last.part > parts.size())
        throw UsageError(
            "'" + name + "' is part " + std::to_string(last.part + 1) +
            " of a recording, and not all parts before it are in the folder; copy them, too");
    if (last.part == parts.size()) parts.push_back(std::move(last));
    return join_parts(std::move(parts));
}

/// What all ranks left; of one that left nothing, a recording without calls.
std::vector<RankRecording> read_ranks(const std::string& folder) {
    const std::uint32_t size = ranks_in(folder);
    if (size == 0)
        throw UsageError("'" + folder +
                         "' is no recording: no process called MPI_Init under the interposer");
    std::vector<RankRecording> ranks;
    Stage reading("reading the ranks", size);
    for (std::uint32_t rank = 0; rank < size; ++rank, reading.advance()) {
        const std::string name = rank_file(folder, rank);
        if (!is_left(name)) {
            RankRecording& missing = ranks.emplace_back();
            missing.rank = rank;
            missing.size = size;
            missing.grammar.resize(1);
            continue;
        }
        ranks.push_back(read_parts(folder, rank));
        if (ranks.back().rank != rank || ranks.back().size != size)
            throw UsageError("'" + name + "' is of rank " + std::to_string(ranks.back().rank) +
                             " of " + std::to_string(ranks.back().size) +
                             "; the folder holds parts of several runs");
    }
    return ranks;
}

/// Which processes of the run are no ranks of the recording, in words; empty if all are.
std::string unrecorded(const std::string& folder) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".spawned")
            return "processes that MPI_Comm_spawn began are not recorded";
        else if (entry.path().extension() == ".twice")
            return "several processes were " + entry.path().stem().string() +
                   ", and only the first of them is recorded";
    return {};
}

std::string incomplete_rank(const RankRecording& recording) {
    const std::string rank = "rank " + std::to_string(recording.rank);
    if (recording.ending == Ending::aborted) return rank + " called MPI_Abort";
    if (recording.events.empty()) return rank + " left no recording";
    return recording.ending == Ending::unfinished ? rank + " did not reach MPI_Finalize" : "";
}

}  // namespace

std::string incomplete(const std::string& folder) {
    try {
        std::string problem = unrecorded(folder);
        if (!problem.empty()) return problem;
        for (const RankRecording& rank : read_ranks(folder))
            // Who aborts is why others do not end.
            if (problem.empty() || rank.ending == Ending::aborted)
                if (const std::string mine = incomplete_rank(rank); !mine.empty()) problem = mine;
        return problem;
    } catch (const std::runtime_error& problem) {
        return problem.what();
    }
}

Recording merge_folder(const std::string& folder) {
    std::vector<RankRecording> ranks = read_ranks(folder);
    const std::vector<std::string> left_out = cut_to_consistent_part(ranks);
    Launch launch;
    std::error_code error;
    const std::string launch_file = folder + "/launch.rpl";
    if (fs::exists(launch_file, error))
        launch = read_launch(read_whole_file(launch_file), launch_file);
    const bool has_gaps = std::any_of(ranks.begin(), ranks.end(),
                                      [](const RankRecording& rank) { return rank.left_out != 0; });
    std::vector<std::string> gaps;
    if (has_gaps) gaps = gaps_of(ranks);
    const std::size_t size = ranks.size();
    Stage merging("merging the ranks", size);
    Recording recording = merge(std::move(ranks), launch, [&] { merging.advance(); });
    name_sites(recording);
    recording.notes.insert(recording.notes.end(), left_out.begin(), left_out.end());
    if (std::string others = unrecorded(folder); !others.empty())
        recording.notes.push_back(std::move(others));
    if (recording.left_out != 0) {
        recording.notes.push_back(std::to_string(recording.left_out) +
                                  " calls were not chosen to be recorded");
        recording.gaps = std::move(gaps);
        return recording;  // the separate counter counted all
    }
    for (std::size_t rank = 0; rank < size; ++rank) {
        const std::string name = folder + "/counts-" + std::to_string(rank) + ".txt";
        if (!fs::exists(name, error)) break;
        recording.counts.push_back(read_whole_file(name));
    }
    return recording;
}

Recording load(const std::string& name) {
    std::error_code error;
    if (fs::is_directory(name, error)) return merge_folder(name);
    const Stage reading("reading the recording");
    return read_recording(read_whole_file(name), name);
}

namespace {

/// A folder that is gone when this is.
struct TemporaryFolder {
    TemporaryFolder() {
        std::string name = (fs::temp_directory_path() / "refrain-proxy-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
            throw std::runtime_error(std::string("cannot make a folder: ") + std::strerror(errno));
        path = name;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code error;
        fs::remove_all(path, error);
    }
    fs::path path;
};

struct NamedNumbers {
    std::string name;
    std::vector<double> numbers;
};

std::vector<NamedNumbers> numbers_in(const std::string& text) {
    std::vector<NamedNumbers> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        NamedNumbers each;
        words >> each.name;
        for (double number = 0; words >> number;) each.numbers.push_back(number);
        lines.push_back(std::move(each));
    }
    return lines;
}

std::string processor_name() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "unknown";
}

/// What a team of OpenMP threads costs, where the compiler makes them as GCC does.
void calibrate_teams(const std::string& cc, const fs::path& folder, Machine& machine) {
    const std::string source = folder / "teams.c", program = folder / "teams";
    if (!replace_file(source, team_calibrator_text(machine.block_kind)) ||
        run_program_into({cc, "-std=c99", "-fopenmp", block_flags, "-o", program, source},
                         folder / "teams.txt") != 0)
        return;
    std::vector<std::string> counting = counts_words();
    counting.push_back(program);
    const std::vector<NamedNumbers> counted = numbers_in(cli::output_of(counting));
    if (counted.size() != 2 || counted[0].numbers.size() != metric_count ||
        counted[1].numbers.size() != metric_count)
        return;
    for (std::size_t k = 0; k < metric_count; ++k) {
        machine.team_part[k] = std::max(counted[0].numbers[k], 0.0);
        machine.team_begin[k] = std::max(counted[1].numbers[k], 0.0);
    }
}

}  // namespace

Machine calibrate(const std::string& cc, BlockKind kind) {
    const Stage measuring("measuring blocks");
    const TemporaryFolder folder;
    const std::string source = folder.path / "calibrator.c", program = folder.path / "calibrator";
    if (!replace_file(source, calibrator_text(kind)))
        throw std::runtime_error("cannot write '" + source + "'");
    if (run_program({cc, "-std=c99", "-Wall", "-Wextra", "-Werror", block_flags, "-o", program,
                     source}) != 0)
        throw UsageError("--cc: '" + cc + "' does not compile the " + name_of(kind) +
                         " blocks; name another compiler" +
                         (kind == BlockKind::assembly
                              ? ", or --blocks portable where the processor is no x86-64"
                              : ""));
    std::vector<std::string> counting = counts_words();
    counting.insert(counting.end(), {program, "counts"});
    const std::vector<NamedNumbers> counted = numbers_in(cli::output_of(counting));
    const std::vector<NamedNumbers> timed = numbers_in(cli::output_of({program, "time"}));
    constexpr std::size_t lines_counted = 2, lines_behind = 3;
    const std::size_t blocks = all_blocks(kind).size();
    if (counted.size() != lines_counted * blocks + lines_behind || timed.size() != blocks + 1)
        throw UsageError("the blocks cannot be counted here: valgrind or its tool does not run");
    Machine machine;
    machine.block_kind = kind;
    machine.name = processor_name();
    machine.compiler = cli::output_of({cc, "--version"});
    machine.compiler.resize(std::min(machine.compiler.size(), machine.compiler.find('\n')));
    for (std::size_t i = 0; i < blocks; ++i) {
        MeasuredBlock block{counted[2 * i].name, {}};
        for (std::size_t k = 0; k < metric_count; ++k)
            block.each[k] = std::max(counted[2 * i].numbers.at(k), 0.0);
        block.each[seconds_row] = std::max(timed[i].numbers.at(0), 0.0);
        // What a call itself counts is a few dozens; anything else has not doubled.
        const double constant = counted[2 * i + 1].numbers.at(0);
        const double doubled = 8192.0 / all_blocks(kind)[i].copies * block.each[0];
        if (std::abs(constant) > 100 + 0.02 * doubled) machine.not_additive.push_back(block.name);
        machine.blocks.push_back(std::move(block));
    }
    // Four blocks were run so often each: without what they do themselves, four shares remain.
    const auto& nothing = counted[2 * blocks].numbers;
    const auto& four = counted[2 * blocks + 1].numbers;
    const auto own = [&](std::size_t row) {
        double sum = 0;
        for (std::size_t i = 0; i < share_rates.size(); ++i)
            sum += share_rates[i] * machine.blocks[i * block_sizes].each[row];
        return sum;
    };
    for (std::size_t k = 0; k < metric_count; ++k) {
        machine.entry[k] = nothing.at(k);
        machine.share[k] = std::max(0.0, (four.at(k) - nothing.at(k) - own(k)) / 4);
        machine.wait[k] = std::max(0.0, counted[2 * blocks + 2].numbers.at(k) - nothing.at(k));
    }
    machine.entry[seconds_row] = timed[blocks].numbers.at(0);
    machine.share[seconds_row] = std::max(
        0.0, (timed[blocks].numbers.at(1) - timed[blocks].numbers.at(0) - own(seconds_row)) / 4);
    machine.wait[seconds_row] =
        std::max(0.0, timed[blocks].numbers.at(2) - timed[blocks].numbers.at(0));
    calibrate_teams(cc, folder.path, machine);
    return machine;
}

}  // namespace refrain::proxy
