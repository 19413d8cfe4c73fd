/// The exceptions of Refrain; `Error` is the base class of all.
///
///     UsageError      an invalid request of the program; the message names the argument
///     TaskError       a task threw; carries its name, its launch site and the original exception
///     OutOfMemory     the storage of a region could not be allocated
///     TraceMismatch   a launch differs from the recorded trace, in strict mode
///     Error itself    the runtime has ended: an earlier call threw std::bad_alloc halfway
///
/// Header only, so that every room and every client can throw and catch them.
#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace refrain {

class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class UsageError : public Error {
  public:
    using Error::Error;
};

/// A task threw, or was skipped because one of its inputs had failed.
///
/// what(): "task 'saxpy' (main.cpp:41) failed: division by zero"
class TaskError : public Error {
  public:
    TaskError(std::string task, std::string launch_site, std::string original_message,
              std::exception_ptr cause)
        : Error(text(task, launch_site, original_message)),
          task_(std::move(task)),
          launch_site_(std::move(launch_site)),
          original_message_(std::move(original_message)),
          cause_(std::move(cause)) {}

    [[nodiscard]] const std::string& task() const noexcept { return task_; }
    [[nodiscard]] const std::string& launch_site() const noexcept { return launch_site_; }
    /// what() of the original exception.
    [[nodiscard]] const std::string& original_message() const noexcept { return original_message_; }
    /// The original exception, to be rethrown; may be null.
    [[nodiscard]] const std::exception_ptr& cause() const noexcept { return cause_; }

  private:
    static std::string text(const std::string& task, const std::string& site,
                            const std::string& original) {
        std::string t = "task '";
        t.append(task).append("' (").append(site).append(") failed: ").append(original);
        return t;
    }

    std::string task_, launch_site_, original_message_;
    std::exception_ptr cause_;
};

/// The storage of a region could not be allocated.
///
/// what(): "no memory for region4 'y' of 800 bytes: 100 of at most 500 bytes are in use; ..."
/// `region` is the printed region; empty if the pool itself throws.
class OutOfMemory : public Error {
  public:
    OutOfMemory(std::string region, std::size_t bytes, std::string reason)
        : Error(text(region, bytes, reason)),
          region_(std::move(region)),
          reason_(std::move(reason)),
          bytes_(bytes) {}

    /// The same error, for this region.
    [[nodiscard]] OutOfMemory of_region(std::string region) const {
        return OutOfMemory(std::move(region), bytes_, reason_);
    }

    [[nodiscard]] const std::string& region() const noexcept { return region_; }
    [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

  private:
    static std::string text(const std::string& region, std::size_t bytes,
                            const std::string& reason) {
        std::string t = "no memory for ";
        if (region.empty()) {
            t.append("a block");
        } else {
            t.append(region);
        }
        t.append(" of ").append(std::to_string(bytes)).append(" bytes: ").append(reason);
        return t;
    }

    std::string region_, reason_;
    std::size_t bytes_;
};

/// A launch differs from the recorded trace, and strict traces were requested.
///
/// what(): "trace 7, operation 3: recorded 'dot' (cg.cpp:30), launched 'axpy' (cg.cpp:34)"
class TraceMismatch : public Error {
  public:
    using Error::Error;
};

}  // namespace refrain
