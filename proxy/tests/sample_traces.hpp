#pragma once

#include "convert/run_trace.hpp"
#include "sample_runs.hpp"

/// Traces of recordings, in memory.
namespace refrain::proxy::testing {

inline Trace trace_of(const Recording& recording) {
    RunTrace run(recording);
    Trace trace;
    trace.communicators = run.communicators();
    for (std::uint32_t rank = 0; rank < recording.size(); ++rank)
        run.write(rank, [&, &calls = trace.ranks.emplace_back()](const TraceCall& call) {
            calls.push_back(call);
        });
    return trace;
}

/// 2 ranks that send, ask, wait, reduce, and split, in a loop.
inline Recording mixed_run() {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 2; ++me) {
        Rank rank(me, 2);
        const std::int64_t other = 1 - me;
        rank.split(0, 2, other, 2);  // the other way round
        for (int i = 0; i < 3; ++i) {
            rank.call(Function::Irecv_, {0, 4, double_type, rank_any, 9, 2, other, 2, 0, me, 9, 0});
            rank.call(Function::Isend_, {1, 3, double_type, me, 9, 2, other, 2, 1, 0});
            rank.call(Function::Test_, {1, 0, 0, 0, 0});
            rank.call(Function::Waitall_, {2, 2, 0, 1, 2, 24, 0, 0, 0, 0});
            rank.call(Function::Allreduce_, {0, 1, 2, double_type, 3, 0, me, 2, 0});
            rank.call(Function::Gather_,
                      me == 0 ? std::vector<std::int64_t>{0, 5, 4, 1, 5, 4, 0, 0, me, 2, 0}
                              : std::vector<std::int64_t>{0, 5, 4, buffer_unused, -1, -1, 0, 0, me,
                                                          2, 0});
        }
        ranks.push_back(rank.finish());
    }
    return merge(std::move(ranks), {});
}

}  // namespace refrain::proxy::testing
