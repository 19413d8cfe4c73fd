#pragma once

#include "events/rank_recording.hpp"
#include "merge/channel.hpp"
#include "merge/groups.hpp"
#include "merge/step.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace refrain::proxy {

/// What the ranks share while they execute.
struct World {
    explicit World(std::size_t size) {
        std::vector<std::uint32_t> everybody;
        for (std::uint32_t rank = 0; rank < size; ++rank) everybody.push_back(rank);
        groups.add(everybody);
        for (const std::uint32_t rank : everybody) groups.add({rank});
    }
    Groups groups;
    std::map<std::tuple<int, std::int64_t, std::int64_t, std::int64_t>, Channel> channels;
    std::vector<std::size_t> ready;  // ranks that can go on
    bool not_followed = false;
};

/// One rank: executes its calls until one waits for what is not there.
class RankExecution {
  public:
    RankExecution(const RankRecording& recording, const std::vector<RankStep>& steps, World& world)
        : rank_(static_cast<int>(recording.rank)),
          steps_(steps),
          world_(world),
          at_(recording.grammar) {}

    void advance();
    [[nodiscard]] std::uint64_t done() const { return done_; }
    [[nodiscard]] bool at_end() const { return at_.done(); }
    /// The call that waits; the rank is not at its end.
    [[nodiscard]] std::uint32_t waits_in() const { return at_.terminal(); }

    /// Keeps the first `calls` calls. Takes back the messages and collective entries of the later ones, and calls
    /// `cut(rank, n)` for each rank that needed one of these and may keep only its first `n` calls.
    template <class Cut>
    void keep(std::uint64_t calls, const Cut& cut) {
        done_ = std::min(done_, calls);
        for (; !effects_.empty() && effects_.back().at >= done_; effects_.pop_back()) {
            const Effect& effect = effects_.back();
            if (effect.channel != nullptr) {
                const std::uint64_t message = --effect.channel->sent;
                if (message < effect.channel->needed_at.size())
                    cut(effect.channel->receiver, effect.channel->needed_at[message]);
            } else {
                for (const Group::Passed& passed :
                     world_.groups.at(effect.group).calls[effect.call].passed)
                    cut(passed.rank, passed.at);
            }
        }
    }

  private:
    /// What a call or a request waits for.
    struct Need {
        Channel* channel = nullptr;
        std::uint64_t place = 0;  // of the receive in the channel
        int group = no_group;
        std::size_t call = 0;
    };
    struct Request {
        Need need;
        Channel* sends = nullptr;     // persistent: at each start
        Channel* receives = nullptr;  // likewise
        bool persistent = false;
    };
    /// A message that was sent, or a collective call that was entered, and the call that did so.
    struct Effect {
        std::uint64_t at = 0;
        Channel* channel = nullptr;
        int group = no_group;
        std::size_t call = 0;
    };
    /// A communicator: what the call that made it says.
    struct Made {
        int parent = no_group;
        std::size_t call = 0;
        std::int64_t member = 0;
    };

    bool execute();

    void send(Channel& channel);
    [[nodiscard]] bool is_met_or_waits(const Need& need);
    /// The call that is executed shows that the need was met.
    void note_passed(const Need& need);
    [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(rank_); }

    void begin(const RankStep& step);
    void begin_message(const RankStep& step, int group);
    void begin_collective(const RankStep& step, int group);
    void start(std::int64_t number);

    void end(const RankStep& step);

    [[nodiscard]] bool is_met(const Need& need);
    [[nodiscard]] Need need_of(std::int64_t request) const;
    [[nodiscard]] int group_of(std::int64_t comm);
    using Handles = std::unordered_map<std::int64_t, int>;
    [[nodiscard]] static int known(const Handles& groups, std::int64_t handle) {
        const auto found = groups.find(handle);
        return found == groups.end() ? no_group : found->second;
    }
    [[nodiscard]] Channel* channel(int group, std::int64_t from, std::int64_t to, std::int64_t tag);

    int rank_;
    const std::vector<RankStep>& steps_;
    std::uint64_t done_ = 0, repeated_ = 0;
    World& world_;
    strings::GrammarCursor at_;
    bool begun_ = false;
    Need need_;
    std::size_t met_ = 0;  // of the requests that the call completes
    std::unordered_map<std::int64_t, Request> requests_;
    std::unordered_map<std::int64_t, Made> comms_;
    Handles windows_, files_;
    std::vector<Effect> effects_;  // in the order of the calls
};

/// All ranks of a run, executed as far as that goes.
struct Execution {
    explicit Execution(const std::vector<RankRecording>& ranks);
    Execution(const Execution&) = delete;
    Execution& operator=(const Execution&) = delete;

    World world;
    std::vector<std::vector<RankStep>> steps;
    std::vector<RankExecution> processes;
};

}  // namespace refrain::proxy
