#pragma once

#include "engine/causal_order.hpp"
#include "engine/engine.hpp"
#include "engine/packed_message.hpp"
#include "leaves/leaf_table.hpp"
#include "tasks/lower.hpp"
#include "typing/front_end.hpp"
#include "workers/standard_services.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>

/// Engines without threads: a seeded scheduler decides who handles a message and who runs a task. Output, counts and
/// the end must not depend on it.
namespace refrain::script::schedules_test {

/// The rank that makes a call.
inline std::int64_t calling_rank = 0;
class KeptOutput : public StandardServices {
  public:
    explicit KeptOutput(int ranks) : StandardServices({"test.swift"}, ranks) {}
    void print(const std::string& text) override {
        lines.push_back(text.substr(0, text.size() - 1));
    }
    [[nodiscard]] bool has_teams() const override { return true; }
    std::vector<std::string> lines;
};

struct Outcome {
    std::vector<std::string> lines;
    std::size_t failures = 0;
    std::size_t waiting = 0;
    std::size_t data = 0;
};

/// What lies between ranks: an inbox each, or a link from each to each, of which any may be slow.
enum class Network { inboxes, links };

/// A program that many schedules run.
class Scheduled {
  public:
    /// As the front end has made it.
    explicit Scheduled(const std::string& text) : program_(front_end(text)) {}
    explicit Scheduled(ir::Program program) : program_(std::move(program)) {}
    [[nodiscard]] const tasks::TaskProgram& tasks() const { return tasks_; }

  private:
    static ir::Program front_end(const std::string& text) {
        Sources sources;
        sources.add("test.swift", text);
        return compile_to_ir(sources).program;
    }

    ir::Program program_;
    RunControl control_;
    LeafHost host_{{}, control_};
    LeafTable leaves_{program_, {}, host_};
    tasks::TaskProgram tasks_ = tasks::lower_to_tasks(program_, leaves_);
};

class Scheduler {
  public:
    Scheduler(const std::string& text, engine::Rank ranks, std::uint64_t seed,
              Network network = Network::inboxes, std::vector<std::string> hosts = {})
        : Scheduler(std::make_shared<Scheduled>(text), ranks, seed, network, std::move(hosts)) {}
    Scheduler(std::shared_ptr<const Scheduled> program, engine::Rank ranks, std::uint64_t seed,
              Network network = Network::inboxes, std::vector<std::string> hosts = {})
        : services_(static_cast<int>(ranks)),
          random_(seed),
          network_(network),
          program_(std::move(program)) {
        services_.set_hosts(std::move(hosts));
        for (engine::Rank rank = 0; rank < ranks; ++rank)
            engines_.push_back(
                std::make_unique<engine::Engine>(program_->tasks(), rank, ranks, services_));
        for (engine::Rank rank = 0; rank < ranks; ++rank) orders_.emplace_back(rank);
        inboxes_.resize(ranks);
        in_team_.resize(ranks);
    }

    [[nodiscard]] engine::Engine& engine(engine::Rank rank) { return *engines_[rank]; }

    Outcome run() {
        engines_[0]->start();
        for (std::size_t steps = 0; steps < 2000000; ++steps) {
            std::vector<engine::Rank> open;
            for (engine::Rank rank = 0; rank < engines_.size(); ++rank)
                if (!engines_[rank]->stopped()) open.push_back(rank);
            if (open.empty()) return outcome();
            step(open[random_() % open.size()]);
        }
        throw std::runtime_error("the run does not end");
    }

