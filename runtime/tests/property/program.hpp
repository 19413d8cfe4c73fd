/// A random program as plain data: a sequence of statements, with unrolled loops and numbered
/// handles.
///
///     region 0 (space 0)    create, host write
///     partition 0           tiles of space 0
///     launch "t3"           index launch over 4 colours: read-write region 0 through partition 0
///     get future 0          blocks
///
/// Spaces have at most 64 elements, so that a set of elements is one word, which keeps the oracle
/// simple: bit e is element e in row-major order.
///
/// Invariants: numbers of regions, partitions and futures are unique in a program.
#pragma once

#include "refrain/detail/box.hpp"
#include "refrain/privilege.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace refrain::property {

using data::Box;
using data::Coordinates;

/// A set of elements of a space. Bit e: element e in row-major order.
using Elements = std::uint64_t;

struct Space {
    Box bounds;
    int rank = 1;

    [[nodiscard]] int size() const { return static_cast<int>(bounds.volume()); }
    [[nodiscard]] Elements all() const {
        return size() == 64 ? ~Elements{0} : (Elements{1} << size()) - 1;
    }
};

/// The elements of a region: int64, double, pointers into another space (int64 or Point), int32 that
/// point into a space of rank 1, or integers of 8 KiB.
enum class ElementType : std::uint8_t { integer, real, pointer, short_pointer, block };

/// The reduction operators; `lanes` is user-defined (values.hpp).
enum class Operator : std::uint8_t { sum, minimum, maximum, bit_xor, lanes };
inline constexpr int operator_count = 5;

/// The projections from points of a launch domain to colours.
enum class Projection : std::uint8_t { same, next, mirror, transpose, half, first, lift };
inline constexpr int projection_count = 7;

struct CreateRegion {
    int region = 0;
    int space = 0;
    ElementType type = ElementType::integer;
    int pointee = 0;  // the space that pointers point into
};
[[nodiscard]] inline bool has_pointers(const CreateRegion& create) {
    return create.type == ElementType::pointer || create.type == ElementType::short_pointer;
}
struct DestroyRegion {
    int region = 0;
};

enum class PartitionKind : std::uint8_t {
    tiles,
    tiles_of_extent,
    rows,
    columns,
    whole,
    rectangles,
    subsets,
    halo,
    ghost,
    image,
    preimage
};

struct CreatePartition {
    int partition = 0;
    PartitionKind kind = PartitionKind::whole;
    int space = 0;         // of the new partition
    Coordinates counts{};  // tiles: counts; tiles_of_extent: extents; strips: [0] is the count
    Box colours{};         // whole, rectangles, subsets
    int colour_rank = 1;   // of these
    std::vector<Box> rectangles{};    // by colour
    std::vector<Elements> subsets{};  // by colour
    int of = -1;                      // halo, ghost, image, preimage: the given partition
    int pointers = -1;                // image, preimage: a region of pointers
    Coordinates low{}, high{};        // halo, ghost
    bool periodic = false;
};
struct DestroyPartition {
    int partition = 0;
};

struct Requirement {
    int region = 0;
    int partition = -1;  // -1: the whole region
    Privilege privilege = Privilege::read;
    Operator op = Operator::sum;  // if reduce
    Projection projection = Projection::same;
    Coordinates colour{};  // of a single task through a partition
};

/// A launch of a single task, or of one task per point of `domain`.
struct Launch {
    int task = 0;  // selects the code
    int site = 0;  // the line of the program
    bool index = false;
    Box domain{{0, 0, 0}, {1, 1, 1}};
    int domain_rank = 1;
    std::vector<Requirement> requirements{};
    std::uint64_t scalar = 0;
    std::vector<int> futures{};   // arguments: results of single tasks
    int result = -1;              // the future of the result, or -1
    int throws_at = -1;           // the point that throws, or -1
    bool throws_in_fold = false;  // not the task, but the operator that folds what it reduced, if
                                  // one of its operators can
};
struct Fill {
    int region = 0;
    int partition = -1;
    std::int64_t value = 0;
    int site = 0;
};

struct HostRead {
    int region = 0;
};
struct HostWrite {
    int region = 0;
    bool keeps_old = false;  // read_write of some elements, instead of write of all
    std::uint64_t seed = 0;
};
/// Opens a host view to read a region and keeps it open.
struct OpenView {
    int region = 0;
};
struct CloseView {
    int region = 0;
};
struct GetFuture {
    int future = 0;
    int point = 0;
};
struct DropFuture {
    int future = 0;
};
struct Fence {};
struct WaitAll {};
/// Executed in modes with manual traces, ignored in the others.
struct BeginTrace {
    std::uint64_t id = 0;
};
struct EndTrace {
    std::uint64_t id = 0;
};

struct Statement {
    using What = std::variant<CreateRegion, DestroyRegion, CreatePartition, DestroyPartition,
                              Launch, Fill, HostRead, HostWrite, OpenView, CloseView, GetFuture,
                              DropFuture, Fence, WaitAll, BeginTrace, EndTrace>;
    What what;
    /// The statement is invalid: it must throw UsageError and change nothing.
    bool refused = false;
};

/// Whether reductions with one operator may commute, or are ordered like read-writes. Ordered: a
/// failed reduction taints later ones, and sums may reveal their order by rounding.
enum class Reductions : std::uint8_t { free, ordered };

struct Program {
    std::uint64_t seed = 0;
    Reductions reductions = Reductions::free;
    std::vector<Space> spaces;
    std::vector<Statement> statements;
};

/// Whether sums must be exact: values are chosen such that sums have no rounding.
[[nodiscard]] inline bool is_exact(const Program& program) {
    return program.reductions == Reductions::free;
}

template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

/// The colour that a point selects; shared by the oracle and the runtime.
[[nodiscard]] constexpr Coordinates project(Projection projection, const Coordinates& p) {
    switch (projection) {
        case Projection::same:
            return p;
        case Projection::next:
            return {p[0] + 1, p[1], p[2]};
        case Projection::mirror:
            return {3 - p[0], p[1], p[2]};
        case Projection::transpose:
            return {p[1], p[0], p[2]};
        case Projection::half:
            return {p[0] / 2, p[1], p[2]};
        case Projection::first:
            return {p[0], 0, 0};
        case Projection::lift:
            return {p[0] / 2, p[0] % 2, 0};
    }
    return p;
}

/// The number of points of a launch.
[[nodiscard]] inline int point_count(const Launch& launch) {
    return launch.index ? static_cast<int>(launch.domain.volume()) : 1;
}

/// The statement, or the whole program, as C++-like text (print.cpp).
[[nodiscard]] std::string print(const Program& program, const Statement& statement);
[[nodiscard]] std::string print(const Program& program);

}  // namespace refrain::property
