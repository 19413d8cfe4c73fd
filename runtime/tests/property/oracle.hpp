/// The sequential oracle: executes a program statement after statement, point after point, on plain
/// vectors. It is the plainest meaning that a program has, and knows nothing of the runtime.
///
/// Failure: a task that throws has failed. Whoever would need what it would have made is skipped,
/// and so on. Per element and operator the oracle knows what is spoilt:
///
///     write (fails)  -> spoilt: readers, changers and reductions are skipped
///     sum (fails)    -> spoilt by sum: further sums run (nobody orders them), others are skipped
///     write (runs)   -> sound again, whatever was there before
///
/// A skipped task spoils what it would have written.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "property/program.hpp"
#include "property/subsets.hpp"
#include "property/values.hpp"

namespace refrain::property {

/// Bit i: the i-th launch of the program that throws (modulo 64).
using Causes = std::uint64_t;

struct RegionState {
    int space = 0;
    ValueRange range;
    bool is_used = false;                              // something that writes it was launched
    bool is_open = false;                              // a view of the host is
    std::vector<std::uint64_t> bits;                   // by element
    Elements initialised = 0;                          // written by somebody
    Elements spoilt = 0;                               // by a write or change that did not happen
    std::array<Elements, operator_count> spoilt_by{};  // by a reduction that did not happen
    std::vector<Causes> causes;                        // by element: whose fault

    [[nodiscard]] Elements all_spoilt() const;
};

struct FutureState {
    std::vector<std::int64_t> values;
    bool single = true;
    Causes causes = 0;  // not 0: some point failed or was skipped
};

/// What can be seen of one statement.
struct Seen {
    std::vector<std::uint64_t> values;  // of a host read, by element; of a future
    Causes causes = 0;                  // not 0: a TaskError instead, due to one of these
    std::vector<bool> ran;              // of a launch, by point
    Causes thrown = 0;                  // the bit of this launch, if one of its tasks throws
};

class Oracle {
  public:
    explicit Oracle(const Program& program);
    virtual ~Oracle() = default;

    /// Executes the next statement. It must be legal (legality.hpp), or refused: then nothing
    /// happens.
    virtual Seen execute(const Statement& statement);

    // What the program's handles stand for now.
    std::map<int, RegionState> regions;
    std::map<int, Subsets> partitions;
    std::map<int, FutureState> futures;
    std::uint64_t open_trace = 0;
    bool in_trace = false;

    [[nodiscard]] const Space& space(int number) const {
        return program_.spaces[static_cast<std::size_t>(number)];
    }
    /// Elements that one point of a launch uses through a requirement.
    [[nodiscard]] Elements subset(const Launch& launch, const Requirement& requirement,
                                  const Coordinates& point) const;
    /// A fill as the launch that it is.
    [[nodiscard]] Launch launch_of(const Fill& fill) const;

  protected:
    /// The values that a task sees through a requirement; what tests of the tests interfere with.
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
    void spoil(const Launch& launch, const Coordinates& point, Causes causes);
    [[nodiscard]] Seen read(int region) const;
    Seen write(const HostWrite& write);

    const Program& program_;
    int throwers_ = 0;
};

/// The record of a whole program, statement after statement.
[[nodiscard]] std::vector<Seen> run_oracle(const Program& program);

}  // namespace refrain::property
