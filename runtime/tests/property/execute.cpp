#include "property/execute.hpp"

#include "refrain/dynamic.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <stdexcept>

#include "property/handles.hpp"
#include "property/launch_door.hpp"
#include "property/random.hpp"
#include "property/random_task.hpp"
#include "property/shared_partitions.hpp"
#include "property/typed_launch.hpp"

namespace refrain::property {
namespace {

bool is_of_memory(const std::exception_ptr& cause) {
    try {
        if (cause) std::rethrow_exception(cause);
    } catch (const OutOfMemory&) {
        return true;
    } catch (...) {  // something else
    }
    return false;
}

SeenError seen_error(const TaskError& error) {
    return {error.task(), error.launch_site(), error.original_message(),
            is_of_memory(error.cause())};
}

/// The host program: executes one statement after the other.
class Host {
  public:
    Host(const Program& program, const Mode& mode, SharedPartitions* shared,
         std::atomic<int>& live_closures, std::deque<BoundLaunch>& launches)
        : program_(program),
          mode_(mode),
          shared_(shared),
          runtime_(options_for(mode, program.seed)),
          live_closures_(live_closures),
          launches_(launches),
          untyped_(mode.untyped || Random(program.seed).once_in(2)),
          random_(program.seed) {}

    Observed execute(const Statement& statement);
    /// Calls wait_all until every failure is reported.
    void finish(Execution& run);

    [[nodiscard]] Runtime& runtime() { return runtime_; }

  private:
    void obey(const CreateRegion& s, Observed&);
    void obey(const DestroyRegion& s, Observed&) { regions_.erase(s.region); }
    void obey(const CreatePartition& s, Observed&);
    void obey(const DestroyPartition& s, Observed&) { partitions_.erase(s.partition); }
    void obey(const Launch& s, Observed& seen);
    void obey(const Fill& s, Observed& seen);
    void obey(const HostRead& s, Observed& seen);
    void obey(const HostWrite& s, Observed&);
    void obey(const OpenView& s, Observed& seen);
    void obey(const CloseView& s, Observed&) { views_.erase(s.region); }
    void obey(const GetFuture& s, Observed& seen);
    void obey(const DropFuture& s, Observed&) { futures_.erase(s.future); }
    void obey(const Fence&, Observed& seen) {
        runtime_.fence(LaunchSite("fence", program_file, 0));
        seen.operation = ++operations_;
    }
    void obey(const WaitAll&, Observed&) { runtime_.wait_all(); }
    void obey(const BeginTrace& s, Observed&) {
        if (mode_.obeys_trace_marks()) runtime_.begin_trace(s.id);
    }
    void obey(const EndTrace& s, Observed&) {
        if (mode_.obeys_trace_marks()) runtime_.end_trace(s.id);
    }

    struct RegionHandle {
        AnyRegion handle;
        CreateRegion made;
    };

    [[nodiscard]] const Space& space(int number) const {
        return program_.spaces[static_cast<std::size_t>(number)];
    }
    BoundLaunch& bind(const Launch& launch);
    [[nodiscard]] LaunchHandles handles_of(const Launch& launch) const;
    [[nodiscard]] std::vector<runtime::RequirementDescription> describe(const Launch& launch);

    [[nodiscard]] std::vector<runtime::RequirementKind> kinds_of(const Launch& launch);
    using LaunchTypes = std::vector<std::uintptr_t>;
    struct Kind {
        std::vector<runtime::RequirementKind> requirements;
        runtime::LaunchKind launch;
    };
    /// What determines a kind: the task, the rank of its domain, its futures and requirements.
    [[nodiscard]] static LaunchTypes types_of(
        const Launch& launch, const std::vector<runtime::RequirementKind>& requirements);
    static void make_kind(Kind& kind, const Launch& launch,
                          std::vector<runtime::RequirementKind> requirements);
    /// A LaunchKind with its requirements, as launches of the same types share it.
    [[nodiscard]] const runtime::LaunchKind& kind_of(const Launch& launch);
    /// The same, but every kind of the program is in one place, and known by a number. Now and then a
    /// kind ends, and launches of the same types have a new number.
    [[nodiscard]] const runtime::LaunchKind& numbered_kind_of(const Launch& launch);
    /// Whether its elements are in memory as the oracle keeps them.
    [[nodiscard]] static bool holds_words(const RegionHandle& region) {
        return region.handle.index() < 6;
    }
    [[nodiscard]] std::uint64_t* wait_for(const RegionHandle& region, Privilege privilege);
    void make_values(const HostWrite& s, std::uint64_t* elements, const ValueRange& range);

