#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "archives/archive.hpp"
#include "archives/otf2_call.hpp"
#include "convert/run_trace.hpp"

namespace refrain::proxy {
namespace {

namespace fs = std::filesystem;
using Record = TraceRecord;
constexpr std::uint64_t ticks_per_second = 1000000000;

std::uint64_t ticks(double seconds) {
    return static_cast<std::uint64_t>(
        std::llround(seconds * static_cast<double>(ticks_per_second)));
}

/// The library asks before it empties its memory, and for the time at which it has.
OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
    return OTF2_FLUSH;
}
constexpr OTF2_FlushCallbacks flushing = {flush, nullptr};

struct CloseArchive {
    void operator()(OTF2_Archive* archive) const { OTF2_Archive_Close(archive); }
};

OTF2_CollectiveOp operation_of(Function function) {
    switch (function) {
        case Function::Barrier_:
            return OTF2_COLLECTIVE_OP_BARRIER;
        case Function::Bcast_:
            return OTF2_COLLECTIVE_OP_BCAST;
        case Function::Gather_:
            return OTF2_COLLECTIVE_OP_GATHER;
        case Function::Gatherv_:
            return OTF2_COLLECTIVE_OP_GATHERV;
        case Function::Scatter_:
            return OTF2_COLLECTIVE_OP_SCATTER;
        case Function::Scatterv_:
            return OTF2_COLLECTIVE_OP_SCATTERV;
        case Function::Allgather_:
            return OTF2_COLLECTIVE_OP_ALLGATHER;
        case Function::Allgatherv_:
            return OTF2_COLLECTIVE_OP_ALLGATHERV;
        case Function::Alltoall_:
            return OTF2_COLLECTIVE_OP_ALLTOALL;
        case Function::Alltoallv_:
            return OTF2_COLLECTIVE_OP_ALLTOALLV;
        case Function::Alltoallw_:
            return OTF2_COLLECTIVE_OP_ALLTOALLW;
        case Function::Allreduce_:
            return OTF2_COLLECTIVE_OP_ALLREDUCE;
        case Function::Reduce_:
            return OTF2_COLLECTIVE_OP_REDUCE;
        case Function::Reduce_scatter_:
            return OTF2_COLLECTIVE_OP_REDUCE_SCATTER;
        case Function::Reduce_scatter_block_:
            return OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK;
        case Function::Scan_:
            return OTF2_COLLECTIVE_OP_SCAN;
        case Function::Exscan_:
            return OTF2_COLLECTIVE_OP_EXSCAN;
        default:
            return OTF2_COLLECTIVE_OP_CREATE_HANDLE;
    }
}

OTF2_RegionRole role_of(const std::string& function) {
    // A damaged recording may call anything by name.
    const Function known = function.starts_with("MPI_")
                               ? function_named(std::string_view(function).substr(4))
                               : Function::by_name;
    if (known == Function::by_name) return OTF2_REGION_ROLE_FUNCTION;
    const FunctionInfo& what = info(known);
    bool rooted = false, to_other = false, of_window = false;
    for (const Parameter& each : what.parameters) {
        rooted = rooted || each.kind == Kind::root_;
        to_other = to_other || each.kind == Kind::rank_ || each.kind == Kind::wait_ ||
                   each.kind == Kind::waits_;
        of_window = of_window || each.kind == Kind::win_;
    }
    if (of_window) return OTF2_REGION_ROLE_RMA;
    if (known == Function::Barrier_) return OTF2_REGION_ROLE_BARRIER;
    const bool all_to_one =
        known == Function::Gather_ || known == Function::Gatherv_ || known == Function::Reduce_;
    if (rooted) return all_to_one ? OTF2_REGION_ROLE_COLL_ALL2ONE : OTF2_REGION_ROLE_COLL_ONE2ALL;
    if (what.collective) return OTF2_REGION_ROLE_COLL_ALL2ALL;
    return to_other ? OTF2_REGION_ROLE_POINT2POINT : OTF2_REGION_ROLE_FUNCTION;
}

/// Writes the events of one rank.
class LocationWriter {
  public:
    LocationWriter(OTF2_EvtWriter* writer, const Otf2Errors& errors,
                   std::map<std::string, std::uint32_t>& regions)
        : writer_(writer), errors_(errors), regions_(regions) {}

    void write(const TraceCall& call) {
        const auto region =
            regions_.try_emplace(call.function, static_cast<std::uint32_t>(regions_.size()))
                .first->second;
        const std::uint64_t begin = ticks(call.begin);
        end_ = ticks(call.end);
        check(OTF2_EvtWriter_Enter(writer_, nullptr, begin, region));
        for (const Record& record : call.records) write(record, begin, end_);
        check(OTF2_EvtWriter_Leave(writer_, nullptr, end_, region));
    }
    [[nodiscard]] std::uint64_t end() const { return end_; }

