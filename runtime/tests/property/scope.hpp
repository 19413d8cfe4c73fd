/// The variables of a program that is being made: slots, whose handles change while it runs.
///
///     slot 0 holds region 4;  swap(0, 1);  slot 0 holds region 7
///
/// Statements are made over slots and bound to the handles of the moment when they are emitted: so
/// one statement in the body of a loop names another region in each iteration.
#pragma once

#include <optional>
#include <vector>

#include "property/legality.hpp"
#include "property/oracle.hpp"

namespace refrain::property {

struct RegionSlot {
    CreateRegion make;  // how its regions are made
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
    std::vector<int> futures;  // by slot: the future's number

    [[nodiscard]] const Oracle& oracle() const { return oracle_; }
    [[nodiscard]] const Program& program() const { return program_; }
    [[nodiscard]] int length() const { return static_cast<int>(program_.statements.size()); }

    /// The statement with numbers for slots; new handles get new numbers.
    [[nodiscard]] Statement bind(const Statement& over_slots);
    [[nodiscard]] Legality judge(const Statement& over_slots) {
        return property::judge(oracle_, bind(over_slots));
    }
    /// Appends the statement if it is legal here (or refused, if that is expected), assigns new
    /// handles to their slots and gives the old ones up.
    bool emit(const Statement& over_slots);
    /// Appends a statement over numbers.
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
