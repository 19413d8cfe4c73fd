#include "merge/consistent.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace refrain::proxy {
namespace {

constexpr int no_group = -1;

/// Messages of one sender to one receiver with one tag.
struct Channel {
    std::uint64_t sent = 0;
    std::uint64_t posted = 0;              // receives; each has a place, from 0 on
    std::vector<std::uint64_t> cancelled;  // places of those that take no message, ascending
    std::size_t receiver = 0;
    bool awaited = false;  // the receiver waits for more
    /// By message: the receiver's first call that needs it to have been sent.
    std::vector<std::uint64_t> needed_at;

    /// Which message the receive at a place takes: those before it that were cancelled take none.
    [[nodiscard]] std::uint64_t message_of(std::uint64_t place) const {
        const auto below = std::lower_bound(cancelled.begin(), cancelled.end(), place);
        return place - static_cast<std::uint64_t>(below - cancelled.begin());
    }
    [[nodiscard]] std::uint64_t taken() const { return posted - cancelled.size(); }
    void cancel(std::uint64_t place) {
        const auto at = std::lower_bound(cancelled.begin(), cancelled.end(), place);
        if (at == cancelled.end() || *at != place) cancelled.insert(at, place);
    }
    /// The receive took a message after all.
    void cancel_came_too_late(std::uint64_t place) {
        const auto at = std::lower_bound(cancelled.begin(), cancelled.end(), place);
        if (at != cancelled.end() && *at == place) cancelled.erase(at);
    }
};

constexpr std::uint64_t never = ~std::uint64_t{0};

/// One side of a message, as an event has it.
struct Peer {
    std::int64_t rank = rank_none;
    std::int64_t tag = 0;

