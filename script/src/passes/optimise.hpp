#pragma once

#include "ir/program.hpp"
#include "refrain/script/options.hpp"

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace refrain::script::passes {

/// In the order in which they work.
[[nodiscard]] std::span<const PassInfo> pass_names();

/// Which passes are on.
class PassSet {
  public:
    explicit PassSet(int level = 3);
    /// Errors: UsageError for an unknown name; it lists those there are.
    void set(std::string_view name, bool on);
    [[nodiscard]] bool has(std::string_view name) const;

  private:
    std::vector<bool> on_;
};

/// Called after each pass that has run. constant-fold and finalized-var are parts of value-number.
using PassObserver = std::function<void(std::string_view pass, const ir::Program&)>;

/// Runs the passes, round after round, until nothing changes or ten rounds are over; verifies the code after each.
[[nodiscard]] ir::Program optimise(ir::Program program, const PassSet& passes,
                                   const PassObserver& observer = {});

}  // namespace refrain::script::passes
