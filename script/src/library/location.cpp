/// `import location;`: workers and the hosts that they are on. The rest is written in the language: modules/location.swift.

#include "library/location.hpp"

#include "library/modules.hpp"

#include <cstring>
#include <limits>
#include <set>

namespace refrain::script::location_module {
namespace {

Value code(In in, Services&) {
    const std::int64_t rank = in[0].integer();
    if (rank < 0 || rank > Location::rank_max)
        throw ScriptError("@location names rank ", rank, "; ranks are numbered from 0 on");
    return Location{rank, in[1].integer() != 0, in[2].integer() != 0, false,
                    checked_priority(in[3].integer())}
        .code();
}
Value priority(In in, Services&) {
    return Location{.anywhere = true, .priority = checked_priority(in[0].integer())}.code();
}
/// One of the ranks on the host.
Value rank_on(In in, Services& services) {
    const std::vector<std::string> hosts = services.hosts();
    std::vector<std::int64_t> ranks;
    for (std::size_t i = 0; i < hosts.size(); ++i)
        if (hosts[i] == in[0].string()) ranks.push_back(static_cast<std::int64_t>(i));
    if (!ranks.empty())
        return ranks[static_cast<std::size_t>(
            random_below(static_cast<std::int64_t>(ranks.size())))];
    throw ScriptError("no worker is on the host '" + in[0].string() +
                      "'; there are: " + joined(std::set<std::string>(hosts.begin(), hosts.end())));
}
Value hosts(In, Services& services) {
    const std::vector<std::string> all = services.hosts();
    Table table;
    for (const std::string& each : std::set<std::string>(all.begin(), all.end()))
        table.emplace(static_cast<std::int64_t>(table.size()), each);
    return Value::table(std::move(table));
}

constexpr Builtin all[] = {
    {"(int code) location_code(int rank, int strictness, int accuracy, int prio)", code},
    {"(int code) priority_code(int prio)", priority},
    {"(int rank) randomWorkerRank()", of([](Services& run) { return random_below(run.workers()); }),
     false},
    {"(int rank) hostmapOneRank(string host)", rank_on, false},
    {"(string hosts[]) hostmapList()", hosts, false},
};

}  // namespace
}  // namespace refrain::script::location_module

namespace refrain::script {

std::vector<std::string> rank_variables(const Services& services) {
    const std::vector<std::string> hosts = services.hosts();
    const std::uint32_t rank = services.worker();
    std::uint32_t leader = rank, offset = 0;
    for (std::uint32_t i = rank; i-- > 0;)
        if (hosts[i] == hosts[rank]) leader = i, ++offset;
    return {"ADLB_RANK_SELF=" + std::to_string(rank), "ADLB_RANK_LEADER=" + std::to_string(leader),
            "ADLB_RANK_OFFSET=" + std::to_string(offset)};
}
bool put_rank_variables(const Services& services) {
    const std::vector<std::string> all = rank_variables(services);
    for (const std::string& each : all) putenv(strdup(each.c_str()));  // which keeps it
    return all.back().ends_with("=0");
}

int checked_priority(std::int64_t value) {
    const int priority = static_cast<int>(value);
    if (priority != value)
        throw ScriptError("@prio is ", value, ", and fits 32 bits: it is from ",
                          std::numeric_limits<int>::min(), " to ", std::numeric_limits<int>::max());
    return priority;
}

const std::span<const Builtin> location_functions = location_module::all;

}  // namespace refrain::script
