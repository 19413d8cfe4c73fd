/// Giving up a wait: for programs that must notice an interrupt, such as Ctrl-C, while they wait.
#pragma once

#include <stdexcept>

namespace refrain {

/// Asked about every 50 ms while the program waits, on the thread that waits, but not while that
/// runs a task. True: the wait ends with WaitGivenUp. It may use the runtime.
struct GiveUp {
    bool (*ask)(void* context) = nullptr;  // null: never
    void* context = nullptr;
};

/// A wait was given up. What it waited for stays pending, and the program may wait again.
class WaitGivenUp : public std::runtime_error {
  public:
    WaitGivenUp() : std::runtime_error("the wait was given up; the tasks stay pending") {}
};

}  // namespace refrain
