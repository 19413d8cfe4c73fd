#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <sys/types.h>
#include <vector>

namespace refrain::processes {

/// What a process that begins says of itself: in memory that it shares with the one that has started it.
struct ProcessPlace {
    std::atomic<pid_t> process{
        0};  // 0: the place is free. Relaxed: others read it when this one and its parent have gone
    std::atomic<int> problem{
        0};  // why it did not become its program. Relaxed: it has ended when that is read
};
static_assert(std::atomic<pid_t>::is_always_lock_free);  // processes share them

/// A place for each process of a run, in memory that the copies of this process share. Threads: one at a time.
class ProcessPlaces {
  public:
    static constexpr std::size_t places_max = 4096;

    /// Errors: ProcessError if there is no memory.
    ProcessPlaces();
    ProcessPlaces(const ProcessPlaces&) = delete;
    ProcessPlaces& operator=(const ProcessPlaces&) = delete;
    ~ProcessPlaces();

    /// Null if all are taken.
    [[nodiscard]] ProcessPlace* take();
    void give_back(ProcessPlace& place);
    [[nodiscard]] const std::array<ProcessPlace, places_max>& all() const { return *all_; }

  private:
    std::array<ProcessPlace, places_max>* all_ = nullptr;  // owned
    std::vector<ProcessPlace*> free_;                      // the last one first
};

}  // namespace refrain::processes