  private:
    void write(const Record& record, std::uint64_t begin, std::uint64_t end) {
        const auto peer =
            record.peer < 0 ? OTF2_UNDEFINED_UINT32 : static_cast<std::uint32_t>(record.peer);
        const auto tag = static_cast<std::uint32_t>(record.tag);
        const std::uint32_t comm = record.communicator;
        switch (record.kind) {
            case Record::Kind::send:
                return check(
                    OTF2_EvtWriter_MpiSend(writer_, nullptr, begin, peer, comm, tag, record.bytes));
            case Record::Kind::receive:
                return check(
                    OTF2_EvtWriter_MpiRecv(writer_, nullptr, end, peer, comm, tag, record.bytes));
            case Record::Kind::begin_send:
                return check(OTF2_EvtWriter_MpiIsend(writer_, nullptr, begin, peer, comm, tag,
                                                     record.bytes, record.request));
            case Record::Kind::end_send:
                return check(
                    OTF2_EvtWriter_MpiIsendComplete(writer_, nullptr, end, record.request));
            case Record::Kind::begin_receive:
                return check(
                    OTF2_EvtWriter_MpiIrecvRequest(writer_, nullptr, begin, record.request));
            case Record::Kind::end_receive:
                return check(OTF2_EvtWriter_MpiIrecv(writer_, nullptr, end, peer, comm, tag,
                                                     record.bytes, record.request));
            case Record::Kind::test:
                return check(OTF2_EvtWriter_MpiRequestTest(writer_, nullptr, end, record.request));
            case Record::Kind::cancelled:
                return check(
                    OTF2_EvtWriter_MpiRequestCancelled(writer_, nullptr, end, record.request));
            case Record::Kind::collective:
                check(OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, begin));
                return check(OTF2_EvtWriter_MpiCollectiveEnd(writer_, nullptr, end,
                                                             operation_of(record.operation), comm,
                                                             peer, record.bytes, record.received));
            case Record::Kind::begin_collective:
                return check(OTF2_EvtWriter_NonBlockingCollectiveRequest(writer_, nullptr, begin,
                                                                         record.request));
            case Record::Kind::end_collective:
                return check(OTF2_EvtWriter_NonBlockingCollectiveComplete(
                    writer_, nullptr, end, operation_of(record.operation), comm, peer, record.bytes,
                    record.received, record.request));
            case Record::Kind::make_communicator:
                return check(OTF2_EvtWriter_CommCreate(writer_, nullptr, end, comm));
            case Record::Kind::free_communicator:
                return check(OTF2_EvtWriter_CommDestroy(writer_, nullptr, end, comm));
        }
    }
    void check(OTF2_ErrorCode result) const { errors_.check(result, "cannot write an event"); }

    OTF2_EvtWriter* writer_;
    const Otf2Errors& errors_;
    std::map<std::string, std::uint32_t>& regions_;
    std::uint64_t end_ = 0;
};

/// Says what the numbers in events mean.
class Definitions {
  public:
    Definitions(OTF2_GlobalDefWriter* writer, const Otf2Errors& errors)
        : writer_(writer), errors_(errors) {}

