#pragma once

#include "library/services.hpp"
#include "values/value.hpp"

#include <span>
#include <string>

namespace refrain::script {

using Arguments = std::span<const Value>;
using Results = std::span<Value>;

/// A leaf function.
///
/// Threads: call runs on any worker, several at a time.
class Leaf {
  public:
    Leaf() = default;
    Leaf(const Leaf&) = delete;
    Leaf& operator=(const Leaf&) = delete;
    virtual ~Leaf() = default;

    /// results   one per output. That of a mapped file holds its name on entry, a string; all others are empty.
    /// Errors:   any std::exception; the outputs then fail.
    virtual void call(Arguments arguments, Results results, Services& services) const = 0;
    /// The call in words, for records: the command of a program. Arguments and results are as on entry of call().
    [[nodiscard]] virtual std::string describe(Arguments, std::span<const Value>) const {
        return {};
    }
    /// True if the call may take long: it is then counted as a task of its own in reports.
    [[nodiscard]] virtual bool is_long_running() const { return true; }
    /// True if a call may take next to no time all the same: then it is measured.
    [[nodiscard]] virtual bool may_be_brief() const { return false; }
};

}  // namespace refrain::script
