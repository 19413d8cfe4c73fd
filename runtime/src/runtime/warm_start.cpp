#include "runtime/warm_start.hpp"

#include "refrain/error.hpp"
#include "runtime/history_writer.hpp"
#include "runtime/program_image.hpp"
#include "trace/rehearsal.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <unistd.h>

namespace refrain::runtime {
namespace {

using trace::SavedHistory;

/// Accesses that walks may go past while a file is taken over: some hundredths of a second, or seconds if each is new.
constexpr std::uint64_t hops_max = std::uint64_t{1} << 22;
struct TooMuch {};

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

/// Beside the file, and nobody else's.
std::string temporary_name(const std::string& file) {
    static std::atomic<unsigned> names{0};
    return file + "." + std::to_string(::getpid()) + "." +
           std::to_string(names.fetch_add(1, std::memory_order_relaxed));
}

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
    throw UsageError("option traces: cannot write '" + file + "': " + why +
                     "; name a file in a folder that can be written");
}

using Clock = std::chrono::steady_clock;

std::string time_since(Clock::time_point begin) {
    const auto passed = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
    return std::to_string(passed.count()) + " us";
}

/// Tasks of the history in this run. What is not in the program now never matches.
std::vector<const void*> tasks_in_this_run(const SavedHistory& history, const ProgramImage& image) {
    std::vector<const void*> tasks;
    for (const SavedHistory::Task& task : history.tasks) {
        const SavedHistory::Module& module = history.modules[task.module];
        const void* function = image.function_at(module.name, module.mark, task.offset);
        const std::uintptr_t nobody = 2 * tasks.size() + 1;
        tasks.push_back(function != nullptr ? function : reinterpret_cast<const void*>(nobody));
    }
    return tasks;
}

}  // namespace

WarmStart::WarmStart(const Options& options, Pipeline& pipeline, InlineHost& host)
    : file_(options.traces),
      table_bytes_(options.analysis_bytes / 2),
      pipeline_(pipeline),
      host_(host),
      window_(static_cast<std::uint32_t>(options.window)),
      exists_(check_file()) {}

/// Whether there is one; that it can be written is found out now, not at the end.
bool WarmStart::check_file() const {
    std::error_code error;
    const auto status = std::filesystem::status(file_, error);
    if (std::filesystem::is_directory(status)) refuse(file_, "it is a folder");
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        refuse(file_, "it is no regular file");
    if (std::filesystem::exists(status) && ::access(file_.c_str(), W_OK) != 0)
        refuse(file_, std::strerror(errno));
    const std::string temporary = temporary_name(file_);
    if (!File(std::fopen(temporary.c_str(), "wbx"))) refuse(file_, std::strerror(errno));
    std::remove(temporary.c_str());
    return std::filesystem::exists(status);
}

void WarmStart::say(LogLevel level, const std::string& what) const {
    pipeline_.log().say(level, "option traces: '" + file_ + "' " + what);
}

void WarmStart::warn(const std::string& what) const {
    say(LogLevel::warning, what);
}

void WarmStart::load() {
    if (!exists_) return;
    const auto begin = Clock::now();
    std::vector<std::uint64_t> words;
    trace::DecodedHistory decoded;
    decoded.problem = read(words);
    if (decoded.problem.empty()) decoded = trace::decode(words);
    if (decoded.problem.empty() && decoded.history.program != ProgramImage().mark())
        decoded.problem = "another program wrote it, or another build of this one";
    if (!decoded.problem.empty())
        return warn("is not used: " + decoded.problem + "; it will be written anew");
    const std::string problem = rehearse(decoded.history);
    is_loaded_ = problem.empty();
    if (!is_loaded_) warn("is not used as a whole: " + problem);
    say(LogLevel::info, "was read in " + time_since(begin) + ", " +
                            std::to_string(words.size() * sizeof(std::uint64_t)) + " bytes, " +
                            std::to_string(decoded.history.sequence.size()) + " operations");
}

