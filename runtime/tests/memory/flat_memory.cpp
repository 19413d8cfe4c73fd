/// Checks that the memory of the process is constant after warm-up: in a loop that creates
/// temporaries, and in a program whose repetition is as irregular as possible.
///
///     flat_memory --mode untraced                       10^6 operations
///     flat_memory --mode automatic --operations 100000000
///     flat_memory --mode mined
///     flat_memory --mode adversarial --operations 4000000     automatic, another program
///
/// Prints a summary of the samples. Exits with 1 if a sample after warm-up differs by more than one
/// per cent from the first of them.

#include "refrain/refrain.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "memory/resident_memory.hpp"

namespace {

using namespace refrain;

struct Settings {
    std::uint64_t operations = 1'000'000;
    std::string mode = "untraced";
};

constexpr std::string_view modes[] = {"untraced", "automatic", "mined", "adversarial"};

Settings settings_of(int argc, char** argv) {
    Settings settings;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view name = argv[i];
        const std::string value = argv[i + 1];
        if (name == "--operations")
            settings.operations = std::stoull(value);
        else if (name == "--mode" &&
                 std::find(std::begin(modes), std::end(modes), value) != std::end(modes))
            settings.mode = value;
        else
            throw std::invalid_argument(
                "flat_memory: " + std::string(name) + " " + value +
                ": the options are --operations N and --mode untraced|automatic|mined|adversarial");
    }
    if (argc % 2 == 0)
        throw std::invalid_argument(std::string("flat_memory: ") + argv[argc - 1] +
                                    " has no value");
    return settings;
}

/// x = (b + x) / 2 with temporaries and a residual as a future: four operations per step.
class Program {
  public:
    explicit Program(Runtime& runtime) : runtime_(runtime) {
        runtime_.fill(b_, 1.0);
        runtime_.fill(x_, 0.0);
    }

    void step() {
        const auto sum = array("sum");
        runtime_.launch("add", tiles_.colours(), add, read(b_, tiles_), read(x_, tiles_),
                        write(sum, tiles_));
        const auto half = array("half");
        runtime_.launch("halve", tiles_.colours(), halve, read(sum, tiles_), write(half, tiles_),
                        0.5);
        const Future<double> residual =
            runtime_.launch("residual", difference, read(half), read(x_));
        x_ = array("x");
        runtime_.launch("keep", tiles_.colours(), keep, read(half, tiles_), write(x_, tiles_),
                        residual);
    }
    static constexpr std::uint64_t operations_per_step = 4;
    /// By then the samples of progress and the window have their full size.
    static constexpr std::uint64_t warm_up_operations = 300'000;

    [[nodiscard]] double value() { return runtime_.read(x_)[0]; }

  private:
    using In = View<const double, 1>;
    using Out = View<double, 1>;
    static void add(In b, In x, Out sum) {
        for (const Point<1>& p : sum.domain()) sum[p] = b[p] + x[p];
    }
    static void halve(In from, Out to, double factor) {
        for (const Point<1>& p : to.domain()) to[p] = factor * from[p];
    }
    static double difference(In a, In b) { return a[0] - b[0]; }
    static void keep(In from, Out to, double) {
        for (const Point<1>& p : to.domain()) to[p] = from[p];
    }

    [[nodiscard]] Region<double, 1> array(const char* name) {
        return runtime_.create_region<double>(extents(elements), name);
    }

    static constexpr std::int64_t elements = 64;
    Runtime& runtime_;
    Partition<1> tiles_ = tiles(extents(elements), 4);
    Region<double, 1> b_ = array("b");
    Region<double, 1> x_ = array("x");
};

/// Operations that read one of eight regions and write another. Phases of 10,000 operations
/// alternate: a loop, a random sequence, a loop with interspersed other operations, a loop with
/// random branches.
class Adversary {
  public:
    explicit Adversary(Runtime& runtime) : runtime_(runtime) {
        for (const auto& region : regions_) runtime_.fill(region, 1.0);
    }

    void step() {
        const std::uint64_t phase = steps_ / steps_per_phase % 4;
        const bool left = random_() % 2 == 0;
        for (std::uint64_t i = 0; i < operations_per_step; ++i) {
            if (phase == 1)
                mix(random_() % count, random_() % count, random_() % 8);
            else if (phase == 2 && i == 0 && steps_ % 250 == 0)
                foreign();
            else if (phase == 3 && left)
                mix(i, i + 3, 5);
            else
                mix(i, i + 1, i);
        }
        ++steps_;
    }
    static constexpr std::uint64_t operations_per_step = 4;
    /// By then the history, which loops hardly fill, has its full size, too.
    static constexpr std::uint64_t warm_up_operations = 1'500'000;

