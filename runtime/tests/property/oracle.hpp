/// The sequential oracle: executes a program statement by statement, point by point, on plain
/// vectors. It defines what a program means, and knows nothing of the runtime.
///
/// Failures: a task that throws has failed; a task that needs its results is skipped, and so on.
/// The oracle keeps per element whether it is tainted:
///
///     write (fails)  -> tainted: reads, read-writes and reductions are skipped
///     sum (fails)    -> tainted by sum: further sums run (they are unordered), others are skipped
///     write (runs)   -> valid again
///
/// A skipped task taints the elements that it would have written.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "property/program.hpp"
#include "property/subsets.hpp"
#include "property/values.hpp"

namespace refrain::property {

/// A set of throwing launches. Bit i: the i-th one of the program (modulo 64).
using Causes = std::uint64_t;

struct RegionState {
    int space = 0;
    ValueRange range;
    int pointee = 0;                                    // the space that pointers point into
    bool is_used = false;                               // a launch writes it
    bool is_open = false;                               // a host view is open
    std::vector<std::uint64_t> bits;                    // by element
    Elements initialised = 0;                           // ever written
    Elements tainted = 0;                               // by a write or read-write that did not run
    std::array<Elements, operator_count> tainted_by{};  // by a reduction that did not run
    std::vector<Causes> causes;                         // of the taint, by element

    [[nodiscard]] Elements all_tainted() const;
};

struct FutureState {
    std::vector<std::int64_t> values;
    bool single = true;
    Causes causes = 0;  // not 0: some point failed or was skipped
};

/// The observable effects of one statement.
struct Seen {
    std::vector<std::uint64_t> values;  // of a host read, by element, or of a future
    Causes causes = 0;                  // not 0: a TaskError due to one of these, instead of values
    std::vector<bool> ran;              // of a launch, by point
    Causes thrown = 0;                  // the bit of this launch, if one of its tasks throws
};

class Oracle {
  public:
    explicit Oracle(const Program& program);
    virtual ~Oracle() = default;

    /// Executes the next statement. It must be legal or, without effect, refused
    /// (legality.hpp).
    virtual Seen execute(const Statement& statement);

    // The current state, by the numbers of handles.
    std::map<int, RegionState> regions;
    std::map<int, Subsets> partitions;
    std::map<int, FutureState> futures;
    std::uint64_t open_trace = 0;
    bool in_trace = false;

    [[nodiscard]] const Space& space(int number) const {
        return program_.spaces[static_cast<std::size_t>(number)];
    }
    /// The elements that one point of a launch uses through a requirement.
    [[nodiscard]] Elements subset(const Launch& launch, const Requirement& requirement,
                                  const Coordinates& point) const;
    /// The launch that a fill is.
    [[nodiscard]] Launch launch_of(const Fill& fill) const;

  protected:
    /// The values that a task reads through a requirement. Virtual for planted bugs.
    [[nodiscard]] virtual const std::vector<std::uint64_t>& values_for(
        const Requirement& requirement) const;

  private:
    void create(const CreateRegion& create);
    void create(const CreatePartition& create);
    Seen run(const Launch& launch, const Fill* fill);
    Causes run_point(const Launch& launch, const Fill* fill, int index, Seen& seen);
    [[nodiscard]] Causes missing(const Requirement& requirement, Elements subset) const;
    [[nodiscard]] std::uint64_t read_all(const Launch& launch, const Coordinates& point) const;
    void write_all(const Launch& launch, const Fill* fill, const Coordinates& point,
                   std::uint64_t key);
    void write(const Requirement& requirement, const Fill* fill, Elements elements,
               std::uint64_t key, std::size_t index);
    void reduce(const Requirement& requirement, Elements elements, std::uint64_t key,
                std::size_t index);
    void taint(const Launch& launch, const Coordinates& point, Causes causes);
    [[nodiscard]] Seen read(int region) const;
    Seen write(const HostWrite& write);

    const Program& program_;
    int throwers_ = 0;
};

/// The effects of a whole program, by statement.
[[nodiscard]] std::vector<Seen> run_oracle(const Program& program);

}  // namespace refrain::property
