/// Checks that observation does not grow with a run: the memory of a process that writes a report,
/// a timeline and a log of its operations is constant after warm-up, and the files of the report
/// and the timeline have a bounded size.
///
///     flat_report 100000000                         operations
///
/// The log, which has a line per operation, goes to /dev/null. Prints a summary of the samples.
/// Exits with 1 if something grew.

#include "refrain/refrain.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include "memory/resident_memory.hpp"

namespace {

using namespace refrain;

/// One of 5000 names, which live as long as the process: the report at the end uses them.
const char* foreign_name(std::uint64_t number) {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> made;
        for (int i = 0; i < 5000; ++i) made.push_back("foreign " + std::to_string(i));
        return made;
    }();
    return names[number % names.size()].c_str();
}

/// Two alternating operations of two tiny tasks each. Every hundredth operation is another one,
/// with a random number of tasks, under one of more names than a report has room for.
class Program {
  public:
    explicit Program(Runtime& runtime) : runtime_(runtime) {
        runtime_.fill(x_, 1.0);
        runtime_.fill(y_, 1.0);
    }

    void step(std::uint64_t number) {
        if (number % 100 == 99)
            foreign(number / 100);
        else if (number % 2 == 0)
            runtime_.launch("there", tiles_.colours(), copy, read(x_, tiles_), write(y_, tiles_));
        else
            runtime_.launch("back", tiles_.colours(), copy, read(y_, tiles_), write(x_, tiles_));
    }
    /// By then every name was used many times, and each thread's buffer of spans is full.
    static constexpr std::uint64_t warm_up = 20'000'000;

  private:
    void foreign(std::uint64_t number) {
        const Partition<1>& by = partitions_[random_() % partitions_.size()];
        runtime_.launch(foreign_name(number), by.colours(), touch, read_write(x_, by));
    }
    static void copy(View<const double, 1> from, View<double, 1> to) {
        for (const Point<1>& p : to.domain()) to[p] = from[p];
    }
    static void touch(View<double, 1> x) {
        for (const Point<1>& p : x.domain()) x[p] /= 2;
    }

    static constexpr std::int64_t elements = 8;

    Runtime& runtime_;
    std::mt19937_64 random_{1};
    Partition<1> tiles_ = tiles(extents(elements), 2);
    std::vector<Partition<1>> partitions_ = [] {
        std::vector<Partition<1>> made;
        for (std::int64_t pieces = 1; pieces <= elements; ++pieces)
            made.push_back(tiles(extents(elements), pieces));
        return made;
    }();
    Region<double, 1> x_ = runtime_.create_region<double>(extents(elements), "x");
    Region<double, 1> y_ = runtime_.create_region<double>(extents(elements), "y");
};

std::uint64_t operations_of(int argc, char** argv) {
    const std::uint64_t operations = argc == 2 ? std::stoull(argv[1]) : 0;
    if (operations < 2 * Program::warm_up)
        throw std::invalid_argument("flat_report: give the number of operations, at least " +
                                    std::to_string(2 * Program::warm_up));
    return operations;
}

/// Temporary files, which the destructor removes.
struct Files {
    std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("flat_report." + std::to_string(::getpid()));
    std::string report = (folder / "report.html").string();
    std::string timeline = (folder / "timeline.json").string();

    Files() { std::filesystem::create_directories(folder); }
    ~Files() { std::filesystem::remove_all(folder); }
    Files(const Files&) = delete;
    Files& operator=(const Files&) = delete;
    Files(Files&&) = delete;
    Files& operator=(Files&&) = delete;
};

bool is_bounded(const char* what, const std::string& file, std::uintmax_t bytes_max) {
    const std::uintmax_t bytes = std::filesystem::file_size(file);
    const bool has_content = bytes > 1000;
    std::printf("%s: %.2f MiB, at most %.2f\n", what, static_cast<double>(bytes) / (1 << 20),
                static_cast<double>(bytes_max) / (1 << 20));
    return has_content && bytes <= bytes_max;
}

/// Memory for recorded loops: 131,072 operations and four times as many edges. It fills up slowly
/// here, since a precedent may be any multiple of a hundred operations ago. One byte per operation
/// of the run would be twenty times as much.
constexpr std::uint64_t room_for_loops = std::uint64_t{4} << 20;

bool run(std::uint64_t operations, const Files& files) {
    Options options = Options::from_environment();
    options.workers = 2;
    options.observe.report = files.report;
    options.observe.timeline = files.timeline;
    options.observe.log_stream = "/dev/null";
    bool is_flat = false;
    {
        Runtime runtime(options);
        Program program(runtime);
        const auto bytes = memory_test::sample(operations, Program::warm_up,
                                               [&](std::uint64_t number) { program.step(number); });
        std::printf("%llu operations, ", static_cast<unsigned long long>(operations));
        is_flat = memory_test::is_flat(bytes, room_for_loops);
        std::fputs(runtime.statistics().to_string().c_str(), stdout);
    }
    // 4096 launch sites, 2000 samples, loops of 131,072 operations; 16,384 spans of three threads.
    const bool report = is_bounded("report", files.report, std::uintmax_t{8} << 20);
    const bool timeline = is_bounded("timeline", files.timeline, std::uintmax_t{3} * 16384 * 200);
    return is_flat && report && timeline;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Files files;
        return run(operations_of(argc, argv), files) ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
