/// Makes random statements over the slots of a scope; most are legal at their place.
#pragma once

#include <optional>

#include "property/scope.hpp"
#include "property/style.hpp"

namespace refrain::property {

class StatementMaker {
  public:
    StatementMaker(Scope& scope, Random& random, const Style& style)
        : scope_(scope), random_(random), style_(style) {}

    [[nodiscard]] Space space();
    [[nodiscard]] CreateRegion region(int slot);
    [[nodiscard]] CreatePartition partition(int slot);
    [[nodiscard]] Launch launch();
    /// A statement that must be refused; nothing if all attempts were legal.
    [[nodiscard]] std::optional<Statement> misuse();
    /// A write of a possibly uninitialised region, by task, fill or host.
    [[nodiscard]] Statement initialisation(int slot);
    [[nodiscard]] Statement host_access();
    [[nodiscard]] Statement wait();
    /// The same single task for each colour of a partition.
    [[nodiscard]] std::vector<Statement> sweep();
    /// A single task on two pieces of one region, and the same on pieces of two similar regions;
    /// each followed by tasks on all pieces of its last region.
    [[nodiscard]] std::vector<Statement> aliases();
    /// A launch whose arguments are views of one region, and some others.
    [[nodiscard]] Launch views();
    /// An index launch that may go into lanes; the partitions are those of the three slots below.
    [[nodiscard]] Launch row_launch();
    /// The same that writes some tiles only, and often reads more than any launch before has written last.
    [[nodiscard]] Launch row_part();
    /// A single task of that kind, which does not go into lanes.
    [[nodiscard]] Launch row_task();
    static constexpr int row_tiles = 0;
    static constexpr int row_other_tiles = 1;
    static constexpr int row_halos = 2;

    [[nodiscard]] std::uint64_t scalar() { return random_.word(); }

  private:
    [[nodiscard]] int any_region() {
        return random_.below(static_cast<int>(scope_.regions.size()));
    }
    void point_far(CreateRegion& create);
    /// Another slot with regions of the same kind, or -1.
    [[nodiscard]] int slot_like(int slot);
    /// A slot with a partition of the space, or -1.
    [[nodiscard]] int partition_of_space(int space);
    [[nodiscard]] Box box_in(const Space& space);
    [[nodiscard]] Box small_colours(int rank);
    void plain_partition(CreatePartition& create);
    /// A partition of some 100 colours; most of them have no or one element.
    void broad_partition(CreatePartition& create);
    void derived_partition(CreatePartition& create);
    [[nodiscard]] bool pointer_partition(CreatePartition& create);
    [[nodiscard]] Privilege privilege();
    [[nodiscard]] Requirement requirement(const Launch& launch);
    [[nodiscard]] Requirement requirement_on(int region, const Launch& launch);
    void choose_domain(Launch& launch);
    void begin(Launch& launch);
    void add_requirements(Launch& launch);
    void add_futures(Launch& launch);

    Scope& scope_;
    Random& random_;
    const Style& style_;
    int next_site_ = 1;
};

}  // namespace refrain::property
