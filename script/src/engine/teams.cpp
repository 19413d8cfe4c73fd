#include "engine/teams.hpp"

#include <algorithm>

namespace refrain::script::engine {

// ---- rank 0

std::vector<Rank> Teams::candidates() const {
    const Task& task = asked_.front().task;
    return placement_.ranks_of(program_.tasks[task.definition].call->work_type);
}

void Teams::handle(Gather&& message) {
    auto place = asked_.end();
    while (place - asked_.begin() > 1 && (place - 1)->task.priority < message.task.priority)
        --place;
    asked_.insert(place, std::move(message));
    if (asked_.size() == 1) muster_first();
}

void Teams::muster_first() {
    ++team_;
    mustered_.clear();
    for (const Rank each : candidates()) outbox_.send(each, Muster{team_});
}

void Teams::handle(const Mustered& message, Rank from) {
    if (message.team != team_ || asked_.empty()) return;  // it crossed the Assemble
    mustered_.push_back(from);
    if (mustered_.size() < asked_.front().size) return;
    std::ranges::sort(mustered_);
    for (const Rank each : candidates()) {
        const bool belongs = std::ranges::binary_search(mustered_, each);
        outbox_.send(each, belongs ? Assemble{mustered_, asked_.front().task} : Assemble{});
    }
    asked_.pop_front();
    if (!asked_.empty()) muster_first();
}

// ---- each rank

void Teams::report() {
    if (!muster_ || reported_ || !members_.empty()) return;
    reported_ = true;
    outbox_.send(0, Mustered{*muster_});
}

void Teams::handle(Assemble&& message) {
    muster_.reset();
    reported_ = false;
    if (!message.task) return;
    members_ = std::move(message.members);
    task_ = std::move(message.task);
    others_running_ = members_.size() - 1;
    failure_of_others_ = nullptr;
}

void Teams::end(Task task, std::vector<Value> results, FailurePointer failure) {
    if (members_[0] == rank_) {
        ended_ = Ended{std::move(task), std::move(results), std::move(failure)};
        return;
    }
    outbox_.send(members_[0], TeamEnd{std::move(failure)});
    members_.clear();
}

void Teams::handle(TeamEnd&& message) {
    --others_running_;
    if (failure_of_others_ == nullptr) failure_of_others_ = std::move(message.why);
}

std::optional<Teams::Ended> Teams::take_ended() {
    if (!ended_ || others_running_ != 0) return std::nullopt;
    members_.clear();
    if (ended_->failure == nullptr) ended_->failure = failure_of_others_;
    return std::exchange(ended_, std::nullopt);
}

}  // namespace refrain::script::engine
