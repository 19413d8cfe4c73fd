#pragma once

#include "merge/groups.hpp"
#include "merge/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::proxy {

/// Who is in each communicator of a run, as far as the calls that make them tell: all ranks' calls are read.
///
///     MPI_Comm_split by rank % 2 on 4 ranks    two groups: ranks {0, 2} and {1, 3}
///
/// Groups 0 and 1 + r are MPI_COMM_WORLD and MPI_COMM_SELF of rank r. Communicators that join two groups, or that only some
/// ranks of another one make, have no_group.
///
/// Complexity: reads each rank's calls once; memory linear in the calls that make communicators.
class Communicators {
  public:
    explicit Communicators(const Recording& recording);

    /// The group of the `number`-th communicator that a rank gets from a call, from 0 on.
    [[nodiscard]] int group(std::uint32_t rank, std::size_t number) const {
        const std::vector<int>& mine = got_[rank];
        return number < mine.size() ? mine[number] : no_group;
    }
    /// Its members, by their rank in it, as ranks of MPI_COMM_WORLD.
    [[nodiscard]] const std::vector<std::uint32_t>& members(int group) const {
        return groups_.all[static_cast<std::size_t>(group)]->world;
    }
    [[nodiscard]] int size() const { return static_cast<int>(groups_.all.size()); }

  private:
    Groups groups_;
    std::vector<std::vector<int>> got_;  // by rank: the groups of what its calls made
};

}  // namespace refrain::proxy
