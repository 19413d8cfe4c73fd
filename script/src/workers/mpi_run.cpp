#include "workers/mpi_run.hpp"

#include "base/exchanged.hpp"
#include "engine/causal_order.hpp"
#include "leaves/native.hpp"
#include "leaves/plugin.hpp"
#include "values/script_error.hpp"
#include "values/text.hpp"
#include "workers/leaf_call.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <thread>

namespace refrain::script {
namespace {

using engine::CausalOrder;
using engine::Rank;

/// What ranks say to each other.
struct FrameKind {
    enum Is : char {
        message,  // std::vector<engine::Message>
        print,    // a text, to rank 0
        stop,     // the run ends before its end; the text is "stop", or "kill" for at once
        report,   // engine::RankReport, to rank 0; the rank makes no call any more
        end,      // rank 0 has all reports: nobody waits for anybody
    };
};

/// The run of one rank, and the services of its calls: output is rank 0's, is sent there, and arrives before what follows.
///   work     the worker      runs tasks; looks for messages between them
///   answer   the other one   handles messages while a call takes long
/// I1  All but the call of a leaf is done under mutex_, MPI too; and so is the call of a team, since its function uses MPI.
/// I2  Texts that a call prints are sent before what follows from its end.
/// I3  A rank that is named a member of a team joins it, even if the run ends or has ended here: the others wait for that.
///     All learn so whether one of them does not make the call; then none does.
/// I4  A rank leaves when all that was ever sent to it has arrived. Until it has learnt of the end, a rank may tell others of an
///     interrupt: also those that know of the end. So they tell each other how many messages they have sent; none sends behind
///     that. Nobody waits for one that waits for them: each comes there, since rank 0 has told all of the end before it does.
class MpiRun : public Services {
  public:
    MpiRun(const tasks::TaskProgram& program, Services& services, const ThreadRunOptions& options,
           MpiTransport& transport)
        : Services(&services),
          options_(options),
          transport_(transport),
          rank_(transport.rank()),
          order_(rank_),
          engine_(program, rank_, transport.ranks(), *this),
          calls_(program, engine_, *this,
                 {*options.control, clock_, options.spans_max, brief_target_ns(program, clock_)},
                 lock_, in_call_, [this] { send_printed(); }) {
        for (Rank each = 0; each < transport.ranks(); ++each)
            if (each != rank_) others_.push_back(each);
        reports_.resize(transport.ranks());
        sent_.resize(transport.ranks());
    }

    RunOutcome run(const Sources& sources) {
        const base::Exchanged own(worker_of_this_thread(), rank_);
        if (rank_ == 0) engine_.start();
        {
            const std::jthread answering([this](const std::stop_token& end) { answer(end); });
            try {
                work();
            } catch (...) {  // the other thread needs it to end
                if (lock_.owns_lock()) lock_.unlock();
                throw;
            }
        }
        reports_[rank_] = report();
        RunOutcome made;
        if (rank_ == 0) {
            made = outcome(sources);
        } else {
            send({0}, FrameKind::report, engine::packed(*reports_[rank_]));
            receive_until([&] { return all_reported_; });
        }
        const std::uint64_t all = transport_.sent_here(sent_);
        for (std::uint32_t turns = 1; received_ != all; ++turns)  // I4
            if (!receive()) wait(turns);
        return made;
    }

  private:
    // ---- frames
    void send(const std::vector<Rank>& to, FrameKind::Is kind,
              const std::function<std::string(Rank)>& text) {
        order_.send(to);
        for (const Rank each : to) {
            transport_.send(each, engine::packed(CausalOrder::Parcel{
                                      order_.stamp(each), static_cast<char>(kind), text(each)}));
            ++sent_[each];
        }
    }
    void send(const std::vector<Rank>& to, FrameKind::Is kind, const std::string& text) {
        send(to, kind, [&](Rank) { return text; });
    }
    /// False if there was nothing.
    bool receive() {
        bool any = false;
        while (auto arrived = transport_.receive()) {
            order_.arrive(arrived->first, engine::unpacked<CausalOrder::Parcel>(arrived->second));
            while (auto next = order_.take()) handle(next->first, next->second);
            any = true;
            ++received_;
        }
        return any;
    }
    void handle(Rank from, const CausalOrder::Parcel& is) {
        if (is.kind == FrameKind::message) {
            engine_.set_time(clock_.now_ns());
            for (auto& each : engine::unpacked<std::vector<engine::Message>>(is.text))
                if (!reports_[rank_])
                    engine_.handle(std::move(each));
                else if (const auto* team = std::get_if<engine::Assemble>(&each.is))
                    decline(team->members);  // the run was stopped
        } else if (is.kind == FrameKind::print) {
            const base::Exchanged as(worker_of_this_thread(), from);
            Services::print(is.text);
        } else if (is.kind == FrameKind::stop) {
            if (told_ != "kill") told_ = is.text;
            is.text == "kill" ? options_.control->kill() : options_.control->stop();
        } else if (is.kind == FrameKind::report) {
            reports_[from] = engine::unpacked<engine::RankReport>(is.text);
        } else if (is.kind == FrameKind::end) {
            all_reported_ = true;
        }
    }
    void send_outgoing() {
        auto batches = engine_.take_outgoing();
        if (batches.empty()) return;
        std::map<Rank, std::string> texts;
        std::vector<Rank> to;
        for (auto& [rank, batch] : batches) {
            to.push_back(rank);
            texts[rank] = engine::packed(std::move(batch));
        }
        messages_ += to.size();
        send(to, FrameKind::message, [&](Rank rank) { return std::move(texts[rank]); });
    }

