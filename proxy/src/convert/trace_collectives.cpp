#include "convert/trace_collectives.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace refrain::proxy {
namespace {

using Operation = TraceCollectives::Operation;

std::int64_t whole(std::uint64_t bytes) {
    return static_cast<std::int64_t>(bytes);
}

/// What `from` gives to `to`: the same for both of them. Rounded down.
std::int64_t part(const Operation& operation, std::size_t from, std::size_t to,
                  std::uint64_t received) {
    if (received == 0) return 0;
    const double share =
        static_cast<double>(operation.shares[to].received) / static_cast<double>(received);
    // A damaged trace may say more than a number has room for: no count has, and that is refused.
    constexpr double most = 9e18;
    return static_cast<std::int64_t>(
        std::min(static_cast<double>(operation.shares[from].sent) * share, most));
}

}  // namespace

std::uint64_t Operation::sent() const {
    std::uint64_t all = 0;
    for (const Share& share : shares) all += share.sent;
    return all;
}

std::uint64_t Operation::received() const {
    std::uint64_t all = 0;
    for (const Share& share : shares) all += share.received;
    return all;
}

TraceCollectives::TraceCollectives(const std::vector<TraceCommunicator>& communicators)
    : communicators_(communicators), operations_(communicators.size()) {
    for (const TraceCommunicator& each : communicators)
        next_.emplace_back(std::max<std::size_t>(each.members.size(), 1), 0);
}

void TraceCollectives::add(std::uint32_t communicator, std::size_t member,
                           const TraceRecord& record) {
    const std::size_t number = next_[communicator][member]++;
    auto& all = operations_[communicator];
    if (number == all.size())
        all.push_back({record.operation, std::vector<Share>(next_[communicator].size())});
    if (all[number].function != record.operation)
        throw std::runtime_error("operation " + std::to_string(number + 1) + " on communicator '" +
                                 communicators_[communicator].name + "' is MPI_" +
                                 info(record.operation).name + " for its rank " +
                                 std::to_string(member) + ", and MPI_" +
                                 info(all[number].function).name + " for an earlier one");
    all[number].shares[member] = {record.bytes, record.received};
}

std::vector<std::int64_t> gathered_counts(const Operation& operation) {
    const std::uint64_t members = operation.shares.size();
    // Sent once, or once to each.
    const bool to_each = operation.function == Function::Allgatherv_ &&
                         operation.sent() != operation.shares[0].received;
    std::vector<std::int64_t> counts;
    for (const TraceCollectives::Share& share : operation.shares)
        counts.push_back(whole(to_each ? share.sent / members : share.sent));
    return counts;
}

std::vector<std::int64_t> scattered_counts(const Operation& operation) {
    const std::uint64_t members = operation.shares.size();
    const bool reduces = operation.function == Function::Reduce_scatter_;
    std::vector<std::int64_t> counts;
    for (const TraceCollectives::Share& share : operation.shares)
        counts.push_back(whole(reduces ? share.received / members : share.received));
    return counts;
}

std::vector<std::int64_t> sent_counts(const Operation& operation, std::size_t member) {
    const std::uint64_t received = operation.received();
    std::vector<std::int64_t> counts;
    for (std::size_t to = 0; to < operation.shares.size(); ++to)
        counts.push_back(part(operation, member, to, received));
    return counts;
}

std::vector<std::int64_t> received_counts(const Operation& operation, std::size_t member) {
    const std::uint64_t received = operation.received();
    std::vector<std::int64_t> counts;
    for (std::size_t from = 0; from < operation.shares.size(); ++from)
        counts.push_back(part(operation, from, member, received));
    return counts;
}

std::int64_t even_count(const Operation& operation, std::size_t member) {
    const std::uint64_t members = operation.shares.size();
    const TraceCollectives::Share& mine = operation.shares[member];
    switch (operation.function) {
        case Function::Gather_:
        case Function::Reduce_:
            return whole(mine.sent);
        case Function::Scatter_:
        case Function::Bcast_:
            return whole(mine.received != 0 ? mine.received : mine.sent / members);
        case Function::Scan_:
            return whole(mine.received / (member + 1));
        case Function::Exscan_:
            return whole(member == 0 ? mine.sent / std::max<std::uint64_t>(members - 1, 1)
                                     : mine.received / member);
        default:
            return whole(std::max(mine.sent, mine.received) / members);
    }
}

}  // namespace refrain::proxy
