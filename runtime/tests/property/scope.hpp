/// The variables of a program under construction: slots, whose handles change in its course.
///
///     slot 0 holds region 4;  swap(0, 1);  slot 0 holds region 7
///
/// Statements are made over slots and bound to the current handles when they are emitted, so a
/// statement in a loop may use another region in each iteration.
#pragma once

#include <optional>
#include <vector>

#include "property/legality.hpp"
#include "property/oracle.hpp"

namespace refrain::property {

struct RegionSlot {
    CreateRegion make;  // makes its regions
    int region = -1;
};
struct PartitionSlot {
    CreatePartition make;  // over slots
    int partition = -1;
};

class Scope {
  public:
    explicit Scope(Program& program) : program_(program), oracle_(program) {}

    std::vector<RegionSlot> regions;
    std::vector<PartitionSlot> partitions;
    std::vector<int> futures;  // the number of the future, by slot

    [[nodiscard]] const Oracle& oracle() const { return oracle_; }
    [[nodiscard]] const Program& program() const { return program_; }
    [[nodiscard]] int length() const { return static_cast<int>(program_.statements.size()); }

    /// Replaces slots by the numbers of their handles; new handles get new numbers.
    [[nodiscard]] Statement bind(const Statement& over_slots);
    [[nodiscard]] Legality judge(const Statement& over_slots) {
        return property::judge(oracle_, bind(over_slots));
    }
    /// Appends the statement if it is legal here (or refused, if that is expected). New handles
    /// replace the old ones of their slots, which are released.
    bool emit(const Statement& over_slots);
    /// As emit, for a statement over numbers.
    Seen append(const Statement& statement);

    [[nodiscard]] const RegionState* region_in(int slot) const;
    [[nodiscard]] const Subsets* partition_in(int slot) const;

  private:
    void assign(const Statement& over_slots, const Statement& bound);
    void give_up(const Statement& statement);

    Program& program_;
    Oracle oracle_;
    int next_region_ = 0;
    int next_partition_ = 0;
    int next_future_ = 0;
};

}  // namespace refrain::property