    // ---- output
    [[nodiscard]] bool has_teams() const override { return true; }
    void print(const std::string& text) override {
        if (rank_ == 0) return Services::print(text);
        if (!in_call_) return send({0}, FrameKind::print, text);
        const std::lock_guard lock(printed_mutex_);
        printed_.push_back(text);
    }
    /// I2
    void send_printed() {
        std::unique_lock lock(printed_mutex_);
        const std::vector<std::string> texts = std::exchange(printed_, {});
        lock.unlock();
        for (const std::string& each : texts) send({0}, FrameKind::print, each);
    }

    // ---- the worker
    void work() {
        lock_.lock();
        for (std::uint32_t idle_turns = 0;; ++idle_turns) {
            if (receive()) idle_turns = 0;
            heed_failures();
            if (engine_.stopped() || options_.control->stopped()) break;
            engine_.set_time(clock_.now_ns());
            if (std::optional<engine::Task> call = calls_.run_short([this] { heed_failures(); })) {
                engine_.set_busy(true);
                send_outgoing();
                if (engine_.team().empty())
                    calls_.run_long(std::move(*call));
                else
                    run_team_call(std::move(*call));
                idle_turns = 0;
            } else if (engine_.has_ready()) {
                idle_turns = 0;
            } else {
                engine_.idle();
            }
            send_outgoing();
            if (idle_turns == 0 || engine_.stopped()) continue;
            lock_.unlock();
            wait(idle_turns);
            lock_.lock();
        }
        heed_stop();
        send_outgoing();  // of rank 0: who belongs to the team, which otherwise waits for it
        if (engine_.has_team_call()) decline(engine_.team());
        lock_.unlock();
    }
    /// MPI wakes nobody: the longer nothing comes, the longer it sleeps.
    static void wait(std::uint32_t idle_turns) {
        constexpr std::uint32_t turns_awake = 64;
        constexpr std::uint32_t longest_us = 1000;
        if (idle_turns < turns_awake) return std::this_thread::yield();
        const std::uint32_t us = std::min(longest_us, (idle_turns - turns_awake + 1) * 10);
        std::this_thread::sleep_for(std::chrono::microseconds(us));
    }
    /// I1, I3
    void run_team_call(engine::Task task) {
        const std::vector<Rank> members = engine_.team();
        const engine::Failure what = calls_.place_of(task);
        bool made = transport_.join_team(members, !options_.control->stopped());
        if (made) {
            const auto self = std::ranges::find(members, rank_) - members.begin();
            const base::Exchanged as(team_of_this_thread(),
                                     {static_cast<int>(self), static_cast<int>(members.size()),
                                      transport_.team_communicator()});
            made = calls_.run_here(std::move(task));
        }
        transport_.leave_team();
        if (!made && members[0] == rank_) calls_.cut_off.push_back(what);
    }
    /// I3
    void decline(const std::vector<Rank>& members) {
        if (members.empty()) return;
        static_cast<void>(transport_.join_team(members, false));
        transport_.leave_team();
    }
    void heed_failures() {
        if (engine_.has_errors()) heed_failure(options_.failures, *options_.control);
        heed_stop();
    }
    /// Tells all others once, and again if the run is to be killed.
    void heed_stop() {
        if (!options_.control->stopped()) return;
        const std::string text = options_.control->killed() ? "kill" : "stop";
        if (std::exchange(told_, text) != text) send(others_, FrameKind::stop, text);
    }

