/// Partitions that two runtimes use at the same time: each is made by the one that needs it first.
#pragma once

#include <map>
#include <mutex>

#include "property/handles.hpp"
#include "property/program.hpp"

namespace refrain::property {

/// Threads: any.
class SharedPartitions {
  public:
    /// That of the statement. `make` makes it; it may throw.
    template <class Make>
    [[nodiscard]] AnyPartition of(const CreatePartition& statement, const Make& make) {
        const std::lock_guard lock(mutex_);
        auto known = made_.find(&statement);
        if (known == made_.end()) known = made_.emplace(&statement, make()).first;
        return known->second;
    }

  private:
    std::mutex mutex_;
    std::map<const CreatePartition*, AnyPartition> made_;
};

}  // namespace refrain::property