/// What is wrong with it, if something is.
std::string WarmStart::read(std::vector<std::uint64_t>& words) const {
    const File file(std::fopen(file_.c_str(), "rb"));
    if (!file) return std::strerror(errno);
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(file_, error);
    if (error) return error.message();
    if (bytes > SavedHistory::Limits::words * sizeof(std::uint64_t)) return "it is too large";
    words.resize((bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
    const std::size_t read = std::fread(words.data(), 1, bytes, file.get());
    if (read != bytes) return "it cannot be read";
    if (bytes % sizeof(std::uint64_t) != 0) return "it is cut off";
    return {};
}

std::string WarmStart::rehearse(const SavedHistory& history) {
    const std::size_t room = host_.recogniser().capacity() / 2;
    const std::size_t count = history.sequence.size();
    std::string problem;
    if (count > room)
        problem = "the newest " + std::to_string(room) + " operations of " + std::to_string(count) +
                  " are half of what is remembered (history)";
    pipeline_.allow_tables(table_bytes_);
    try {
        launch(history, count - std::min(count, room));
    } catch (const TooMuch&) {
        problem = "its operations are too many to be taken over in time";
    } catch (const analysis::TableFull&) {
        pipeline_.reset_tables();
        host_.forget();
        problem = "nothing of it fits into half of analysis-bytes";
    }
    pipeline_.allow_tables(std::numeric_limits<std::size_t>::max());
    host_.begin_run();
    return problem;
}

void WarmStart::launch(const SavedHistory& history, std::size_t first) {
    std::vector<analysis::FootprintId> footprints;
    for (const SavedHistory::Subsets& subsets : history.footprints) {
        if (pipeline_.table_bytes() > table_bytes_) throw analysis::TableFull{};
        footprints.push_back(pipeline_.footprints().intern(subsets));
    }
    trace::Rehearsal rehearsal(history, tasks_in_this_run(history, ProgramImage()),
                               std::move(footprints), window_);
    trace::Tracer& tracer = pipeline_.tracer();
    tracer.rehearse_from(rehearsal.number());
    for (std::size_t at = first; at < history.sequence.size(); ++at) {
        if (pipeline_.hops() > hops_max) throw TooMuch{};
        if (history.sequence[at] == SavedHistory::gap) {
            host_.interrupt();
            tracer.rehearse_from(rehearsal.gap());
            continue;
        }
        const std::uint64_t number = rehearsal.number();
        host_.rehearse(number, rehearsal.launch(history.sequence[at]));
    }
}

bool WarmStart::has_news() const {
    const trace::TraceCounters& counters = pipeline_.tracer().counters();
    return !is_loaded_ || counters.analysed + counters.recorded + counters.walked_in_replay != 0;
}

void WarmStart::save() noexcept {
    try {
        if (!has_news()) return;
        const auto begin = Clock::now();
        const SavedHistory history =
            HistoryWriter(host_.recogniser(), pipeline_.footprints()).write();
        if (history.sequence.empty() || !write(trace::encode(history))) return;
        say(LogLevel::info, "was written in " + time_since(begin) + ", " +
                                std::to_string(history.sequence.size()) + " operations");
    } catch (const std::exception& error) {
        warn(std::string("was not written: ") + error.what());
    }
}

bool WarmStart::write(std::span<const std::uint64_t> words) const {
    if (words.size() > SavedHistory::Limits::words) {
        warn("was not written: it got too large; it is as it was");
        return false;
    }
    const std::string temporary = temporary_name(file_);
    std::FILE* file = std::fopen(temporary.c_str(), "wbx");
    bool is_written = file != nullptr;
    if (file != nullptr) {
        is_written =
            std::fwrite(words.data(), sizeof(std::uint64_t), words.size(), file) == words.size();
        is_written = std::fclose(file) == 0 && is_written;
    }
    if (is_written && std::rename(temporary.c_str(), file_.c_str()) == 0) return true;
    const int error = errno;
    std::remove(temporary.c_str());
    warn(std::string("was not written: ") + std::strerror(error) + "; it is as it was");
    return false;
}

}  // namespace refrain::runtime
