#include "regions/failure.hpp"

#include <algorithm>

namespace refrain::regions {

Failure* make_failure(std::uint64_t operation, const LaunchSite& site) {
    auto failure = std::make_unique<Failure>();
    failure->operation = operation;
    failure->site = site;
    failure->cause = std::current_exception();
    try {
        throw;
    } catch (const std::exception& exception) {
        failure->message = exception.what();
    } catch (...) {
        failure->message = "an exception that is no std::exception";
    }
    return failure.release();
}

void FailureLog::add(Failure* failure) {
    failures_.emplace_back(failure);
    failure->last_use = failure->operation;
    if (unreported() > unreported_max) {
        failure->is_reported = true;
        ++dropped_;
    }
}

void FailureLog::note_use(Failure& failure, std::uint64_t number) {
    failure.last_use = std::max(failure.last_use, number);
}

void FailureLog::purge(std::uint64_t frontier, std::uint32_t window) {
    std::erase_if(failures_, [&](const auto& failure) {
        return failure->is_reported && failure->references == 0 &&
               frontier > failure->last_use + window;
    });
}

const Failure* FailureLog::take_unreported() {
    const Failure* first = nullptr;
    for (const auto& failure : failures_) {
        if (!failure->is_reported && first == nullptr) first = failure.get();
        failure->is_reported = true;
    }
    dropped_ = 0;
    return first;
}

std::uint64_t FailureLog::unreported() const {
    const auto kept = std::count_if(failures_.begin(), failures_.end(),
                                    [](const auto& failure) { return !failure->is_reported; });
    return static_cast<std::uint64_t>(kept) + dropped_;
}

}  // namespace refrain::regions