    [[nodiscard]] bool exists() const { return rank >= 0; }
};

/// What an event means to other ranks.
struct Step {
    Function function = Function::by_name;
    std::int64_t comm = null_handle, me = 0;
    Peer to, from;
    bool probes = false;      // `from` is not received yet
    bool collective = false;  // all ranks of the communicator call it
    bool persistent = false;
    bool ends_requests = false;
    std::int64_t window = null_handle;  // on which all of its ranks meet
    std::int64_t new_window = null_handle;
    std::int64_t file = null_handle;  // likewise
    std::int64_t new_file = null_handle;
    std::int64_t request = null_handle;   // that is made
    std::int64_t new_comm = null_handle;  // its number, rank and size
    std::int64_t new_rank = 0, new_size = 0;
    std::vector<std::int64_t> key;         // ranks with equal ones come into one communicator
    std::vector<std::int64_t> dimensions;  // of a new Cartesian one; of Cart_sub: those that remain
    std::vector<std::int64_t> requests;    // that are started, cancelled, completed or freed
    std::vector<bool> were_cancelled;      // for those that are completed
};

bool is(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The arguments of an event by kind and name.
class Reader {
  public:
    explicit Reader(const Event& event) : event_(event), arguments_(arguments_of(event)) {}

    [[nodiscard]] std::span<const std::int64_t> find(Kind kind) const {
        for (const Argument& each : arguments_)
            if (each.parameter != nullptr && each.parameter->kind == kind) return values(each);
        return {};
    }
    [[nodiscard]] std::int64_t number(std::string_view name, std::int64_t absent) const {
        for (const Argument& each : arguments_)
            if (each.parameter != nullptr && name == each.parameter->name && each.count == 1)
                return event_.values[each.begin];
        return absent;
    }
    /// Without the length.
    [[nodiscard]] std::vector<std::int64_t> list(Kind kind) const {
        const auto all = find(kind);
        if (all.empty()) return {};
        return {all.begin() + 1, all.end()};
    }

  private:
    [[nodiscard]] std::span<const std::int64_t> values(const Argument& each) const {
        return std::span(event_.values).subspan(each.begin, each.count);
    }

    const Event& event_;
    std::vector<Argument> arguments_;
};

/// Which requests a Wait or Test completed, and which of them as cancelled.
void read_completion(const Event& event, const Reader& reader, Step& step) {
    std::vector<std::int64_t> all = reader.list(Kind::waits_);
    const auto one = reader.find(Kind::wait_);
    all.insert(all.end(), one.begin(), one.end());
    const auto asked = reader.find(Kind::request_);
    all.insert(all.end(), asked.begin(), asked.end());
    const auto flag = reader.find(Kind::oflag_);
    if (!flag.empty() && flag[0] == 0) return;
    std::vector<std::int64_t> which;
    if (const auto index = reader.find(Kind::oindex_); !index.empty())
        which.push_back(index[0]);
    else if (!reader.find(Kind::oindices_).empty())
        which = reader.list(Kind::oindices_);
    else
        for (std::size_t i = 0; i < all.size(); ++i) which.push_back(static_cast<std::int64_t>(i));
    const auto status = reader.find(Kind::status_);
    const std::vector<std::int64_t> statuses = reader.list(Kind::statuses_);
    for (std::size_t i = 0; i < which.size(); ++i) {
        if (which[i] < 0 || static_cast<std::size_t>(which[i]) >= all.size()) continue;
        step.requests.push_back(all[static_cast<std::size_t>(which[i])]);
        const bool cancelled = statuses.empty()
                                   ? status.size() == 2 && status[1] != 0
                                   : 2 * i + 1 < statuses.size() && statuses[2 * i + 1] != 0;
        step.were_cancelled.push_back(cancelled);
    }
    step.ends_requests = event.function != Function::Request_get_status_;
}

/// Where a message comes from: what came out says more than what was asked for.
Peer source_of(const Reader& reader, const Step& step) {
    Peer from{reader.number("source", rank_none),
              reader.number("recvtag", reader.number("tag", 0))};
    if (from.rank != rank_any && from.tag != tag_any) return from;
    auto match = reader.find(Kind::newreceive_);
    if (!match.empty()) match = match.subspan(1);
    if (const auto status = reader.find(Kind::status_); status.size() == 4) match = status.first(2);
    // A persistent receive may match another message each time.
    if (match.empty() || step.persistent) return {};
    return {match[0], match[1]};
}

Step read_step(const Event& event) {
    Step step;
    step.function = event.function;
    if (event.function == Function::by_name) return step;
    const Reader reader(event);
    if (const auto comm = reader.find(Kind::comm_); !comm.empty())
        step.comm = comm[0], step.me = comm[1];
    if (const auto freed = reader.find(Kind::freecomm_); !freed.empty())
        step.comm = freed[0], step.me = freed[1];
    if (event.function == Function::Finalize_) step.comm = 0;
    if (const auto made = reader.find(Kind::newwin_); !made.empty()) step.new_window = made[0];
    step.collective = info(event.function).collective;
    if (step.collective) {
        for (const Kind kind : {Kind::win_, Kind::freewin_})
            if (const auto used = reader.find(kind); !used.empty())
                step.window = used[0], step.me = used[1];
        for (const Kind kind : {Kind::file_, Kind::freefile_})
            if (const auto used = reader.find(kind); !used.empty()) step.file = used[0];
    }
    if (const auto made = reader.find(Kind::newfile_); !made.empty()) step.new_file = made[0];
    for (const Kind kind : {Kind::newrequest_, Kind::newreceive_, Kind::newpersistent_})
        if (const auto made = reader.find(kind); !made.empty()) step.request = made[0];
    step.persistent = !reader.find(Kind::newpersistent_).empty();
    if (const auto made = reader.find(Kind::newcomm_); !made.empty()) {
        step.new_comm = made[0], step.new_rank = made[1], step.new_size = made[2];
        step.key = {reader.number("color", 0)};
        step.dimensions =
            event.function == Function::Cart_create_ ? reader.list(Kind::ints_) : step.dimensions;
        if (event.function == Function::Cart_sub_) step.dimensions = reader.list(Kind::logicals_);
    }
    if (!reader.find(Kind::tag_).empty() && step.new_comm < 0) {
        const auto flag = reader.find(Kind::oflag_);
        const bool found = flag.empty() || flag[0] != 0;
        step.probes = is(info(event.function).name, {"Probe", "Iprobe", "Mprobe", "Improbe"});
        step.to = {reader.number("dest", rank_none),
                   reader.number("sendtag", reader.number("tag", 0))};
        if (found) step.from = source_of(reader, step);
        return step;
    }
    for (const Kind kind : {Kind::start_, Kind::requestp_, Kind::freerequest_})
        if (const auto used = reader.find(kind); !used.empty()) step.requests.push_back(used[0]);
    if (event.function == Function::Startall_) step.requests = reader.list(Kind::starts_);
    if (step.requests.empty()) read_completion(event, reader, step);
    return step;
}

/// A communicator. Ranks in it are found by all of its members.
struct Group {
    /// What a member says of the communicator that it makes with others.
    struct Maker {
        std::int64_t member = 0;
        const Step* step = nullptr;
    };
    /// A rank that got out of the call, and its own call that says so.
    struct Passed {
        std::size_t rank = 0;
        std::uint64_t at = 0;
    };
    struct Call {
        std::uint64_t arrived = 0;
        std::vector<Maker> makers;
        std::vector<int> made;  // by member, as soon as somebody asks
        std::vector<std::size_t> waiting;
        std::vector<Passed> passed;
    };

    std::vector<std::uint32_t> world;      // by member
    std::vector<std::int64_t> dimensions;  // of a Cartesian one
    std::vector<std::uint64_t> calls_of;   // collective calls of each member
    std::vector<Call> calls;
};

struct Groups {
    std::vector<std::unique_ptr<Group>> all;

    int add(std::vector<std::uint32_t> world, std::vector<std::int64_t> dimensions = {}) {
        all.push_back(std::make_unique<Group>());
        all.back()->calls_of.assign(world.size(), 0);
        all.back()->world = std::move(world);
        all.back()->dimensions = std::move(dimensions);
        return static_cast<int>(all.size()) - 1;
    }
    [[nodiscard]] Group& at(int group) { return *all[static_cast<std::size_t>(group)]; }
    int made_by(int parent, std::size_t call, std::int64_t member);
};

/// Cart_sub: the coordinates that do not remain tell the new communicators apart.
std::vector<std::int64_t> key_of(const Group& group, const Group::Maker& maker) {
    if (maker.step->function != Function::Cart_sub_) return maker.step->key;
    std::vector<std::int64_t> key;
    std::int64_t rest = maker.member;
    const auto& remain = maker.step->dimensions;
    for (std::size_t i = group.dimensions.size(); i-- > 0 && remain.size() > i;) {
        if (group.dimensions[i] <= 0) break;
        if (remain[i] == 0) key.push_back(rest % group.dimensions[i]);
        rest /= group.dimensions[i];
    }
    return key;
}

/// The communicator that a member got from a call; no_group if the calls do not tell who else is in it.
int Groups::made_by(int parent, std::size_t call_number, std::int64_t member) {
    if (at(parent).calls[call_number].made.empty()) {
        const Group& group = at(parent);
        std::vector<int> made(group.world.size(), no_group);
        std::map<std::vector<std::int64_t>, std::vector<Group::Maker>> together;
        for (const Group::Maker& maker : group.calls[call_number].makers)
            if (maker.step->new_comm >= 0) together[key_of(group, maker)].push_back(maker);
        std::vector<std::pair<std::vector<std::uint32_t>, std::vector<Group::Maker>>> found;
        for (const auto& [key, makers] : together) {
            std::vector<std::uint32_t> world(makers.size(), ~std::uint32_t{0});
            bool fits = true;
            for (const Group::Maker& maker : makers) {
                const auto rank = static_cast<std::size_t>(maker.step->new_rank);
                fits = fits && static_cast<std::size_t>(maker.step->new_size) == makers.size() &&
                       rank < world.size() && world[rank] == ~std::uint32_t{0};
                if (fits) world[rank] = group.world[static_cast<std::size_t>(maker.member)];
            }
            if (fits) found.emplace_back(std::move(world), makers);
        }
        for (auto& [world, makers] : found) {
            const bool grid = makers[0].step->function == Function::Cart_create_;
            const int number =
                add(world, grid ? makers[0].step->dimensions : std::vector<std::int64_t>());
            for (const Group::Maker& maker : makers)
                made[static_cast<std::size_t>(maker.member)] = number;
        }
        at(parent).calls[call_number].made = std::move(made);
    }
    return at(parent).calls[call_number].made[static_cast<std::size_t>(member)];
}

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
class Process {
  public:
    Process(const RankRecording& recording, const std::vector<Step>& steps, World& world)
        : rank_(static_cast<int>(recording.rank)),
          steps_(steps),
          world_(world),
          at_(recording.grammar) {}

    void advance() {
        while (!at_.done() && execute()) {
            ++done_;
            begun_ = false;
            if (++repeated_ < at_.count()) continue;
            at_.next();
            repeated_ = 0;
        }
    }
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

    bool execute() {
        const Step& step = steps_[at_.terminal()];
        if (!begun_) begin(step);
        begun_ = true;
        if (step.request < 0 && !is_met_or_waits(need_)) return false;
        // What is met stays so: those before are not asked again.
        for (; met_ < step.were_cancelled.size(); ++met_)
            if (!step.were_cancelled[met_] && !is_met_or_waits(need_of(step.requests[met_])))
                return false;
        if (step.request < 0) note_passed(need_);
        for (std::size_t i = 0; i < step.were_cancelled.size(); ++i)
            if (!step.were_cancelled[i]) note_passed(need_of(step.requests[i]));
        end(step);
        return true;
    }

    void send(Channel& channel) {
        ++channel.sent;
        effects_.push_back({done_, &channel, no_group, 0});
        if (channel.awaited) world_.ready.push_back(channel.receiver);
        channel.awaited = false;
    }
    [[nodiscard]] bool is_met_or_waits(const Need& need) {
        if (is_met(need)) return true;
        if (need.group != no_group)
            world_.groups.at(need.group).calls[need.call].waiting.push_back(rank());
        else
            need.channel->awaited = true;
        return false;
    }
    /// The call that is executed shows that the need was met.
    void note_passed(const Need& need) {
        if (need.group != no_group) {
            world_.groups.at(need.group).calls[need.call].passed.push_back({rank(), done_});
        } else if (need.channel != nullptr) {
            auto& at = need.channel->needed_at;
            const std::uint64_t message = need.channel->message_of(need.place);
            if (at.size() <= message) at.resize(message + 1, never);
            at[message] = std::min(at[message], done_);
        }
    }
    [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(rank_); }

    void begin(const Step& step) {
        need_ = {};
        met_ = 0;
        // A receive that was cancelled too late took a message.
        for (std::size_t i = 0; i < step.were_cancelled.size(); ++i)
            if (const Need need = need_of(step.requests[i]);
                !step.were_cancelled[i] && need.channel != nullptr)
                need.channel->cancel_came_too_late(need.place);
        const int group = step.window >= 0 ? known(windows_, step.window)
                          : step.file >= 0 ? known(files_, step.file)
                          : step.comm < 0  ? no_group
                                           : group_of(step.comm);
        if (step.new_window >= 0) windows_[step.new_window] = group;
        if (step.new_file >= 0) files_[step.new_file] = group;
        if (step.comm >= 0 && group == no_group) world_.not_followed = true;
        begin_message(step, group);
        if (step.collective && group != no_group) begin_collective(step, group);
        if (step.function == Function::Start_ || step.function == Function::Startall_)
            for (const std::int64_t number : step.requests) start(number);
    }
    void begin_message(const Step& step, int group) {
        Channel* const to = channel(group, step.me, step.to.rank, step.to.tag);
        Channel* const from = channel(group, step.from.rank, step.me, step.from.tag);
        if (step.persistent) {
            requests_[step.request] = {{}, to, from, true};
            return;
        }
        if (to != nullptr) send(*to);
        if (from != nullptr) need_ = {from, from->posted, no_group, 0};
        if (from != nullptr && !step.probes) ++from->posted;
    }
    void begin_collective(const Step& step, int group) {
        Group& all = world_.groups.at(group);
        // Finalize and calls on files do not say who calls.
        const bool untold = step.function == Function::Finalize_ || step.file >= 0;
        const auto own = [&] {
            return std::find(all.world.begin(), all.world.end(), rank()) - all.world.begin();
        };
        const auto me = static_cast<std::size_t>(untold ? own() : step.me);
        if (me >= all.calls_of.size()) return;
        const std::size_t number = all.calls_of[me]++;
        if (all.calls.size() <= number) all.calls.resize(number + 1);
        effects_.push_back({done_, nullptr, group, number});
        if (++all.calls[number].arrived == all.world.size()) {
            auto& waiting = all.calls[number].waiting;
            world_.ready.insert(world_.ready.end(), waiting.begin(), waiting.end());
            waiting = {};
        }
        need_ = {nullptr, 0, group, number};
        if (step.new_comm < 0 && step.key.empty()) return;
        all.calls[number].makers.push_back({step.me, &step});
        if (step.new_comm >= 0) comms_[step.new_comm] = {group, number, step.me};
    }
    void start(std::int64_t number) {
        const auto found = requests_.find(number);
        if (found == requests_.end()) return;
        Request& request = found->second;
        if (request.sends != nullptr) send(*request.sends);
        request.need = {};
        if (request.receives != nullptr)
            request.need = {request.receives, request.receives->posted++, no_group, 0};
    }

    void end(const Step& step) {
        if (step.request >= 0 && !step.persistent) requests_[step.request] = {need_, {}, {}, false};
        if (step.probes && need_.channel != nullptr &&
            is(info(step.function).name, {"Mprobe", "Improbe"}))
            ++need_.channel->posted;
        for (std::size_t i = 0; i < step.requests.size(); ++i) {
            const auto found = requests_.find(step.requests[i]);
            if (found == requests_.end()) continue;
            Channel* const channel = found->second.need.channel;
            if (step.function == Function::Cancel_ && channel != nullptr)
                channel->cancel(found->second.need.place);
            const bool gone = step.ends_requests || step.function == Function::Request_free_;
            if (!gone) continue;
            if (found->second.persistent && step.ends_requests)
                found->second.need = {};
            else
                requests_.erase(found);
        }
        // Made by a part of the ranks, or between groups: who is in it is not told.
        if (step.new_comm >= 0 && need_.group == no_group) comms_[step.new_comm] = {};
        if (step.function == Function::Comm_free_) comms_.erase(step.comm);
    }

    [[nodiscard]] bool is_met(const Need& need) {
        if (need.group != no_group) {
            const Group& group = world_.groups.at(need.group);
            return group.calls[need.call].arrived == group.world.size();
        }
        return need.channel == nullptr || need.channel->sent > need.channel->message_of(need.place);
    }
    [[nodiscard]] Need need_of(std::int64_t request) const {
        const auto found = requests_.find(request);
        return found == requests_.end() ? Need{} : found->second.need;
    }
    [[nodiscard]] int group_of(std::int64_t comm) {
        if (comm == 0) return 0;
        if (comm == 1) return 1 + rank_;
        const auto found = comms_.find(comm);
        if (found == comms_.end() || found->second.parent == no_group) return no_group;
        const Made& made = found->second;
        return world_.groups.made_by(made.parent, made.call, made.member);
    }
    using Handles = std::unordered_map<std::int64_t, int>;
    [[nodiscard]] static int known(const Handles& groups, std::int64_t handle) {
        const auto found = groups.find(handle);
        return found == groups.end() ? no_group : found->second;
    }
    [[nodiscard]] Channel* channel(int group, std::int64_t from, std::int64_t to,
                                   std::int64_t tag) {
        const auto& world = world_.groups.at(std::max(group, 0)).world;
        if (group == no_group || from < 0 || to < 0 || static_cast<std::size_t>(to) >= world.size())
            return nullptr;
        Channel& found = world_.channels[{group, from, to, tag}];
        found.receiver = world[static_cast<std::size_t>(to)];
        return &found;
    }

    int rank_;
    const std::vector<Step>& steps_;
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
    explicit Execution(const std::vector<RankRecording>& ranks) : world(ranks.size()) {
        for (const RankRecording& rank : ranks) {
            auto& mine = steps.emplace_back();
            for (const Event& event : rank.events) mine.push_back(read_step(event));
        }
        for (std::size_t rank = 0; rank < ranks.size(); ++rank)
            processes.emplace_back(ranks[rank], steps[rank], world);
        for (std::size_t rank = ranks.size(); rank-- > 0;) world.ready.push_back(rank);
        while (!world.ready.empty()) {
            const std::size_t rank = world.ready.back();
            world.ready.pop_back();
            processes[rank].advance();
        }
    }
    Execution(const Execution&) = delete;
    Execution& operator=(const Execution&) = delete;

    World world;
    std::vector<std::vector<Step>> steps;
    std::vector<Process> processes;
};

std::uint64_t length_of(const RankRecording& recording) {
    return strings::expanded_lengths(recording.grammar)[0];
}

constexpr std::size_t ranks_told = 8;

}  // namespace

ConsistentPart consistent_part(const std::vector<RankRecording>& ranks) {
    Execution run(ranks);
    // A call that is cut off takes back what it sent, so ranks that needed that are cut as well.
    std::vector<std::pair<std::size_t, std::uint64_t>> cuts;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        cuts.emplace_back(rank, run.processes[rank].done());
    while (!cuts.empty()) {
        const auto [rank, calls] = cuts.back();
        cuts.pop_back();
        run.processes[rank].keep(calls, [&](std::size_t other, std::uint64_t at) {
            if (at < run.processes[other].done()) cuts.emplace_back(other, at);
        });
    }
    ConsistentPart part;
    for (const Process& process : run.processes) part.events.push_back(process.done());
    part.not_followed = run.world.not_followed;
    return part;
}

std::vector<std::string> gaps_of(const std::vector<RankRecording>& ranks) {
    const Execution run(ranks);
    // A collective call waits for others that wait for a message: that is the reason.
    for (const bool for_all : {false, true})
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            const Process& process = run.processes[rank];
            if (process.at_end()) continue;
            const Event& event = ranks[rank].events[process.waits_in()];
            if (info(event.function).collective != for_all) continue;
            return {
                "call " + std::to_string(process.done() + 1) + " of rank " + std::to_string(rank) +
                " waits for what was not recorded: " + describe(event, ranks[rank].texts, false)};
        }
    for (const auto& [key, channel] : run.world.channels)
        if (channel.sent > channel.taken())
            return {"rank " + std::to_string(channel.receiver) + " did not receive within it " +
                    std::to_string(channel.sent - channel.taken()) + " of the messages with tag " +
                    std::to_string(std::get<3>(key)) + " that it was sent"};
    if (run.world.not_followed)
        return {
            "messages within communicators that only some ranks made, or that join two groups, "
            "cannot be followed: nothing shows that all of them are sent and received within it; "
            "record the whole run"};
    return {};
}

