#pragma once

namespace refrain::runtime {

/// Gets a call before and after each fork() of the process, between begin() and end().
///
/// Threads: begin and end on any thread; while a process forks, they wait.
class ForkGuard {
  public:
    ForkGuard(const ForkGuard&) = delete;
    ForkGuard& operator=(const ForkGuard&) = delete;
    ForkGuard(ForkGuard&&) = delete;
    ForkGuard& operator=(ForkGuard&&) = delete;

  protected:
    ForkGuard() = default;
    ~ForkGuard() = default;
    void begin();
    void end() noexcept;

    /// Before a fork, on the thread that forks. Returns whether it wants to hear more.
    [[nodiscard]] virtual bool prepare_for_fork() noexcept = 0;
    /// After it, in the parent and in the child.
    virtual void forked(bool is_child) noexcept = 0;

  private:
    friend struct ForkGuards;
    bool is_prepared_ = false;
};

}  // namespace refrain::runtime
