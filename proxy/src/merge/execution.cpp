#include "merge/execution.hpp"

#include <string_view>

namespace refrain::proxy {

void RankExecution::advance() {
    while (!at_.done() && execute()) {
        ++done_;
        begun_ = false;
        if (++repeated_ < at_.count()) continue;
        at_.next();
        repeated_ = 0;
    }
}

bool RankExecution::execute() {
    const RankStep& step = steps_[at_.terminal()];
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

void RankExecution::send(Channel& channel) {
    ++channel.sent;
    effects_.push_back({done_, &channel, no_group, 0});
    if (channel.awaited) world_.ready.push_back(channel.receiver);
    channel.awaited = false;
}

bool RankExecution::is_met_or_waits(const Need& need) {
    if (is_met(need)) return true;
    if (need.group != no_group)
        world_.groups.at(need.group).calls[need.call].waiting.push_back(rank());
    else
        need.channel->awaited = true;
    return false;
}

void RankExecution::note_passed(const Need& need) {
    if (need.group != no_group) {
        world_.groups.at(need.group).calls[need.call].passed.push_back({rank(), done_});
    } else if (need.channel != nullptr) {
        auto& at = need.channel->needed_at;
        const std::uint64_t message = need.channel->message_of(need.place);
        if (at.size() <= message) at.resize(message + 1, Channel::never);
        at[message] = std::min(at[message], done_);
    }
}

void RankExecution::begin(const RankStep& step) {
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

void RankExecution::begin_message(const RankStep& step, int group) {
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

void RankExecution::begin_collective(const RankStep& step, int group) {
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

void RankExecution::start(std::int64_t number) {
    const auto found = requests_.find(number);
    if (found == requests_.end()) return;
    Request& request = found->second;
    if (request.sends != nullptr) send(*request.sends);
    request.need = {};
    if (request.receives != nullptr)
        request.need = {request.receives, request.receives->posted++, no_group, 0};
}

void RankExecution::end(const RankStep& step) {
    if (step.request >= 0 && !step.persistent) requests_[step.request] = {need_, {}, {}, false};
    if (step.probes && need_.channel != nullptr &&
        (step.function == Function::Mprobe_ || step.function == Function::Improbe_))
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
    if (step.frees_comm) comms_.erase(step.comm);
}

bool RankExecution::is_met(const Need& need) {
    if (need.group != no_group) {
        const Group& group = world_.groups.at(need.group);
        return group.calls[need.call].arrived == group.world.size();
    }
    return need.channel == nullptr || need.channel->sent > need.channel->message_of(need.place);
}

RankExecution::Need RankExecution::need_of(std::int64_t request) const {
    const auto found = requests_.find(request);
    return found == requests_.end() ? Need{} : found->second.need;
}

int RankExecution::group_of(std::int64_t comm) {
    if (comm == 0) return 0;
    if (comm == 1) return 1 + rank_;
    const auto found = comms_.find(comm);
    if (found == comms_.end() || found->second.parent == no_group) return no_group;
    const Made& made = found->second;
    return world_.groups.made_by(made.parent, made.call, made.member);
}

Channel* RankExecution::channel(int group, std::int64_t from, std::int64_t to, std::int64_t tag) {
    const auto& world = world_.groups.at(std::max(group, 0)).world;
    if (group == no_group || from < 0 || to < 0 || static_cast<std::size_t>(to) >= world.size())
        return nullptr;
    Channel& found = world_.channels[{group, from, to, tag}];
    found.receiver = world[static_cast<std::size_t>(to)];
    return &found;
}

Execution::Execution(const std::vector<RankRecording>& ranks) : world(ranks.size()) {
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

}  // namespace refrain::proxy
