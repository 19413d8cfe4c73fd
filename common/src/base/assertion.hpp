#pragma once

#include <atomic>
#include <stdexcept>
#include <string_view>

/// Checks a fact that only a bug in Refrain can make false; stays on in release builds.
///
/// REFRAIN_ASSERT(begin <= end, "a slice ends before it begins");
///
/// One fact per assertion, and cheap: one predictable branch on values already loaded. The message
/// says what is wrong when the condition is false; it is evaluated only on failure.
///
/// Errors:      on failure prints condition, message and file:line to standard error and aborts;
///              with base::throw_on_internal_failure set it throws base::InternalError instead.
#define REFRAIN_ASSERT(condition, message)                                                \
    do {                                                                                  \
        if (!(condition)) [[unlikely]] {                                                  \
            ::refrain::base::internal_failure(#condition, (message), __FILE__, __LINE__); \
        }                                                                                 \
    } while (false)

namespace refrain::base {

/// A failed assertion; thrown only while throw_on_internal_failure is set.
class InternalError : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

/// Tests set it to provoke internal failures. Relaxed accesses suffice: it is set before the code
/// under test runs.
inline std::atomic<bool> throw_on_internal_failure{false};

/// Reports a failed REFRAIN_ASSERT: aborts or throws.
[[noreturn, gnu::cold, gnu::noinline]] void internal_failure(std::string_view condition,
                                                             std::string_view message,
                                                             std::string_view file, int line);

}  // namespace refrain::base