  private:
    void step(engine::Rank rank) {
        engine::Engine& engine = *engines_[rank];
        if (network_ == Network::links) hear_a_link(rank);
        if (in_team_[rank] && inboxes_[rank].empty()) return end_in_team(rank);
        const bool message = !inboxes_[rank].empty();
        if (message && (in_team_[rank] || !engine.has_ready() || random_() % 2 == 0)) {
            engine.handle(std::move(inboxes_[rank].front()));
            inboxes_[rank].pop_front();
        } else if (auto task = engine.next()) {
            run(engine, std::move(*task));
        } else {
            engine.idle();
        }
        send_outgoing(rank);
    }
    /// A team's function may wait for all its members: it ends when all have begun.
    void end_in_team(engine::Rank rank) {
        engine::Engine& engine = *engines_[rank];
        const std::vector<engine::Rank> team = engine.team();
        if (began_.contains(rank)) {
            for (const engine::Rank each : team)
                if (each != rank && !began_.contains(each)) return;
            for (const engine::Rank each : team) began_.erase(each);
            teams.insert(team);
        }
        if (random_() % 2 == 0) return;
        engine::Task task = *std::exchange(in_team_[rank], std::nullopt);
        std::vector<Value> results{Value(static_cast<std::int64_t>(team.size()))};
        engine.finish(task, results, nullptr);
        send_outgoing(rank);
    }
    void send_outgoing(engine::Rank rank) {
        engine::Engine& engine = *engines_[rank];
        if (network_ == Network::links) return send_by_links(rank, engine.take_outgoing());
        for (auto& [to, batch] : engine.take_outgoing())
            for (engine::Message& each : batch) inboxes_[to].push_back(std::move(each));
    }
    void send_by_links(engine::Rank rank, engine::Batches batches) {
        std::vector<engine::Rank> to;
        for (const auto& [each, batch] : batches) to.push_back(each);
        orders_[rank].send(to);
        for (auto& [each, batch] : batches)
            links_[{rank, each}].push_back(
                {orders_[rank].stamp(each), 0, engine::packed(std::move(batch))});
    }
    /// One message of one link arrives, and what may be handled then goes into the inbox.
    void hear_a_link(engine::Rank rank) {
        std::vector<engine::Rank> from;
        for (const auto& [link, parcels] : links_)
            if (link.second == rank && !parcels.empty()) from.push_back(link.first);
        if (from.empty()) return;
        const engine::Rank sender = from[random_() % from.size()];
        auto& parcels = links_[{sender, rank}];
        orders_[rank].arrive(sender, std::move(parcels.front()));
        parcels.pop_front();
        while (auto next = orders_[rank].take())
            for (auto& each : engine::unpacked<std::vector<engine::Message>>(next->second.text))
                inboxes_[rank].push_back(std::move(each));
    }

  public:
    void run(engine::Engine& engine, engine::Task task) {
        if (!engine.team().empty()) {
            const auto rank =
                std::ranges::find(engines_, &engine, &EnginePointer::get) - engines_.begin();
            began_.insert(static_cast<engine::Rank>(rank));
            in_team_[static_cast<std::size_t>(rank)] = std::move(task);
            return;
        }
        std::vector<Value> arguments, results;
        engine::FailurePointer failure;
        if (const tasks::Call* call = engine.call_of(task)) {
            results.resize(call->results.size());
            engine::Engine::results_of(*call, task, results);
            engine.arguments_of(task, arguments);
            calling_rank =
                std::ranges::find(engines_, &engine, &EnginePointer::get) - engines_.begin();
            try {
                call->leaf->call(arguments, results, services_);
            } catch (const std::exception& error) {
                failure =
                    std::make_shared<const engine::Failure>(engine::Failure{{}, error.what()});
            }
        }
        engine.finish(task, results, failure);
    }

  private:
    Outcome outcome() {
        Outcome made;
        made.lines = services_.lines;
        std::sort(made.lines.begin(), made.lines.end());
        for (const auto& each : engines_) {
            made.failures += each->take_errors().size();
            made.waiting += each->waiting_tasks().size();
            made.data += each->store().size();
        }
        return made;
    }

  public:
    std::set<std::vector<engine::Rank>> teams;  // that have made a call

  private:
    std::vector<std::optional<engine::Task>> in_team_;  // by rank: its call by a team
    std::set<engine::Rank> began_;                      // calls by a team that others may wait for
    KeptOutput services_;
    std::mt19937_64 random_;
    Network network_;
    std::shared_ptr<const Scheduled> program_;
    using EnginePointer = std::unique_ptr<engine::Engine>;
    std::vector<EnginePointer> engines_;
    std::vector<std::deque<engine::Message>> inboxes_;
    std::vector<engine::CausalOrder> orders_;
    std::map<std::pair<engine::Rank, engine::Rank>, std::deque<engine::CausalOrder::Parcel>> links_;
};

}  // namespace refrain::script::schedules_test
