#pragma once

#include "leaves/frame_socket.hpp"

namespace refrain::script {

/// What the processes of a run say to each other. On one machine a hub (process_run.hpp) stands between the ranks; over
/// MPI they speak directly, and rank 0 prints and collects (mpi_run.hpp).
struct FrameKind {
    enum Is : char {
        message,    // std::vector<engine::Message>, sent at once; to the hub: engine::Batches
        call,       // to the hub: engine::CallRequest; one at a time
        outcome,    // from the hub: engine::CallOutcome
        print,      // a text; with a hub the rank goes on when the hub has said `printed`
        printed,    // from the hub
        failed,     // to the hub: something has failed
        stop,       // the run ends before its end; over MPI with the text "kill": at once
        report,     // engine::RankReport; the rank handles nothing more
        describe,   // data that messages name
        described,  // engine::Descriptions
    };
};

}  // namespace refrain::script
