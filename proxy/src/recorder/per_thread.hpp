#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace refrain::proxy {

/// What each thread of a process has of its own. Calls ask for that of the thread that calls, which is one pointer.
///
/// Threads: one at a time; `use` says which.
template <class Own>
class PerThread {
  public:
    PerThread() = default;
    PerThread(const PerThread& other) : all_(other.all_) { find_own(other.thread_); }
    PerThread& operator=(const PerThread& other) {
        all_ = other.all_;
        find_own(other.thread_);
        return *this;
    }
    ~PerThread() = default;

    /// From here on this thread calls. Where it is new, `make(thread)` gives what it and those before it have.
    template <class Make>
    void use(std::uint32_t thread, const Make& make) {
        while (all_.size() <= thread) all_.push_back(make(static_cast<std::uint32_t>(all_.size())));
        find_own(thread);
    }
    [[nodiscard]] std::uint32_t thread() const { return thread_; }
    [[nodiscard]] Own& own() { return *own_; }
    [[nodiscard]] const Own& own() const { return *own_; }
    [[nodiscard]] bool several() const { return several_; }
    [[nodiscard]] std::size_t size() const { return all_.size(); }
    [[nodiscard]] Own& operator[](std::size_t thread) { return all_[thread]; }
    [[nodiscard]] const Own& operator[](std::size_t thread) const { return all_[thread]; }
    [[nodiscard]] auto begin() { return all_.begin(); }
    [[nodiscard]] auto end() { return all_.end(); }
    [[nodiscard]] auto begin() const { return all_.begin(); }
    [[nodiscard]] auto end() const { return all_.end(); }

  private:
    void find_own(std::uint32_t thread) {
        thread_ = thread;
        own_ = &all_[thread];
        several_ = all_.size() > 1;
    }

    std::deque<Own> all_ = std::deque<Own>(1);  // by thread; each stays where it is
    Own* own_ = &all_.front();
    std::uint32_t thread_ = 0;
    bool several_ = false;
};

}  // namespace refrain::proxy