std::vector<std::string> cut_to_consistent_part(std::vector<RankRecording>& ranks) {
    const bool complete = std::all_of(ranks.begin(), ranks.end(), [](const RankRecording& rank) {
        return rank.ending == Ending::complete;
    });
    if (complete) return {};
    const ConsistentPart part = consistent_part(ranks);
    std::vector<std::string> words{
        "the run did not end: kept is its longest part in which all that is received was sent, and "
        "every collective "
        "call was made by all of its ranks"};
    std::size_t cut = 0;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const std::uint64_t all = length_of(ranks[rank]);
        if (all != 0 && part.events[rank] == all) continue;
        ranks[rank] = first_calls(ranks[rank], part.events[rank]);
        if (++cut > ranks_told) continue;
        words.push_back("rank " + std::to_string(rank) + ": " +
                        (all == 0 ? std::string("nothing is left of its recording")
                                  : std::to_string(part.events[rank]) + " of " +
                                        std::to_string(all) + " recorded calls are kept"));
    }
    if (cut > ranks_told)
        words.push_back("so it is with " + std::to_string(cut - ranks_told) + " more ranks");
    if (part.not_followed)
        words.emplace_back(
            "messages within communicators that only some ranks made, or that join two groups, "
            "were not followed");
    return words;
}

}  // namespace refrain::proxy