    [[nodiscard]] double value() { return runtime_.read(regions_[0])[0]; }

  private:
    static constexpr std::uint64_t count = 8;
    static constexpr std::uint64_t steps_per_phase = 2500;
    static constexpr std::int64_t elements = 64;

    void mix(std::uint64_t from, std::uint64_t to, std::uint64_t pieces) {
        if (from % count == to % count) ++to;
        const Partition<1>& by = partitions_[pieces % partitions_.size()];
        runtime_.launch(
            "mix", by.colours(),
            [](View<const double, 1> in, View<double, 1> out) {
                for (const Point<1>& p : out.domain()) out[p] = (in[p] + out[p]) / 2;
            },
            read(regions_[from % count], by), read_write(regions_[to % count], by));
    }
    /// An operation unlike all earlier ones, on a temporary region of random size.
    void foreign() {
        const auto once = runtime_.create_region<double>(
            extents(elements + static_cast<std::int64_t>(random_() % 64)), "once");
        runtime_.fill(once, 1.0);
    }

    Runtime& runtime_;
    std::mt19937_64 random_{1};
    std::uint64_t steps_ = 0;
    std::vector<Partition<1>> partitions_ = [] {
        std::vector<Partition<1>> made;
        for (std::int64_t pieces = 1; pieces <= 8; ++pieces)
            made.push_back(tiles(extents(elements), pieces));
        return made;
    }();
    std::vector<Region<double, 1>> regions_ = [this] {
        std::vector<Region<double, 1>> made;
        for (std::uint64_t i = 0; i < count; ++i)
            made.push_back(runtime_.create_region<double>(extents(elements), "x"));
        return made;
    }();
};

/// Launches as far ahead as the window lets it: so the records of a whole window have been used, however soon
/// workers run what is launched later. The other worker waits until a task says that the launching thread
/// waits for room, and runs tasks.
template <class Program>
void fill_the_window(Runtime& runtime, Program& program) {
    std::atomic<bool> is_taken{false};
    std::atomic<bool> is_full{false};
    runtime.launch("occupy the worker", [&] {
        is_taken = true;
        while (!is_full) std::this_thread::yield();
    });
    runtime.flush();
    while (!is_taken) std::this_thread::yield();
    runtime.launch("first to run then", [&] { is_full = true; });
    while (!is_full) program.step();
    runtime.wait_all();
}

/// Runs the steps and samples memory evenly after warm-up.
template <class Program>
std::vector<std::uint64_t> sample(Program& program, std::uint64_t operations) {
    const std::uint64_t steps = operations / Program::operations_per_step;
    const std::uint64_t warm_up = Program::warm_up_operations / Program::operations_per_step;
    if (steps < 2 * warm_up)
        throw std::invalid_argument("flat_memory: --operations " + std::to_string(operations) +
                                    ": too few; give at least twice the " +
                                    std::to_string(Program::warm_up_operations) +
                                    " operations of warm-up");
    return memory_test::sample(steps, warm_up, [&](std::uint64_t) { program.step(); });
}

template <class Program>
int run(const Settings& settings) {
    Options options = Options::from_environment();
    options.workers = 2;
    options.tracing.automatic = settings.mode != "untraced";
    options.tracing.recogniser = settings.mode == "mined" ? Recogniser::mined : Recogniser::inline_;
    // What states learn of random launches grows up to the bound, so the program meets it.
    if (settings.mode == "adversarial") options.limits.analysis_bytes = std::uint64_t{2} << 20;
    Runtime runtime(options);
    Program program(runtime);
    fill_the_window(runtime, program);
    const std::vector<std::uint64_t> bytes = sample(program, settings.operations);
    std::printf("%s: %llu operations, x = %.3f, ", settings.mode.c_str(),
                static_cast<unsigned long long>(runtime.statistics().launches.operations),
                program.value());
    // An allocator's arena may still touch its first pages; a byte lost per operation is four times as much.
    const bool flat = memory_test::is_flat(bytes, settings.operations / 4);
    std::fputs(runtime.statistics().to_string().c_str(), stdout);
    return flat ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Settings settings = settings_of(argc, argv);
        return settings.mode == "adversarial" ? run<Adversary>(settings) : run<Program>(settings);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