    // ---- the thread that answers
    /// Calls that are shorter than a turn of this need nobody to answer for them.
    void answer(const std::stop_token& end) {
        const base::Exchanged own(worker_of_this_thread(), rank_);
        std::unique_lock lock(mutex_);
        const auto ended = [&] { return end.stop_requested(); };
        while (!turn_.wait_for(lock, end, std::chrono::milliseconds(1), ended)) {
            if (!in_call_) continue;
            calls_.relieve();
            send_printed();  // I2: after relieve(), which finishes calls
            receive();
            heed_failures();
            send_outgoing();
        }
    }

    // ---- the end
    template <class Condition>
    void receive_until(Condition condition) {
        for (std::uint32_t turns = 1; !condition(); ++turns) {
            heed_stop();
            if (receive())
                turns = 0;
            else
                wait(turns);
        }
    }
    engine::RankReport report() {
        engine::RankReport made = report_of(engine_, calls_);
        made.messages = messages_;
        if (options_.tally_of_calls) made.tally_of_calls = options_.tally_of_calls();
        if (FileHandle::kept_temporaries != nullptr)
            made.temporary_files = *FileHandle::kept_temporaries;
        return made;
    }
    RunOutcome outcome(const Sources& sources) {
        receive_until([&] {
            return std::ranges::all_of(reports_, [](const auto& each) { return each.has_value(); });
        });
        send(others_, FrameKind::end, "");
        RunOutcome made;
        made.seconds = clock_.now_s();
        for (auto& each : reports_) made.add(std::move(*each));
        for (const std::string& each : made.temporary_files) FileHandle::remove(each);
        made.finish(sources);
        return made;
    }

    const ThreadRunOptions& options_;
    MpiTransport& transport_;
    RunClock clock_;
    Rank rank_;
    std::vector<Rank> others_;

    std::mutex mutex_;
    std::condition_variable_any turn_;
    std::atomic<std::uint64_t> in_call_{0};  // changed under mutex_; the call itself reads it, too
    CausalOrder order_;
    engine::Engine engine_;
    std::unique_lock<std::mutex> lock_{mutex_, std::defer_lock};  // the worker's
    Calls calls_;
    std::uint64_t messages_ = 0;
    std::vector<std::uint64_t> sent_;  // parcels, by rank
    std::uint64_t received_ = 0;
    std::string told_;  // of the end of the run: "stop", "kill"
    std::mutex printed_mutex_;
    std::vector<std::string> printed_;  // by the call that runs

    std::vector<std::optional<engine::RankReport>> reports_;  // by rank
    bool all_reported_ = false;
};

}  // namespace

RunOutcome run_over_mpi(const tasks::TaskProgram& program, const Sources& sources,
                        Services& services, const ThreadRunOptions& options,
                        MpiTransport& transport) {
    try {
        RunOutcome made = MpiRun(program, services, options, transport).run(sources);
        transport.finish();
        return made;
    } catch (const std::exception& error) {  // nobody else knows of it
        std::fprintf(stderr, "rank %u: %s\n", transport.rank(), error.what());
        transport.abort();
        throw;
    }
}

std::optional<MpiLaunch> mpi_launch() {
    const auto launched = [](MpiLaunch::Kind kind, const char* rank,
                             const char* ranks) -> std::optional<MpiLaunch> {
        const auto own = read_number<std::uint32_t>(setting(rank));
        const auto all = read_number<std::uint32_t>(setting(ranks));
        return own && all ? std::optional(MpiLaunch{kind, *own, *all}) : std::nullopt;
    };
    if (auto made =
            launched(MpiLaunch::Kind::openmpi, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"))
        return made;
    return launched(MpiLaunch::Kind::mpich, "PMI_RANK", "PMI_SIZE");
}

std::unique_ptr<MpiTransport> open_mpi(const MpiLaunch& launch) {
    const bool open = launch.kind == MpiLaunch::Kind::openmpi;
    void* const symbol = open
                             ? plugin_symbol("refrain-script-openmpi.so", "refrain_script_open_mpi",
                                             "a run by Open MPI", "libopenmpi-dev")
                             : plugin_symbol("refrain-script-mpich.so", "refrain_script_open_mpi",
                                             "a run by MPICH", "libmpich-dev");
    std::unique_ptr<MpiTransport> made(reinterpret_cast<OpenMpi>(symbol)());
    if (made == nullptr) throw ScriptError("MPI does not begin");
    if (made->rank() != launch.rank || made->ranks() != launch.ranks)
        throw ScriptError("MPI says that this is rank ", made->rank(), " of ", made->ranks(),
                          ", the environment rank ", launch.rank, " of ", launch.ranks,
                          "; was the program started by another MPI's mpirun?");
    return made;
}

}  // namespace refrain::script
