/// Recordings as nobody wrote them, by libFuzzer: what changes a file signs it anew, so that the readers see what it holds.
///
///     tools/fuzz --recordings --seconds 600

#include "merge/consistent.hpp"
#include "merge/parts.hpp"
#include "merge/recording.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "sample_runs.hpp"
#include "signed_file.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t size_max);

namespace {

using namespace refrain::proxy;
namespace strings = refrain::strings;

/// A file of one rank, or of all, to begin with.
std::string sample(unsigned seed) {
    testing::Rank rank(0, 2);
    rank.split(0, 2, 0, 2);
    rank.call(Function::Irecv_, {0, 2, 16, rank_any, 4, 2, 0, 2, 0, 1, 4, 0});
    for (int i = 0; i < 9; ++i) rank.send(1).receive(1).barrier();
    rank.call(Function::Wait_, {0, 16, 0, 0});
    RankRecording recording = rank.finish();
    if (seed % 2 == 0) return write(recording);
    return write(merge(testing::ring(3, 20), {}));
}

void read_ranks(const std::string& file) {
    RankRecording rank = read_rank(file, "fuzzed");
    constexpr std::uint64_t calls_max = 1000;
    if (rank.rank != 0 || strings::expanded_lengths(rank.grammar)[0] > calls_max) return;
    (void)first_calls(rank, calls_max / 2);
    std::vector<RankRecording> parts{rank};
    (void)join_parts(parts);
    RankRecording other = testing::Rank(1, 2).receive(0).send(0).finish();
    (void)consistent_part({rank, other});
    if (rank.size == 2) (void)merge({rank, other}, {});
}

void read_merged(const std::string& file) {
    const Recording recording = read_recording(file, "fuzzed");
    (void)recording.complete();
    for (std::uint32_t rank = 0; rank < std::min(recording.size(), 8u); ++rank) {
        (void)recording.event_counts(rank);
        CommunicatorBook book(rank, recording.size());
        for (const Event& event : recording.events)
            (void)describe(book.resolve(event), recording.texts, false);
    }
    if (write(read_recording(write(recording), "written")) != write(recording)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string file(reinterpret_cast<const char*>(data), size);
    for (const auto read : {read_ranks, read_merged}) try {
            read(file);
        } catch (const DamagedFile&) {
        }
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_max, unsigned seed) {
    std::string file(reinterpret_cast<const char*>(data), size);
    constexpr std::size_t head = 9;  // what says that it is a recording, and of which version
    if (size <= head || file.compare(0, head, sample(0), 0, head) != 0) {
        file = sample(seed);
    } else {
        file.resize(size_max);
        file.resize(head + LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(file.data()) + head,
                                            size - head, size_max - head));
        testing::sign(file);
    }
    const std::size_t length = std::min(file.size(), size_max);
    std::memcpy(data, file.data(), length);
    return length;
}
