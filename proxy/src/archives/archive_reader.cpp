#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "archives/archive.hpp"
#include "archives/otf2_call.hpp"

namespace refrain::proxy {
namespace {

using Record = TraceRecord;

struct CloseReader {
    void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};
template <class Callbacks, void (*Delete)(Callbacks*)>
struct DeleteCallbacks {
    void operator()(Callbacks* callbacks) const { Delete(callbacks); }
};

Function function_of(OTF2_CollectiveOp operation) {
    switch (operation) {
        case OTF2_COLLECTIVE_OP_BARRIER:
            return Function::Barrier_;
        case OTF2_COLLECTIVE_OP_BCAST:
            return Function::Bcast_;
        case OTF2_COLLECTIVE_OP_GATHER:
            return Function::Gather_;
        case OTF2_COLLECTIVE_OP_GATHERV:
            return Function::Gatherv_;
        case OTF2_COLLECTIVE_OP_SCATTER:
            return Function::Scatter_;
        case OTF2_COLLECTIVE_OP_SCATTERV:
            return Function::Scatterv_;
        case OTF2_COLLECTIVE_OP_ALLGATHER:
            return Function::Allgather_;
        case OTF2_COLLECTIVE_OP_ALLGATHERV:
            return Function::Allgatherv_;
        case OTF2_COLLECTIVE_OP_ALLTOALL:
            return Function::Alltoall_;
        case OTF2_COLLECTIVE_OP_ALLTOALLV:
            return Function::Alltoallv_;
        case OTF2_COLLECTIVE_OP_ALLTOALLW:
            return Function::Alltoallw_;
        case OTF2_COLLECTIVE_OP_ALLREDUCE:
            return Function::Allreduce_;
        case OTF2_COLLECTIVE_OP_REDUCE:
            return Function::Reduce_;
        case OTF2_COLLECTIVE_OP_REDUCE_SCATTER:
            return Function::Reduce_scatter_;
        case OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK:
            return Function::Reduce_scatter_block_;
        case OTF2_COLLECTIVE_OP_SCAN:
            return Function::Scan_;
        case OTF2_COLLECTIVE_OP_EXSCAN:
            return Function::Exscan_;
        default:
            return Function::by_name;
    }
}

/// What the library tells of an archive, in the order in which it does.
struct Contents {
    struct Group {
        OTF2_GroupType type = OTF2_GROUP_TYPE_UNKNOWN;
        std::vector<std::uint64_t> members;
    };
    struct Communicator {
        OTF2_StringRef name = 0;
        OTF2_GroupRef group = 0;
    };

    std::unordered_map<std::uint32_t, std::string> strings;
    std::map<OTF2_RegionRef, OTF2_StringRef> region_names;
    std::map<OTF2_GroupRef, Group> groups;
    std::vector<std::uint64_t> rank_locations;  // of all ranks
    std::map<OTF2_CommRef, Communicator> communicators;
    std::map<OTF2_LocationRef, std::uint64_t> locations;  // how many events each has
    double ticks_per_second = 1;

    // Made of these when all of them are known:
    std::unordered_map<OTF2_LocationRef, std::size_t> rank_of;
    std::map<OTF2_CommRef, std::uint32_t> listed;
    std::vector<std::int64_t> reach;                            // ranks of each communicator
    std::unordered_map<OTF2_RegionRef, std::string> functions;  // those of MPI

    struct Rank {
        std::vector<TraceCall> calls;
        std::vector<OTF2_RegionRef> inside;  // regions of MPI that were entered
    };
    std::vector<Rank> ranks;
    std::uint64_t beside_ranks = 0;  // calls of MPI by locations that are no rank's
    std::uint64_t outside = 0;       // records outside of any function of MPI
    std::uint64_t unknown_communicators = 0;
    OTF2_TimeStamp first = ~OTF2_TimeStamp{0};

