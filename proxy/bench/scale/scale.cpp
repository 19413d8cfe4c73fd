/// Sizes, time and memory of grammars and merged recordings, as JSON: what no MPI on one machine has ranks enough for.
///
///     bench_proxy_scale           the sizes of the table of figures
///     bench_proxy_scale --quick   small ones

#include "merge/recording.hpp"
#include "recorder/recorder.hpp"
#include "strings/run_grammar.hpp"

#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <sys/resource.h>
#include <vector>

#include "sample_runs.hpp"

namespace refrain::proxy {
namespace {

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double seconds_of(const Work& work) {
    const double began = cpu_seconds();
    work();
    return cpu_seconds() - began;
}

/// The most that this process had so far.
double peak_mib() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

void print(const char* key, double value) {
    static bool first = true;
    std::printf("%s\"%s\": %.6g", first ? "" : ", ", key, value);
    first = false;
}

/// A five-point stencil on a square of ranks with open edges, and a reduction every ten steps.
std::vector<RankRecording> stencil(std::int64_t side, int steps) {
    std::vector<RankRecording> ranks;
    const std::int64_t size = side * side;
    for (std::int64_t me = 0; me < size; ++me) {
        testing::Rank rank(me, size);
        const std::int64_t column = me % side, row = me / side;
        const std::int64_t neighbours[] = {
            row > 0 ? me - side : rank_null, row + 1 < side ? me + side : rank_null,
            column > 0 ? me - 1 : rank_null, column + 1 < side ? me + 1 : rank_null};
        for (int step = 0; step < steps; ++step) {
            for (std::int64_t i = 0; i < 4; ++i)
                rank.call(Function::Irecv_,
                          {i, 64, 16, neighbours[i], 1 + i, 0, me, size, i, rank_none, 0, 0});
            for (std::int64_t i = 0; i < 4; ++i)
                rank.call(Function::Isend_,
                          {4 + i, 64, 16, neighbours[i], 1 + (i ^ 1), 0, me, size, 4 + i, 0});
            rank.call(Function::Waitall_, {8, 8,   0, 1,   2, 3, 4, 5, 6, 7, 8, 512, 0, 512,
                                           0, 512, 0, 512, 0, 0, 0, 0, 0, 0, 0, 0,   0, 0});
            if (step % 10 == 9) rank.call(Function::Allreduce_, {8, 9, 1, 16, 3, 0, me, size, 0});
        }
        ranks.push_back(rank.finish());
    }
    return ranks;
}

/// Each rank sends `symbols` messages to random ranks with random tags: main rules that hardly compress.
std::vector<RankRecording> irregular(std::int64_t size, std::size_t symbols) {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < size; ++me) {
        std::mt19937_64 random(static_cast<std::uint64_t>(me) + 1);
        testing::Rank rank(me, size);
        for (std::size_t i = 0; i < symbols; ++i)
            rank.send(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size)),
                      static_cast<std::int64_t>(random() % 20));
        ranks.push_back(rank.finish());
    }
    return ranks;
}

void sequitur(std::uint64_t symbols) {
    const auto mixed = [](std::uint64_t count) {
        strings::RunGrammar grammar;
        std::mt19937_64 random(3);
        for (std::uint64_t i = 0; i < count;) {
            const auto phase = static_cast<std::uint32_t>(random() % 5);
            for (std::uint64_t k = 0; k < 2000 && i < count; ++k, ++i)
                grammar.append(phase * 10 + static_cast<std::uint32_t>(k % 7));
        }
        return grammar.bytes();
    };
    const double half = seconds_of([&] { (void)mixed(symbols / 2); });
    const double whole = seconds_of([&] { (void)mixed(symbols); });
    print("sequitur.symbols", static_cast<double>(symbols));
    print("sequitur.seconds", whole);
    print("sequitur.time_ratio_of_twice", whole / half);
    strings::RunGrammar loop;
    std::size_t early = 0;
    for (std::uint64_t i = 0; i < symbols; ++i) {
        loop.append(static_cast<std::uint32_t>(i % 9));
        if (i == symbols / 100) early = loop.bytes();
    }
    print("sequitur.loop_growth_bytes", static_cast<double>(loop.bytes() - early));
}

void polls(std::uint64_t events) {
    Recorder recorder;
    std::mt19937_64 random(5);
    Event test{Function::Test_, {0, 0, 0, 0, 0}}, done{Function::Test_, {0, 1, 0, 0, 0}};
    std::size_t most = 0;
    for (std::uint64_t i = 0; i < events;) {
        for (std::uint64_t k = random() % 200; k > 0; --k, ++i) recorder.append(test, 1e-7, 1e-7);
        recorder.append(done, 1e-7, 1e-7);
        ++i;
        most = std::max(most, recorder.bytes());
    }
    print("poll_memory.events", static_cast<double>(events));
    print("poll_memory.mib", static_cast<double>(most) / (1 << 20));
}

void measure(bool quick) {
    const std::size_t few = communication_bytes(merge(stencil(2, 100), {}));
    const std::size_t many = communication_bytes(merge(stencil(8, 100), {}));
    print("growth.ranks", static_cast<double>(many) / static_cast<double>(few));
    const std::size_t twice = communication_bytes(merge(stencil(2, 200), {}));
    print("growth.steps_bytes", static_cast<double>(twice) - static_cast<double>(few));
    const auto regular = stencil(quick ? 8 : 32, 100);
    print("merge_s.regular", seconds_of([&] { (void)merge(regular, {}); }));
    auto random = irregular(quick ? 4 : 64, quick ? 1000 : 100000);
    print("merge_s.irregular", seconds_of([&] { (void)merge(std::move(random), {}); }));
    print("merge_s.peak_mib", peak_mib());
    sequitur(quick ? 1000000 : 100000000);
    polls(quick ? 100000 : 10000000);
}

}  // namespace
}  // namespace refrain::proxy

int main(int argc, char** argv) {
    std::printf("{");
    refrain::proxy::measure(argc > 1 && std::strcmp(argv[1], "--quick") == 0);
    std::printf("}\n");
}
