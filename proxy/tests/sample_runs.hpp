#pragma once

#include "merge/recording.hpp"
#include "recorder/recorder.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// Recordings that were never recorded: made of calls that tests write down.
namespace refrain::proxy::testing {

inline constexpr std::int64_t double_type = 16;  // MPI_DOUBLE

/// The calls of one rank of a run.
class Rank {
  public:
    Rank(std::int64_t me, std::int64_t size) : me_(me), size_(size) { call(Function::Init_, {0}); }

    Rank& call(Function function, std::vector<std::int64_t> values, double compute = 1e-6) {
        recorder.append({function, std::move(values)}, compute, 1e-7);
        return *this;
    }
    /// A call of another thread, of which all are made while the first one is where it is now.
    Rank& beside(std::uint32_t thread, Function function, std::vector<std::int64_t> values) {
        recorder.use(thread);
        const std::uint64_t before = recorder.event_count(), first = recorder.calls_of(0);
        Event event{function, std::move(values)};
        event.thread = thread;
        const bool begins = recorder.calls_of(thread) == 0;
        recorder.append(event, begins ? Recorder::no_work : 1e-6, 1e-7);
        ThreadLife life = recorder.life();
        if (begins) life = {first, 0, before, 0};
        life.before = first;
        life.ended = before + 1;
        recorder.set_life(life);
        recorder.use(0);
        return *this;
    }
    Rank& send(std::int64_t to, std::int64_t tag = 1, std::int64_t count = 10) {
        return call(Function::Send_, {0, count, double_type, to, tag, 0, me_, size_, 0});
    }
    /// `from` and `tag` may be wildcards; what came out is the rest.
    Rank& receive(std::int64_t from, std::int64_t tag, std::int64_t source, std::int64_t sent_tag) {
        return call(Function::Recv_,
                    {0, 10, double_type, from, tag, 0, me_, size_, source, sent_tag, 80, 0, 0});
    }
    Rank& receive(std::int64_t from, std::int64_t tag = 1) { return receive(from, tag, from, tag); }
    Rank& barrier() { return call(Function::Barrier_, {0, me_, size_, 0}); }
    Rank& split(std::int64_t colour, std::int64_t number, std::int64_t rank, std::int64_t size) {
        return call(Function::Comm_split_, {0, me_, size_, colour, 0, number, rank, size, 0});
    }

    [[nodiscard]] RankRecording finish() {
        call(Function::Finalize_, {0});
        RankRecording result = recorder.recording();
        result.rank = static_cast<std::uint32_t>(me_);
        result.size = static_cast<std::uint32_t>(size_);
        result.ending = Ending::complete;
        result.library = "Test MPI";
        return result;
    }

    Recorder recorder;

  private:
    std::int64_t me_, size_;
};

/// Each rank sends to its right-hand neighbour and receives from the left, so often.
inline std::vector<RankRecording> ring(std::uint32_t size, int steps) {
    std::vector<RankRecording> ranks;
    for (std::uint32_t me = 0; me < size; ++me) {
        Rank rank(me, size);
        for (int step = 0; step < steps; ++step) {
            rank.send((me + 1) % size).receive((me + size - 1) % size);
            if (step % 10 == 9) rank.barrier();
        }
        ranks.push_back(rank.finish());
    }
    return ranks;
}

/// All calls of a rank, in order.
inline std::vector<Event> expanded(const RankRecording& rank) {
    std::vector<Event> all;
    for (strings::GrammarCursor at(rank.grammar); !at.done(); at.next())
        for (std::uint64_t i = 0; i < at.count(); ++i) all.push_back(rank.events[at.terminal()]);
    return all;
}
inline std::vector<Event> expanded(const Recording& recording, std::uint32_t rank) {
    std::vector<Event> all;
    CommunicatorBook book(rank, recording.size());
    const strings::Grammar grammar = recording.grammar_of(rank);
    for (strings::GrammarCursor at(grammar); !at.done(); at.next())
        for (std::uint64_t i = 0; i < at.count(); ++i)
            all.push_back(book.resolve(recording.events[at.terminal()]));
    return all;
}

}  // namespace refrain::proxy::testing