    void clock(std::uint64_t length) {
        check(OTF2_GlobalDefWriter_WriteClockProperties(writer_, ticks_per_second, 0, length,
                                                        OTF2_UNDEFINED_TIMESTAMP));
        check(OTF2_GlobalDefWriter_WriteParadigm(writer_, OTF2_PARADIGM_MPI, string("MPI"),
                                                 OTF2_PARADIGM_CLASS_PROCESS));
    }
    void locations(const std::vector<std::uint64_t>& events) {
        check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer_, 0, string("a recorded run"),
                                                       string("machine"),
                                                       OTF2_UNDEFINED_SYSTEM_TREE_NODE));
        std::vector<std::uint64_t> all;
        for (std::uint32_t rank = 0; rank < events.size(); ++rank) {
            check(OTF2_GlobalDefWriter_WriteLocationGroup(
                writer_, rank, string("rank " + std::to_string(rank)),
                OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP));
            check(OTF2_GlobalDefWriter_WriteLocation(
                writer_, rank, string("rank " + std::to_string(rank)),
                OTF2_LOCATION_TYPE_CPU_THREAD, events[rank], rank));
            all.push_back(rank);
        }
        group("", OTF2_GROUP_TYPE_COMM_LOCATIONS, all);
    }
    void regions(const std::map<std::string, std::uint32_t>& regions) {
        // The format wants them by number.
        std::vector<std::string> names(regions.size());
        for (const auto& [name, number] : regions) names[number] = name;
        for (std::uint32_t number = 0; number < names.size(); ++number) {
            const std::string& name = names[number];
            check(OTF2_GlobalDefWriter_WriteRegion(
                writer_, number, string(name), string(name), string(""), role_of(name),
                OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0));
        }
    }
    void communicators(const std::vector<TraceCommunicator>& all) {
        for (std::uint32_t number = 0; number < all.size(); ++number) {
            const TraceCommunicator& each = all[number];
            const std::vector<std::uint64_t> members(each.members.begin(), each.members.end());
            const std::uint32_t of = each.self
                                         ? group(each.name, OTF2_GROUP_TYPE_COMM_SELF, {})
                                         : group(each.name, OTF2_GROUP_TYPE_COMM_GROUP, members);
            check(OTF2_GlobalDefWriter_WriteComm(
                writer_, number, string(each.name), of, OTF2_UNDEFINED_COMM,
                number < 2 ? OTF2_COMM_FLAG_NONE : OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS));
        }
    }

  private:
    std::uint32_t string(const std::string& text) {
        const auto [place, is_new] =
            strings_.try_emplace(text, static_cast<std::uint32_t>(strings_.size()));
        if (is_new) check(OTF2_GlobalDefWriter_WriteString(writer_, place->second, text.c_str()));
        return place->second;
    }
    std::uint32_t group(const std::string& name, OTF2_GroupType type,
                        const std::vector<std::uint64_t>& members) {
        check(OTF2_GlobalDefWriter_WriteGroup(
            writer_, groups_, string(name), type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
            static_cast<std::uint32_t>(members.size()), members.data()));
        return groups_++;
    }
    void check(OTF2_ErrorCode result) const { errors_.check(result, "cannot write a definition"); }

    OTF2_GlobalDefWriter* writer_;
    const Otf2Errors& errors_;
    std::map<std::string, std::uint32_t> strings_;
    std::uint32_t groups_ = 0;
};

/// The library refuses to write where an archive is.
void remove_archive(const fs::path& folder) {
    std::error_code error;
    const std::string anchor = std::string(archive_name) + ".otf2";
    if (!fs::exists(folder / anchor, error)) return;
    fs::remove_all(folder / archive_name, error);
    fs::remove(folder / (std::string(archive_name) + ".def"), error);
    fs::remove(folder / anchor, error);
}

}  // namespace

std::vector<std::string> write_archive(const Recording& recording, const std::string& folder) {
    RunTrace trace(recording);  // may refuse: then an archive that is there stays
    remove_archive(folder);
    const Otf2Errors errors;
    constexpr std::uint64_t events_chunk = 1 << 20, definitions_chunk = 4 << 20;
    std::unique_ptr<OTF2_Archive, CloseArchive> archive(errors.made(
        OTF2_Archive_Open(folder.c_str(), archive_name, OTF2_FILEMODE_WRITE, events_chunk,
                          definitions_chunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE),
        "cannot make an archive in '" + folder + "'"));
    const auto check = [&](OTF2_ErrorCode result) {
        errors.check(result, "cannot write the archive in '" + folder + "'");
    };
    check(OTF2_Archive_SetFlushCallbacks(archive.get(), &flushing, nullptr));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive.get()));
    check(OTF2_Archive_SetCreator(archive.get(), "refrain proxy"));
    std::map<std::string, std::uint32_t> regions;
    std::vector<std::uint64_t> events;
    std::uint64_t length = 0;
    check(OTF2_Archive_OpenEvtFiles(archive.get()));
    for (std::uint32_t rank = 0; rank < recording.size(); ++rank) {
        OTF2_EvtWriter* const writer =
            errors.made(OTF2_Archive_GetEvtWriter(archive.get(), rank), "cannot write events");
        LocationWriter location(writer, errors, regions);
        trace.write(rank, [&](const TraceCall& call) { location.write(call); });
        length = std::max(length, location.end());
        check(OTF2_EvtWriter_GetNumberOfEvents(writer, &events.emplace_back()));
        check(OTF2_Archive_CloseEvtWriter(archive.get(), writer));
    }
    check(OTF2_Archive_CloseEvtFiles(archive.get()));
    check(OTF2_Archive_OpenDefFiles(archive.get()));
    for (std::uint32_t rank = 0; rank < recording.size(); ++rank)
        check(OTF2_Archive_CloseDefWriter(archive.get(),
                                          OTF2_Archive_GetDefWriter(archive.get(), rank)));
    check(OTF2_Archive_CloseDefFiles(archive.get()));
    Definitions definitions(
        errors.made(OTF2_Archive_GetGlobalDefWriter(archive.get()), "cannot write definitions"),
        errors);
    definitions.clock(length);
    definitions.locations(events);
    definitions.regions(regions);
    definitions.communicators(trace.communicators());
    // Only now are the definitions and the anchor written: the disk may be full.
    check(OTF2_Archive_Close(archive.release()));
    return {trace.without_record.begin(), trace.without_record.end()};
}

}  // namespace refrain::proxy
