#include "engine/placement.hpp"

#include "library/location.hpp"
#include "values/script_error.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <cctype>

namespace refrain::script::engine {
namespace {

/// TURBINE_GPU_WORKERS or turbine_gpu_workers. Errors: ScriptError if it is neither.
std::uint32_t workers_of_type(const std::string& type) {
    const std::string name = "TURBINE_" + type + "_WORKERS";  // types are in upper case
    const std::string text = setting(name, setting(with_each(name, std::tolower), "0"));
    const auto count = read_number<std::uint32_t>(text);
    if (!count) throw ScriptError(name + " is no number of workers: '" + text + "'");
    if (*count == 0)
        throw ScriptError("no worker is of the work type " + type +
                          ", which the script names; set " + name + " to how many there are to be");
    return *count;
}

}  // namespace

Placement::Placement(const tasks::TaskProgram& program, Rank rank, Rank ranks,
                     const Services& services)
    : rank_(rank),
      callers_(std::min<std::size_t>(ranks, static_cast<std::size_t>(services.workers()))),
      nodes_(ranks),
      types_(ranks) {
    const std::vector<std::string> hosts = services.hosts();
    for (Rank each = 0; each < ranks && each < hosts.size(); ++each)
        nodes_[each] =
            static_cast<std::uint32_t>(std::ranges::find(hosts, hosts[each]) - hosts.begin());
    assign_types(program);
}

void Placement::assign_types(const tasks::TaskProgram& program) {
    std::size_t left = callers_;
    std::fill(types_.begin() + static_cast<std::ptrdiff_t>(callers_), types_.end(), no_type);
    for (std::uint32_t type = 0; type < program.work_types.size(); ++type) {
        const std::uint32_t count = workers_of_type(program.work_types[type]);
        if (count >= left)
            throw ScriptError("of ", callers_, " workers ", count, " are to be of the work type ",
                              program.work_types[type],
                              ", which leaves none for other work; run with more workers");
        for (std::uint32_t i = 0; i < count; ++i) types_[--left] = type + 1;
    }
    has_types_ = left < types_.size();
}

bool Placement::allows(const Task& task, Rank rank) const {
    if (task.bound == Bound::rank) return rank == task.bound_to;
    if (task.bound == Bound::node) return nodes_[rank] == nodes_[task.bound_to];
    return task.bound != Bound::type || types_[rank] == task.bound_to;
}

std::vector<Rank> Placement::ranks_of(std::uint32_t type) const {
    std::vector<Rank> all;
    for (Rank each = 0; each < types_.size(); ++each)
        if (types_[each] == type) all.push_back(each);
    return all;
}

void Placement::take_priority(Task& task, const Value& location) {
    const int priority = Location::of_code(location.integer()).priority;
    if (priority != 0) task.priority = priority;
}

Rank Placement::decide(Task& task, const tasks::Call& call, const Value* location) {
    if (location == nullptr) return by_type(task, call);
    const Location is = Location::of_code(location->integer());
    take_priority(task, *location);
    if (is.anywhere) return by_type(task, call);
    const auto ranks = static_cast<std::int64_t>(callers_);
    if (is.rank >= ranks)
        throw ScriptError("@location names rank ", is.rank, ", and there are ", ranks,
                          " ranks, 0 to ", ranks - 1);
    const auto rank = static_cast<Rank>(is.rank);
    task.bound = is.soft ? Bound::free : is.by_node ? Bound::node : Bound::rank;
    task.bound_to = rank;
    return !is.soft && is.by_node && allows(task, rank_) ? rank_ : rank;
}

Rank Placement::by_type(Task& task, const tasks::Call& call) {
    task.bound = has_types_ ? Bound::type : Bound::free;
    task.bound_to = call.work_type;
    if (allows(task, rank_)) return rank_;
    do {
        next_ = (next_ + 1) % static_cast<Rank>(types_.size());
    } while (!allows(task, next_));
    return next_;
}

}  // namespace refrain::script::engine
