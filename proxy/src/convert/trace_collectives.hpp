#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "convert/trace.hpp"

namespace refrain::proxy {

/// The collective operations of a trace, so that each rank knows what the others gave to one.
class TraceCollectives {
  public:
    /// Bytes that a member gave and got.
    struct Share {
        std::uint64_t sent = 0, received = 0;
    };
    struct Operation {
        Function function = Function::by_name;
        std::vector<Share> shares;  // by member

        [[nodiscard]] std::uint64_t sent() const;
        [[nodiscard]] std::uint64_t received() const;
    };

    explicit TraceCollectives(const std::vector<TraceCommunicator>& communicators);

    /// The next operation of a member on a communicator, in its order.
    /// Errors: std::runtime_error if others did something else there
    void add(std::uint32_t communicator, std::size_t member, const TraceRecord& record);
    [[nodiscard]] const Operation& at(std::uint32_t communicator, std::size_t number) const {
        return operations_[communicator][number];
    }

  private:
    const std::vector<TraceCommunicator>& communicators_;
    std::vector<std::vector<Operation>> operations_;  // by communicator
    std::vector<std::vector<std::size_t>> next_;      // by communicator and member
};

/// How many bytes each member gives or gets, by a count per member: what MPI's functions are called with.
///
///     counts_of(Allgatherv, shares sent {16, 32} of 2 members)  ->  {8, 16}: Score-P counts what is sent to each
[[nodiscard]] std::vector<std::int64_t> gathered_counts(
    const TraceCollectives::Operation& operation);
[[nodiscard]] std::vector<std::int64_t> scattered_counts(
    const TraceCollectives::Operation& operation);
/// Of Alltoallv and Alltoallw nothing tells who gets how much: each gives to others in proportion to what they get.
[[nodiscard]] std::vector<std::int64_t> sent_counts(const TraceCollectives::Operation& operation,
                                                    std::size_t member);
[[nodiscard]] std::vector<std::int64_t> received_counts(
    const TraceCollectives::Operation& operation, std::size_t member);

/// The count of an operation whose members all give the same.
[[nodiscard]] std::int64_t even_count(const TraceCollectives::Operation& operation,
                                      std::size_t member);

}  // namespace refrain::proxy
