#include "convert/trace_content.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>

namespace refrain::proxy {
namespace {

using Record = TraceRecord;

/// A damaged trace may end a request as what it is not.
bool fits(Record::Kind begin, Record::Kind end) {
    switch (end) {
        case Record::Kind::end_send:
            return begin == Record::Kind::begin_send;
        case Record::Kind::end_receive:
            return begin == Record::Kind::begin_receive;
        case Record::Kind::end_collective:
            return begin == Record::Kind::begin_collective;
        default:
            return end == Record::Kind::cancelled;
    }
}

/// Which record ends each request that a rank begins, in the order of their beginnings.
std::vector<std::optional<Record>> ends_of(const std::vector<TraceCall>& calls) {
    std::vector<std::optional<Record>> ends;
    struct Begun {
        std::size_t place = 0;  // in `ends`
        Record::Kind kind = Record::Kind::begin_send;
    };
    std::map<std::uint64_t, Begun> begun;
    for (const TraceCall& call : calls)
        for (const Record& record : call.records) switch (record.kind) {
                case Record::Kind::begin_send:
                case Record::Kind::begin_receive:
                case Record::Kind::begin_collective:
                    begun[record.request] = {ends.size(), record.kind};
                    ends.emplace_back();
                    break;
                case Record::Kind::end_send:
                case Record::Kind::end_receive:
                case Record::Kind::end_collective:
                case Record::Kind::cancelled:
                    if (const auto found = begun.find(record.request);
                        found != begun.end() && fits(found->second.kind, record.kind)) {
                        ends[found->second.place] = record;
                        begun.erase(found);
                    }
                    break;
                default:
                    break;
            }
    return ends;
}

}  // namespace

TraceContent::TraceContent(const Trace& from) : trace(from), collectives(from.communicators) {
    find_world();
    for (const std::vector<TraceCall>& calls : trace.ranks) ends.push_back(ends_of(calls));
    find_used();
    for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) {
        places.push_back(places_of(rank));
        add_collectives(rank);
    }
    check_messages();
}

void TraceContent::find_world() {
    std::vector<std::uint32_t> everybody(trace.ranks.size());
    std::iota(everybody.begin(), everybody.end(), 0u);
    for (world_ = 0; world_ < trace.communicators.size(); ++world_)
        if (!trace.communicators[world_].self && trace.communicators[world_].members == everybody)
            return;
}

void TraceContent::find_used() {
    used_.resize(trace.communicators.size(), false);
    for (const auto& calls : trace.ranks)
        for (const TraceCall& call : calls)
            for (const Record& record : call.records) {
                const bool makes = record.kind == Record::Kind::make_communicator ||
                                   record.kind == Record::Kind::free_communicator ||
                                   (record.kind == Record::Kind::collective &&
                                    record.operation == Function::by_name);
                if (record.has_communicator() && !makes) used_[record.communicator] = true;
            }
}

bool TraceContent::is_made(std::size_t communicator) const {
    return communicator != world_ && used_[communicator] && !trace.communicators[communicator].self;
}

std::vector<Place> TraceContent::places_of(std::uint32_t rank) const {
    std::vector<Place> all;
    std::int64_t next = 2;
    for (std::size_t i = 0; i < trace.communicators.size(); ++i) {
        const TraceCommunicator& each = trace.communicators[i];
        const auto me = std::find(each.members.begin(), each.members.end(), rank);
        Place& place = all.emplace_back();
        if (each.self) {
            place = {1, 0, 1};
        } else if (me != each.members.end() && (i == world_ || is_made(i))) {
            place = {i == world_ ? 0 : next, me - each.members.begin(),
                     static_cast<std::int64_t>(each.members.size())};
            next += i == world_ ? 0 : 1;
        }
    }
    return all;
}

void TraceContent::add_collectives(std::uint32_t rank) {
    std::size_t begun = 0;
    for (const TraceCall& call : trace.ranks[rank])
        for (const Record& record : call.records) {
            const bool begins = record.kind == Record::Kind::begin_collective;
            if (record.kind == Record::Kind::collective) add(rank, record);
            if (begins && ends[rank][begun]) add(rank, *ends[rank][begun]);
            begun += begins || record.kind == Record::Kind::begin_send ||
                     record.kind == Record::Kind::begin_receive;
        }
}

void TraceContent::add(std::uint32_t rank, const Record& record) {
    if (record.operation == Function::by_name || trace.communicators[record.communicator].self)
        return;
    const Place& place = places[rank][record.communicator];
    if (place.number == null_handle)
        throw std::runtime_error(
            "rank " + std::to_string(rank) + " takes part in an operation on communicator '" +
            trace.communicators[record.communicator].name + "', in which it is not");
    collectives.add(record.communicator, static_cast<std::size_t>(place.me), record);
}

/// A proxy that sends what nobody receives may wait for ever.
void TraceContent::check_messages() const {
    struct Channel {
        std::uint32_t communicator = 0;
        std::int64_t from = 0, to = 0, tag = 0;
        auto operator<=>(const Channel&) const = default;
    };
    struct Messages {
        std::uint64_t sent = 0, received = 0;
    };
    std::map<Channel, Messages> channels;
    for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) {
        std::size_t begun = 0;
        const auto count = [&](const Record& record) {
            const bool sends =
                record.kind == Record::Kind::send || record.kind == Record::Kind::begin_send;
            const bool receives =
                record.kind == Record::Kind::receive || record.kind == Record::Kind::end_receive;
            if (!sends && !receives) return;
            const TraceCommunicator& communicator = trace.communicators[record.communicator];
            if (communicator.self) return;
            const Place& place = places[rank][record.communicator];
            if (place.number == null_handle)
                throw std::runtime_error("rank " + std::to_string(rank) +
                                         " has a message on communicator '" + communicator.name +
                                         "', in which it is not");
            const std::int64_t me = place.me;
            if (sends) ++channels[{record.communicator, me, record.peer, record.tag}].sent;
            if (receives) ++channels[{record.communicator, record.peer, me, record.tag}].received;
        };
        for (const TraceCall& call : trace.ranks[rank])
            for (const Record& record : call.records) {
                const bool begins = record.kind == Record::Kind::begin_send ||
                                    record.kind == Record::Kind::begin_receive ||
                                    record.kind == Record::Kind::begin_collective;
                const auto* const end = begins ? &ends[rank][begun++] : nullptr;
                if (end == nullptr || !*end || (*end)->kind != Record::Kind::cancelled)
                    count(record);
            }
    }
    for (const auto& [channel, messages] : channels)
        if (messages.sent != messages.received)
            throw std::runtime_error(
                "rank " + std::to_string(channel.from) + " of communicator '" +
                trace.communicators[channel.communicator].name + "' sends " +
                std::to_string(messages.sent) + " messages with tag " +
                std::to_string(channel.tag) + " to rank " + std::to_string(channel.to) +
                ", and the trace tells of " + std::to_string(messages.received) +
                " that this one receives: no proxy can be made of that (EZTrace 2.0 does not tell "
                "what requests receive whose status the program ignores)");
}

}  // namespace refrain::proxy
