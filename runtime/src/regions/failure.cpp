#include "regions/failure.hpp"

#include <algorithm>
#include <array>

namespace refrain::regions {
namespace {

/// Memory of failures for which the heap has none. Untouched pages of it take no memory.
///
/// Threads:  any.
class Reserve {
  public:
    /// Null if none is left.
    [[nodiscard]] void* take() noexcept {
        const base::LockGuard lock(mutex_);
        if (free_ != nullptr) return std::exchange(free_, free_->next);
        return used_ == slots_.size() ? nullptr : &slots_[used_++];
    }
    void give_back(void* slot) noexcept {
        const base::LockGuard lock(mutex_);
        free_ = ::new (slot) Free{free_};
    }
    [[nodiscard]] bool has(const void* failure) const {
        const auto at = reinterpret_cast<std::uintptr_t>(failure);
        const auto begin = reinterpret_cast<std::uintptr_t>(slots_.data());
        return at >= begin && at < begin + sizeof(slots_);
    }

  private:
    struct Free {
        Free* next;
    };
    struct alignas(Failure) Slot {
        std::byte bytes[sizeof(Failure)];
    };
    base::Mutex mutex_;
    std::array<Slot, Failure::reserve_max> slots_;
    std::size_t used_ REFRAIN_GUARDED_BY(mutex_) = 0;
    Free* free_ REFRAIN_GUARDED_BY(mutex_) = nullptr;
};

Reserve& reserve() {
    static Reserve of_process;
    return of_process;
}

void set_message(Failure& failure, const char* text) noexcept {
    try {
        failure.message = text;
    } catch (const std::bad_alloc&) {
        failure.message = "out of memory";  // short enough to need none
    }
}

}  // namespace

void* Failure::operator new(std::size_t bytes) {
    void* memory = ::operator new(bytes, std::nothrow);
    if (memory == nullptr) memory = reserve().take();
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

void Failure::operator delete(void* failure) noexcept {
    if (reserve().has(failure))
        reserve().give_back(failure);
    else
        ::operator delete(failure);
}

Failure* make_failure(graph::OperationNumber operation, std::uint32_t point,
                      const LaunchSite& site) {
    auto failure = std::make_unique<Failure>();
    failure->operation = operation;
    failure->point = point;
    failure->site = site;
    static const std::exception_ptr out_of_memory = std::make_exception_ptr(std::bad_alloc());
    failure->cause = reserve().has(failure.get()) ? out_of_memory : std::current_exception();
    try {
        throw;
    } catch (const std::exception& exception) {
        set_message(*failure, exception.what());
    } catch (...) {
        set_message(*failure, "an exception that is no std::exception");
    }
    return failure.release();
}

void FailureLog::add(Failure* failure) {
    note(*failure);
    if (failure->is_further) {
        delete failure;
        return;
    }
    failures_.emplace_back(failure);
    failure->last_use = failure->operation;
    if (unreported() > unreported_max) {
        failure->is_reported = true;
        ++dropped_;
    }
}

void FailureLog::add(SecondaryFailures& failures) {
    for (std::unique_ptr<Failure>& failure : failures.take()) {
        add(failure.get());
        static_cast<void>(failure.release());  // add may throw, and then frees nothing
    }
    thrown_count_ += failures.take_not_kept();
}

void FailureLog::note(const Failure& failure) {
    ++thrown_count_;
    if (thrown_.size() >= thrown_max) return;
    thrown_.push_back({.operation = failure.operation,
                       .point = failure.point,
                       .site = failure.site,
                       .message = failure.message,
                       .cause = failure.cause});
}

std::vector<FailedTask> FailureLog::take_thrown() {
    static_cast<void>(take_unreported());
    std::sort(thrown_.begin(), thrown_.end(), [](const Thrown& a, const Thrown& b) {
        return std::pair(a.operation, a.point) < std::pair(b.operation, b.point);
    });
    std::vector<FailedTask> failed;
    failed.reserve(thrown_.size());
    for (const Thrown& t : thrown_)
        failed.push_back({.operation = t.operation.value(),
                          .point = t.point,
                          .error = {t.site.name, t.site.where(), t.message, t.cause}});
    thrown_.clear();
    return failed;
}

std::string FailureLog::message_of(graph::OperationNumber operation, std::uint32_t point) const {
    const auto known = std::find_if(thrown_.rbegin(), thrown_.rend(), [&](const Thrown& t) {
        return t.operation == operation && t.point == point;
    });
    return known == thrown_.rend() ? std::string() : known->message;
}

bool FailureLog::owns(const Failure& failure) const {
    return std::any_of(failures_.begin(), failures_.end(),
                       [&](const auto& known) { return known.get() == &failure; });
}

void FailureLog::note_use(Failure& failure, graph::OperationNumber number) {
    failure.last_use = std::max(failure.last_use, number);
}

void FailureLog::purge(graph::OperationNumber frontier, std::uint32_t window) {
    std::erase_if(failures_, [&](const auto& failure) {
        const bool is_over = failure->is_reported && failure->references == 0 &&
                             frontier > failure->last_use + window;
        if (is_over)
            for (Thrown& thrown : thrown_)
                if (thrown.operation == failure->operation) thrown.cause = nullptr;
        return is_over;
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