    Rank* at(OTF2_LocationRef location) {
        const auto found = rank_of.find(location);
        return found == rank_of.end() ? nullptr : &ranks[found->second];
    }
    void enter(OTF2_LocationRef location, OTF2_TimeStamp time, OTF2_RegionRef region) {
        first = std::min(first, time);
        const auto function = functions.find(region);
        if (function == functions.end()) return;
        Rank* const rank = at(location);
        if (rank == nullptr) {
            ++beside_ranks;
            return;
        }
        // What a function of MPI calls is its own affair.
        if (rank->inside.empty())
            rank->calls.push_back({function->second, seconds(time), seconds(time), {}});
        rank->inside.push_back(region);
    }
    void leave(OTF2_LocationRef location, OTF2_TimeStamp time, OTF2_RegionRef region) {
        Rank* const rank = at(location);
        if (rank == nullptr || rank->inside.empty() || rank->inside.back() != region) return;
        rank->calls.back().end = seconds(time);
        rank->inside.pop_back();
    }
    void add(OTF2_LocationRef location, Record record, OTF2_CommRef comm) {
        Rank* const rank = at(location);
        if (rank == nullptr) return;
        if (rank->inside.empty()) {
            ++outside;
            return;
        }
        const auto found = listed.find(comm);
        if (record.has_communicator() && found == listed.end()) {
            ++unknown_communicators;
            return;
        }
        if (record.has_communicator()) record.communicator = found->second;
        // EZTrace has messages to MPI_PROC_NULL: ranks beyond the communicator.
        if (record.has_communicator() && record.peer >= reach[record.communicator]) return;
        rank->calls.back().records.push_back(record);
    }
    [[nodiscard]] double seconds(OTF2_TimeStamp time) const {
        return static_cast<double>(time - first) / ticks_per_second;
    }
};

// ---- definitions

constexpr auto go_on = OTF2_CALLBACK_SUCCESS;

Contents& in(void* to) {
    return *static_cast<Contents*>(to);
}

OTF2_CallbackCode on_string(void* to, OTF2_StringRef self, const char* text) {
    in(to).strings[self] = text;
    return go_on;
}
OTF2_CallbackCode on_clock(void* to, std::uint64_t resolution, std::uint64_t, std::uint64_t,
                           std::uint64_t) {
    in(to).ticks_per_second = static_cast<double>(std::max<std::uint64_t>(resolution, 1));
    return go_on;
}
OTF2_CallbackCode on_location(void* to, OTF2_LocationRef self, OTF2_StringRef, OTF2_LocationType,
                              std::uint64_t events, OTF2_LocationGroupRef) {
    in(to).locations[self] = events;
    return go_on;
}
OTF2_CallbackCode on_group(void* to, OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type,
                           OTF2_Paradigm paradigm, OTF2_GroupFlag, std::uint32_t count,
                           const std::uint64_t* members) {
    if (paradigm != OTF2_PARADIGM_MPI) return go_on;
    // EZTrace gives the number of this group to another one, too.
    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
        in(to).rank_locations.assign(members, members + count);
    else
        in(to).groups[self] = {type, {members, members + count}};
    return go_on;
}
OTF2_CallbackCode on_comm(void* to, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
                          OTF2_CommRef, OTF2_CommFlag) {
    in(to).communicators[self] = {name, group};
    return go_on;
}
OTF2_CallbackCode on_region(void* to, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef,
                            OTF2_StringRef, OTF2_RegionRole, OTF2_Paradigm, OTF2_RegionFlag,
                            OTF2_StringRef, std::uint32_t, std::uint32_t) {
    in(to).region_names[self] = name;
    return go_on;
}

// ---- events

using Attributes = OTF2_AttributeList;

OTF2_CallbackCode on_enter(OTF2_LocationRef at, OTF2_TimeStamp time, void* to, Attributes*,
                           OTF2_RegionRef region) {
    in(to).enter(at, time, region);
    return go_on;
}
OTF2_CallbackCode on_leave(OTF2_LocationRef at, OTF2_TimeStamp time, void* to, Attributes*,
                           OTF2_RegionRef region) {
    in(to).leave(at, time, region);
    return go_on;
}
template <Record::Kind kind>
OTF2_CallbackCode on_message(OTF2_LocationRef at, OTF2_TimeStamp, void* to, Attributes*,
                             std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag,
                             std::uint64_t bytes) {
    in(to).add(at, {kind, 0, peer, tag, bytes}, comm);
    return go_on;
}
template <Record::Kind kind>
OTF2_CallbackCode on_message_of_request(OTF2_LocationRef at, OTF2_TimeStamp, void* to, Attributes*,
                                        std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag,
                                        std::uint64_t bytes, std::uint64_t request) {
    in(to).add(at, {kind, 0, peer, tag, bytes, 0, request}, comm);
    return go_on;
}
template <Record::Kind kind>
OTF2_CallbackCode on_request(OTF2_LocationRef at, OTF2_TimeStamp, void* to, Attributes*,
                             std::uint64_t request) {
    in(to).add(at, {kind, 0, 0, 0, 0, 0, request}, OTF2_UNDEFINED_COMM);
    return go_on;
}
std::int64_t root_of(std::uint32_t root) {
    return root == OTF2_UNDEFINED_UINT32 ? -1 : std::int64_t{root};
}
OTF2_CallbackCode on_collective(OTF2_LocationRef at, OTF2_TimeStamp, void* to, Attributes*,
                                OTF2_CollectiveOp operation, OTF2_CommRef comm, std::uint32_t root,
                                std::uint64_t sent, std::uint64_t received) {
    in(to).add(
        at,
        {Record::Kind::collective, 0, root_of(root), 0, sent, received, 0, function_of(operation)},
        comm);
    return go_on;
}
OTF2_CallbackCode on_end_of_collective(OTF2_LocationRef at, OTF2_TimeStamp, void* to, Attributes*,
                                       OTF2_CollectiveOp operation, OTF2_CommRef comm,
                                       std::uint32_t root, std::uint64_t sent,
                                       std::uint64_t received, std::uint64_t request) {
    in(to).add(at,
               {Record::Kind::end_collective, 0, root_of(root), 0, sent, received, request,
                function_of(operation)},
               comm);
    return go_on;
}

// ---- the whole

void read_definitions(OTF2_Reader* reader, Contents& contents, const Otf2Errors& errors) {
    const std::unique_ptr<
        OTF2_GlobalDefReaderCallbacks,
        DeleteCallbacks<OTF2_GlobalDefReaderCallbacks, &OTF2_GlobalDefReaderCallbacks_Delete>>
        all(OTF2_GlobalDefReaderCallbacks_New());
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(all.get(), on_string);
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(all.get(), on_clock);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(all.get(), on_location);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(all.get(), on_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(all.get(), on_comm);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(all.get(), on_region);
    OTF2_GlobalDefReader* const definitions =
        errors.made(OTF2_Reader_GetGlobalDefReader(reader), "cannot read definitions");
    errors.check(OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, all.get(), &contents),
                 "cannot read definitions");
    std::uint64_t count = 0;
    errors.check(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count),
                 "the definitions are damaged");
}

/// Ranks, communicators and functions, of what the definitions say.
void resolve(Contents& contents, Trace& trace) {
    const std::vector<std::uint64_t>& locations = contents.rank_locations;
    if (locations.empty())
        throw std::runtime_error("the archive has no ranks of MPI (no group of locations)");
    for (std::size_t rank = 0; rank < locations.size(); ++rank)
        contents.rank_of[locations[rank]] = rank;
    contents.ranks.resize(locations.size());
    for (const auto& [number, communicator] : contents.communicators) {
        const auto group = contents.groups.find(communicator.group);
        if (group == contents.groups.end()) continue;
        TraceCommunicator made{contents.strings[communicator.name], {}, false};
        made.self = group->second.type == OTF2_GROUP_TYPE_COMM_SELF;
        for (const std::uint64_t member : group->second.members) {
            if (member >= locations.size())
                throw std::runtime_error("communicator '" + made.name + "' has a rank " +
                                         std::to_string(member) + " of " +
                                         std::to_string(locations.size()));
            made.members.push_back(static_cast<std::uint32_t>(member));
        }
        contents.listed[number] = static_cast<std::uint32_t>(trace.communicators.size());
        contents.reach.push_back(made.self ? 1 : static_cast<std::int64_t>(made.members.size()));
        trace.communicators.push_back(std::move(made));
    }
    for (const auto& [region, name] : contents.region_names)
        if (contents.strings[name].starts_with("MPI_"))
            contents.functions[region] = contents.strings[name];
}

void read_events(OTF2_Reader* reader, Contents& contents, const Otf2Errors& errors) {
    const std::string damaged = "the events are damaged";
    for (const auto& [location, told] : contents.locations)
        errors.check(OTF2_Reader_SelectLocation(reader, location), damaged);
    // Definitions of a location say how its numbers are to be read; there may be none.
    const bool has_local = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
    errors.check(OTF2_Reader_OpenEvtFiles(reader), damaged);
    for (const auto& [location, told] : contents.locations) {
        if (OTF2_DefReader* const local =
                has_local ? OTF2_Reader_GetDefReader(reader, location) : nullptr) {
            std::uint64_t count = 0;
            errors.check(OTF2_Reader_ReadAllLocalDefinitions(reader, local, &count), damaged);
            errors.check(OTF2_Reader_CloseDefReader(reader, local), damaged);
        }
        (void)errors.made(OTF2_Reader_GetEvtReader(reader, location), damaged);
    }
    if (has_local) errors.check(OTF2_Reader_CloseDefFiles(reader), damaged);
    const std::unique_ptr<
        OTF2_GlobalEvtReaderCallbacks,
        DeleteCallbacks<OTF2_GlobalEvtReaderCallbacks, &OTF2_GlobalEvtReaderCallbacks_Delete>>
        all(OTF2_GlobalEvtReaderCallbacks_New());
    using Kind = Record::Kind;
    auto* const set = all.get();
    OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(set, on_enter);
    OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(set, on_leave);
    OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback(set, on_message<Kind::send>);
    OTF2_GlobalEvtReaderCallbacks_SetMpiRecvCallback(set, on_message<Kind::receive>);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCallback(set, on_message_of_request<Kind::begin_send>);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvCallback(set,
                                                      on_message_of_request<Kind::end_receive>);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCompleteCallback(set, on_request<Kind::end_send>);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvRequestCallback(set, on_request<Kind::begin_receive>);
    OTF2_GlobalEvtReaderCallbacks_SetMpiRequestTestCallback(set, on_request<Kind::test>);
    OTF2_GlobalEvtReaderCallbacks_SetMpiRequestCancelledCallback(set, on_request<Kind::cancelled>);
    OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveEndCallback(set, on_collective);
    OTF2_GlobalEvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(
        set, on_request<Kind::begin_collective>);
    OTF2_GlobalEvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(set,
                                                                           on_end_of_collective);
    OTF2_GlobalEvtReader* const events =
        errors.made(OTF2_Reader_GetGlobalEvtReader(reader), damaged);
    errors.check(OTF2_Reader_RegisterGlobalEvtCallbacks(reader, events, set, &contents), damaged);
    std::uint64_t count = 0;
    errors.check(OTF2_Reader_ReadAllGlobalEvents(reader, events, &count), damaged);
    // Behind the end of a file that was cut the library reads what its memory holds.
    std::uint64_t expected = 0;
    for (const auto& [location, told] : contents.locations) expected += told;
    if (count < expected)
        throw std::runtime_error(damaged + ": " + std::to_string(count) + " of " +
                                 std::to_string(expected) + " can be read");
    OTF2_Reader_CloseGlobalEvtReader(reader, events);
    OTF2_Reader_CloseEvtFiles(reader);
}

}  // namespace

Trace read_archive(const std::string& anchor) {
    const Otf2Errors errors;
    const std::unique_ptr<OTF2_Reader, CloseReader> reader(
        errors.made(OTF2_Reader_Open(anchor.c_str()), "cannot read an archive"));
    errors.check(OTF2_Reader_SetSerialCollectiveCallbacks(reader.get()), "cannot read an archive");
    Contents contents;
    Trace trace;
    read_definitions(reader.get(), contents, errors);
    resolve(contents, trace);
    read_events(reader.get(), contents, errors);
    for (Contents::Rank& rank : contents.ranks) {
        if (!rank.inside.empty())
            trace.skipped.push_back("rank " + std::to_string(trace.ranks.size()) +
                                    " is still within " + rank.calls.back().function +
                                    " at the end");
        trace.ranks.push_back(std::move(rank.calls));
    }
    for (const auto& [count, what] :
         {std::pair(contents.beside_ranks, " calls of MPI by threads that are no rank's first"),
          std::pair(contents.outside, " messages outside of functions of MPI"),
          std::pair(contents.unknown_communicators, " records on communicators without members")})
        if (count != 0) trace.skipped.push_back(std::to_string(count) + what);
    return trace;
}

}  // namespace refrain::proxy
