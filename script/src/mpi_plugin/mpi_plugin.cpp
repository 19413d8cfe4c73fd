#include "workers/mpi_transport.hpp"

#include <algorithm>
#include <list>
#include <mpi.h>
#include <vector>

/// What the program finds in the plug-in: workers/mpi_transport.hpp. Errors of MPI end all processes, as MPI's default is.
namespace refrain::script::mpi {
namespace {

constexpr int whole = 0;  // tags: the message ends, or goes on in the next one
constexpr int part = 1;
constexpr std::size_t part_bytes = std::size_t{1} << 30;  // MPI counts with an int

class Transport : public MpiTransport {
  public:
    Transport() {
        MPI_Comm_dup(MPI_COMM_WORLD, &all_);
        MPI_Comm_dup(MPI_COMM_WORLD, &teams_);
        MPI_Comm_rank(all_, &rank_);
        MPI_Comm_size(all_, &ranks_);
        parts_.resize(static_cast<std::size_t>(ranks_));
    }
    [[nodiscard]] std::uint32_t rank() const override { return static_cast<std::uint32_t>(rank_); }
    [[nodiscard]] std::uint32_t ranks() const override {
        return static_cast<std::uint32_t>(ranks_);
    }

    void send(std::uint32_t to, std::string bytes) override {
        Sending& made = under_way_.emplace_back();
        made.bytes = std::move(bytes);
        for (std::size_t at = 0;; at += part_bytes) {
            const std::size_t left = made.bytes.size() - at;
            const bool last = left <= part_bytes;
            MPI_Isend(made.bytes.data() + at, static_cast<int>(std::min(left, part_bytes)),
                      MPI_BYTE, static_cast<int>(to), last ? whole : part, all_,
                      &made.requests.emplace_back());
            if (last) break;
        }
        drop_sent();
    }
    [[nodiscard]] std::optional<std::pair<std::uint32_t, std::string>> receive() override {
        int there = 0;
        MPI_Status status;
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, all_, &there, &message, &status);
        if (there == 0) {
            drop_sent();
            return std::nullopt;
        }
        int count = 0;
        MPI_Get_count(&status, MPI_BYTE, &count);
        std::string& text = parts_[static_cast<std::size_t>(status.MPI_SOURCE)];
        const std::size_t had = text.size();
        text.resize(had + static_cast<std::size_t>(count));
        MPI_Mrecv(text.data() + had, count, MPI_BYTE, &message, &status);
        if (status.MPI_TAG == part) return receive();
        return std::pair(static_cast<std::uint32_t>(status.MPI_SOURCE),
                         std::exchange(text, std::string()));
    }
    [[nodiscard]] std::string broadcast(std::string text, std::uint32_t from) override {
        auto size = static_cast<int>(text.size());
        MPI_Bcast(&size, 1, MPI_INT, static_cast<int>(from), all_);
        text.resize(static_cast<std::size_t>(size));
        MPI_Bcast(text.data(), size, MPI_BYTE, static_cast<int>(from), all_);
        return text;
    }
    [[nodiscard]] bool join_team(const std::vector<std::uint32_t>& ranks, bool ready) override {
        const std::vector<int> members(ranks.begin(), ranks.end());
        MPI_Group all = MPI_GROUP_NULL;
        MPI_Group group = MPI_GROUP_NULL;
        MPI_Comm_group(teams_, &all);  // of all_ will not do: MPICH 4.0 crashes
        MPI_Group_incl(all, static_cast<int>(members.size()), members.data(), &group);
        MPI_Comm_create_group(teams_, group, 0, &team_);
        MPI_Group_free(&group);
        MPI_Group_free(&all);
        int least = ready ? 1 : 0;
        MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, team_);
        return least == 1;
    }
    [[nodiscard]] const void* team_communicator() const override { return &team_; }
    void leave_team() override { MPI_Comm_free(&team_); }
    [[nodiscard]] std::uint64_t sent_here(std::vector<std::uint64_t> sent) override {
        std::uint64_t here = 0;
        MPI_Reduce_scatter_block(sent.data(), &here, 1, MPI_UINT64_T, MPI_SUM, all_);
        return here;
    }
    void finish() override {
        for (Sending& each : under_way_)
            MPI_Waitall(static_cast<int>(each.requests.size()), each.requests.data(),
                        MPI_STATUSES_IGNORE);
        under_way_.clear();
        MPI_Comm_free(&teams_);
        MPI_Comm_free(&all_);
        MPI_Finalize();
    }
    void abort() override { MPI_Abort(MPI_COMM_WORLD, 1); }

  private:
    struct Sending {
        std::string bytes;
        std::vector<MPI_Request> requests;
    };
    /// The oldest first: those behind it are looked at later.
    void drop_sent() {
        while (!under_way_.empty()) {
            Sending& first = under_way_.front();
            int done = 0;
            MPI_Testall(static_cast<int>(first.requests.size()), first.requests.data(), &done,
                        MPI_STATUSES_IGNORE);
            if (done == 0) return;
            under_way_.pop_front();
        }
    }

    MPI_Comm all_ = MPI_COMM_NULL;
    MPI_Comm teams_ = MPI_COMM_NULL;  // its own: receive() would take Open MPI's messages on all_
    MPI_Comm team_ = MPI_COMM_NULL;
    int rank_ = 0;
    int ranks_ = 1;
    std::list<Sending> under_way_;
    std::vector<std::string> parts_;  // by sender: what has arrived of a message
};

}  // namespace
}  // namespace refrain::script::mpi

extern "C" __attribute__((visibility("default"))) refrain::script::MpiTransport*
refrain_script_open_mpi() {
    int threads = 0;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &threads) != MPI_SUCCESS)
        return nullptr;
    if (threads < MPI_THREAD_SERIALIZED) return nullptr;
    return new refrain::script::mpi::Transport();
}