    const Program& program_;
    const Mode& mode_;
    SharedPartitions* const shared_;     // null: it has partitions of its own
    std::map<LaunchTypes, Kind> kinds_;  // outlive the tasks
    Runtime runtime_;
    std::atomic<int>& live_closures_;
    std::deque<BoundLaunch>& launches_;
    const bool untyped_;  // as programs do that use refrain/dynamic.hpp
    Random random_;       // of the ways in which this host does the same
    struct {
        std::map<LaunchTypes, std::uint64_t> numbers;
        std::uint64_t last_number = 0;
        Kind kind;  // of the launch under way
    } numbered_;
    std::map<int, RegionHandle> regions_;
    std::map<int, AnyPartition> partitions_;
    std::map<int, AnyFuture> futures_;
    std::map<int, AnyView> views_;
    std::uint64_t operations_ = 0;
};

Observed Host::execute(const Statement& statement) {
    Observed seen;
    try {
        std::visit([&](const auto& what) { obey(what, seen); }, statement.what);
    } catch (const TaskError& error) {
        seen.error = seen_error(error);
    } catch (const OutOfMemory& error) {
        seen.error = SeenError{"", "", error.what(), true};
    } catch (const UsageError& error) {
        seen.refusal = error.what();
    }
    return seen;
}

void Host::finish(Execution& run) {
    views_.clear();
    for (std::size_t attempt = 0; attempt <= program_.statements.size() + 1; ++attempt) {
        try {
            runtime_.wait_all();
            run.statistics = runtime_.statistics();
            if (mode_.graph) run.dependences = runtime_.dependences();
            if (runtime_.options().observe.explain) run.sites = runtime_.why_not_traced();
            return;
        } catch (const TaskError&) {
            continue;
        }
    }
    run.problem = "wait_all() never stops throwing";
}

void Host::obey(const CreateRegion& s, Observed&) {
    const std::string name = "r" + std::to_string(s.region);
    regions_.insert_or_assign(
        s.region,
        RegionHandle{create_region(runtime_, space(s.space), range_of(program_, s), name.c_str()),
                     s});
}

void Host::obey(const CreatePartition& s, Observed&) {
    PartitionParts parts{space(s.space), nullptr, nullptr};
    if (s.of >= 0) parts.of = &partitions_.at(s.of);
    if (s.pointers >= 0) parts.pointers = &regions_.at(s.pointers).handle;
    const auto make = [&] { return create_partition(runtime_, s, parts); };
    // One made of a region's elements waits for tasks, so each runtime makes its own.
    const bool is_shared = shared_ != nullptr && s.pointers < 0;
    partitions_.insert_or_assign(s.partition, is_shared ? shared_->of(s, make) : make());
}

BoundLaunch& Host::bind(const Launch& launch) {
    BoundLaunch& bound = launches_.emplace_back();
    bound.launch = launch;
    bound.live_closures = &live_closures_;
    bound.dawdles = mode_.workers > 1;
    const auto points = static_cast<std::size_t>(point_count(launch));
    bound.runs = std::make_unique<std::atomic<int>[]>(points);
    for (const Requirement& r : launch.requirements) {
        const CreateRegion& made = regions_.at(r.region).made;
        bound.arguments.push_back({r, space(made.space), range_of(program_, made)});
    }
    return bound;
}

template <Projection P>
Coordinates project_as(const Coordinates& point) {
    return project(P, point);
}

runtime::Projection projection_function(Projection projection) {
    switch (projection) {
        case Projection::same:
            return nullptr;
        case Projection::next:
            return &project_as<Projection::next>;
        case Projection::mirror:
            return &project_as<Projection::mirror>;
        case Projection::transpose:
            return &project_as<Projection::transpose>;
        case Projection::half:
            return &project_as<Projection::half>;
        case Projection::first:
            return &project_as<Projection::first>;
        case Projection::lift:
            return &project_as<Projection::lift>;
    }
    return nullptr;
}

LaunchHandles Host::handles_of(const Launch& launch) const {
    LaunchHandles handles;
    for (const Requirement& r : launch.requirements) {
        handles.regions.push_back(&regions_.at(r.region).handle);
        handles.partitions.push_back(r.partition < 0 ? nullptr : &partitions_.at(r.partition));
    }
    for (const int future : launch.futures) handles.futures.push_back(&futures_.at(future));
    return handles;
}

std::vector<runtime::RequirementDescription> Host::describe(const Launch& launch) {
    std::vector<runtime::RequirementDescription> all;
    for (const Requirement& r : launch.requirements) {
        runtime::RequirementDescription& described = all.emplace_back();
        described.region = root_of(regions_.at(r.region).handle);
        if (r.partition < 0) continue;
        described.partition = data_of(partitions_.at(r.partition));
        if (!launch.index) described.colour = r.colour;
    }
    return all;
}

std::vector<runtime::RequirementKind> Host::kinds_of(const Launch& launch) {
    std::vector<runtime::RequirementKind> all;
    for (const Requirement& r : launch.requirements) {
        runtime::RequirementKind& kind = all.emplace_back();
        kind.privilege = r.privilege;
        if (r.privilege == Privilege::reduce)
            kind.reduction = reduction_functions(regions_.at(r.region).made.type, r.op);
        kind.may_be_sparse = true;  // random_task.cpp
        kind.has_colour = r.partition >= 0 && !launch.index;
        if (r.partition >= 0 && launch.index) kind.projection = projection_function(r.projection);
    }
    return all;
}

Host::LaunchTypes Host::types_of(const Launch& launch,
                                 const std::vector<runtime::RequirementKind>& requirements) {
    const int domain_rank = launch.index ? launch.domain_rank : 0;
    LaunchTypes types = {static_cast<std::uintptr_t>(launch.task),
                         static_cast<std::uintptr_t>(domain_rank), launch.futures.size()};
    for (const runtime::RequirementKind& r : requirements) {
        types.push_back(static_cast<std::uintptr_t>(r.privilege));
        types.push_back(reinterpret_cast<std::uintptr_t>(r.reduction));
        types.push_back(reinterpret_cast<std::uintptr_t>(r.projection));
        types.push_back(r.has_colour ? 1 : 0);
    }
    return types;
}

void Host::make_kind(Kind& kind, const Launch& launch,
                     std::vector<runtime::RequirementKind> requirements) {
    const int domain_rank = launch.index ? launch.domain_rank : 0;
    kind.requirements = std::move(requirements);
    kind.launch = {task_function(launch.task, domain_rank),
                   domain_rank,
                   static_cast<std::uint32_t>(kind.requirements.size()),
                   static_cast<std::uint32_t>(launch.futures.size()),
                   kind.requirements.data(),
                   Closure::kind()};
    kind.launch.identity = &kind.launch;
}

const runtime::LaunchKind& Host::numbered_kind_of(const Launch& launch) {
    std::vector<runtime::RequirementKind> requirements = kinds_of(launch);
    std::uint64_t& number = numbered_.numbers[types_of(launch, requirements)];
    if (number == 0 || random_.once_in(mode_.untyped ? 2000 : 20)) number = ++numbered_.last_number;
    make_kind(numbered_.kind, launch, std::move(requirements));
    numbered_.kind.launch.identity = runtime::identity_of(number);
    return numbered_.kind.launch;
}

const runtime::LaunchKind& Host::kind_of(const Launch& launch) {
    if (untyped_) return numbered_kind_of(launch);
    std::vector<runtime::RequirementKind> requirements = kinds_of(launch);
    const LaunchTypes types = types_of(launch, requirements);
    const auto [entry, is_new] = kinds_.try_emplace(types);
    Kind& kind = entry->second;
    if (is_new) make_kind(kind, launch, std::move(requirements));
    return kind.launch;
}

void Host::obey(const Launch& s, Observed& seen) {
    BoundLaunch& bound = bind(s);
    const auto requirements = describe(s);
    std::vector<regions::FutureState*> arguments;
    for (const int future : s.futures) arguments.push_back(futures_.at(future).single.state());
    const LaunchSite site(task_name(s.task), program_file, static_cast<std::uint32_t>(s.site));
    AnyFuture result;
    if (mode_.typed) {
        if (const auto typed = launch_typed(runtime_, site, bound, handles_of(s))) {
            seen.operation = ++operations_;
            result.single = *typed;
            if (s.result >= 0) futures_.insert_or_assign(s.result, std::move(result));
            return;
        }
    }
    if (s.result >= 0) result = make_future(runtime_, s);
    Closure closure(bound);
    const runtime::LaunchDescription launch{site,
                                            &kind_of(s),
                                            s.index ? &s.domain : &runtime::single_task_domain,
                                            requirements.data(),
                                            arguments.data(),
                                            result.state(),
                                            &closure};
    submit(runtime_, launch);
    if (untyped_ && point_count(s) != 0 && !closure.is_moved_from())
        throw std::logic_error("a launch has used a closure in the program's memory");
    seen.operation = ++operations_;
    if (s.result >= 0) futures_.insert_or_assign(s.result, std::move(result));
}

void Host::obey(const Fill& s, Observed& seen) {
    const LaunchSite site("fill", program_file, static_cast<std::uint32_t>(s.site));
    const AnyPartition* partition = s.partition < 0 ? nullptr : &partitions_.at(s.partition);
    fill(runtime_, regions_.at(s.region).handle, partition, s.value, site);
    seen.operation = ++operations_;
}

/// Waits for the parts of a region, one after the other.
std::uint64_t* Host::wait_for(const RegionHandle& region, Privilege privilege) {
    regions::RegionRoot* root = root_of(region.handle);
    regions::retain(root);
    const dynamic::AnyRegion handle(root);
    Box first = handle.bounds();
    Box second = first;
    second.lo[0] = first.hi[0] =
        random_.between(static_cast<int>(first.lo[0]), static_cast<int>(first.hi[0]));
    if (random_.once_in(2))
        static_cast<void>(dynamic::is_ready(runtime_, handle, first, privilege));
    if (!second.empty()) dynamic::wait_for(runtime_, handle, second, privilege);
    return static_cast<std::uint64_t*>(
        dynamic::wait_for(runtime_, handle, first.empty() ? second : first, privilege));
}

void Host::obey(const HostRead& s, Observed& seen) {
    const RegionHandle& region = regions_.at(s.region);
    if (untyped_ && holds_words(region)) {
        const std::uint64_t* elements = wait_for(region, Privilege::read);
        seen.values.assign(elements, elements + space(region.made.space).size());
        return;
    }
    seen.values = read_all(runtime_, regions_.at(s.region).handle);
}

void Host::obey(const HostWrite& s, Observed&) {
    const RegionHandle& region = regions_.at(s.region);
    const ValueRange range = range_of(program_, region.made);
    if (untyped_ && holds_words(region))
        return make_values(
            s, wait_for(region, s.keeps_old ? Privilege::read_write : Privilege::write), range);
    write_all(runtime_, region.handle, s.keeps_old, [&](int element, std::uint64_t& bits) {
        const std::uint64_t hash = host_value(s.seed, element);
        if (!s.keeps_old || is_touched(hash)) bits = bits_from(range, hash);
    });
}

void Host::make_values(const HostWrite& s, std::uint64_t* elements, const ValueRange& range) {
    for (int e = 0; e < space(regions_.at(s.region).made.space).size(); ++e) {
        const std::uint64_t hash = host_value(s.seed, e);
        if (!s.keeps_old || is_touched(hash)) elements[e] = bits_from(range, hash);
    }
}

void Host::obey(const OpenView& s, Observed& seen) {
    AnyView view = open_view(runtime_, regions_.at(s.region).handle);
    seen.values = elements_of(view);
    views_.emplace(s.region, std::move(view));
}

void Host::obey(const GetFuture& s, Observed& seen) {
    seen.values = {static_cast<std::uint64_t>(futures_.at(s.future).get(s.point))};
}

void count_runs(const Program& program, const std::deque<BoundLaunch>& launches, Execution& run) {
    auto bound = launches.begin();
    for (std::size_t i = 0; i < run.observed.size(); ++i) {
        if (!std::holds_alternative<Launch>(program.statements[i].what)) continue;
        for (int point = 0; point < point_count(bound->launch); ++point)
            run.observed[i].runs.push_back(bound->runs[static_cast<std::size_t>(point)].load());
        ++bound;
    }
}

}  // namespace

Execution execute(const Program& program, const Mode& mode, SharedPartitions* shared) {
    Execution run;
    std::atomic<int> live_closures{0};
    std::deque<BoundLaunch> launches;
    try {
        Host host(program, mode, shared, live_closures, launches);
        for (const Statement& statement : program.statements)
            run.observed.push_back(host.execute(statement));
        host.finish(run);
    } catch (const std::exception& error) {
        run.problem = std::string("an unexpected exception: ") + error.what();
    }
    count_runs(program, launches, run);
    if (run.problem.empty() && live_closures != 0)
        run.problem = std::to_string(live_closures) + " closures were never destroyed";
    return run;
}

}  // namespace refrain::property
