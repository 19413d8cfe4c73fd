#include "refrain/dynamic.hpp"

#include "base/atomic.hpp"
#include "data/message.hpp"
#include "refrain/error.hpp"
#include "regions/region_root.hpp"
#include "runtime/core.hpp"

#include <array>
#include <bit>
#include <limits>
#include <vector>

namespace refrain::dynamic {

struct Access {
    static runtime::Core& core(const Runtime& runtime) { return *runtime.core_; }
};

namespace {

constexpr std::size_t result_bytes_max = 64;
constexpr std::size_t futures_inline_max = 16;

std::uint64_t next_kind() {
    static base::Atomic<std::uint64_t> kinds{0};
    return kinds.fetch_add(1, std::memory_order_relaxed) + 1;  // only a name
}

void check_rank(int rank, const Box& box, std::string_view operation, std::string_view argument) {
    if (rank < 1 || rank > rank_max)
        throw UsageError(data::message(operation, ": the rank is ", rank,
                                       "; regions have one to three dimensions"));
    for (auto d = static_cast<std::size_t>(rank); d < box.lo.size(); ++d)
        if (box.lo[d] != 0 || box.hi[d] != 1)
            throw UsageError(data::message(operation, ": ", argument, " is ",
                                           data::to_string(box, rank_max), " and has rank ", rank,
                                           ", so dimension ", d, " must be [0,1)"));
}

void check_new_region(const Box& bounds, int rank, std::size_t element_bytes,
                      std::size_t element_align, const std::string& call) {
    check_rank(rank, bounds, call, "bounds");
    if (element_bytes == 0)
        throw UsageError(call + ": elements have no bytes; give them at least one");
    if (!std::has_single_bit(element_align))
        throw UsageError(call + ": elements are aligned to " + std::to_string(element_align) +
                         " bytes, which is not a power of two");
}

std::string quoted(std::string_view call, std::string_view name) {
    return std::string(call) + " '" + std::string(name) + "'";
}

[[noreturn]] void refuse_kind(std::string_view name, const std::string& reason) {
    throw UsageError(quoted("TaskKind", name) + ": " + reason);
}

[[noreturn]] void refuse_launch(const LaunchSite& site, const std::string& reason) {
    throw UsageError("launch " + site.describe() + ": " + reason);
}

void check_description(const TaskDescription& d) {
    if (d.function == nullptr) refuse_kind(d.name, "there is no function; give it one");
    if (d.domain_rank < 0 || d.domain_rank > rank_max)
        refuse_kind(d.name, "the launch domain has rank " + std::to_string(d.domain_rank) +
                                "; give 1 to 3, or 0 for single tasks");
    if (d.requirements.size() > std::numeric_limits<std::uint16_t>::max())
        refuse_kind(d.name, std::to_string(d.requirements.size()) +
                                " requirements are more than the 65535 of one launch");
    if (d.result_bytes > result_bytes_max)
        refuse_kind(d.name, "a result of " + std::to_string(d.result_bytes) +
                                " bytes is larger than 64; write it to a region");
    if (!std::has_single_bit(d.closure.align))
        refuse_kind(d.name, "the closure is aligned to " + std::to_string(d.closure.align) +
                                " bytes, which is not a power of two");
    for (std::size_t i = 0; i < d.requirements.size(); ++i) {
        const bool reduces = d.requirements[i].privilege == Privilege::reduce;
        if (reduces == (d.requirements[i].reduction != nullptr)) continue;
        refuse_kind(d.name,
                    "requirement " + std::to_string(i + 1) +
                        (reduces ? " reduces without an operator; give its ReductionFunctions"
                                 : " has an operator, but does not reduce; ask for reduce"));
    }
}

[[gnu::cold, gnu::noinline]] void refuse_mismatch(const TaskKind& kind, const LaunchSite& site,
                                                  const Box& domain,
                                                  std::span<const RegionUse> uses, void* closure,
                                                  std::size_t futures, bool wants_result) {
    if (!kind) refuse_launch(site, "the kind is empty; give it one made of a description");
    const runtime::LaunchKind& known = kind.launch_kind();
    const std::string of_kind = std::string(" of kind '") + kind.name() + "' ";
    if (uses.size() != known.requirement_count)
        refuse_launch(site, "tasks" + of_kind + "use " + std::to_string(known.requirement_count) +
                                " regions, not " + std::to_string(uses.size()));
    if (futures != known.future_count)
        refuse_launch(site, "tasks" + of_kind + "take " + std::to_string(known.future_count) +
                                " futures, not " + std::to_string(futures));
    if (closure == nullptr && known.closure.bytes != 0)
        refuse_launch(site, "tasks" + of_kind + "have a closure of " +
                                std::to_string(known.closure.bytes) + " bytes; pass its address");
    if (wants_result != (kind.result_bytes() != 0))
        refuse_launch(site, "tasks" + of_kind +
                                (wants_result ? "return nothing; use launch()"
                                              : "return a value; use launch_for_result()"));
    if (known.domain_rank == 0)
        refuse_launch(site, "tasks" + of_kind + "are single tasks; give single_task, not " +
                                data::to_string(domain, rank_max));
    refuse_launch(site, "unreachable");
}

void check_reductions(const TaskKind& kind, const LaunchSite& site,
                      std::span<const RegionUse> uses) {
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const data::ReductionFunctions* reduction = kind.launch_kind().requirements[i].reduction;
        if (reduction == nullptr || uses[i].region == nullptr) continue;
        const std::size_t bytes = uses[i].region->storage->element_bytes();
        if (bytes == reduction->element_bytes) continue;
        refuse_launch(site, "region argument " + std::to_string(i + 1) + ", " +
                                name_of(*uses[i].region) + ", has elements of " +
                                std::to_string(bytes) + " bytes, but " + reduction->name +
                                " folds elements of " + std::to_string(reduction->element_bytes));
    }
}

/// What a typed launch cannot get wrong.
inline void check_launch(const TaskKind& kind, const LaunchSite& site, const Box& domain,
                         std::span<const RegionUse> uses, void* closure, std::size_t futures,
                         bool wants_result) {
    if (!kind) [[unlikely]]
        refuse_mismatch(kind, site, domain, uses, closure, futures, wants_result);
    const runtime::LaunchKind& known = kind.launch_kind();
    if (uses.size() != known.requirement_count || futures != known.future_count ||
        (closure == nullptr && known.closure.bytes != 0) ||
        wants_result != (kind.result_bytes() != 0) ||
        (known.domain_rank == 0 && &domain != &single_task && !same(domain, single_task)))
        [[unlikely]]
        refuse_mismatch(kind, site, domain, uses, closure, futures, wants_result);
    if (kind.reduces()) [[unlikely]]
        check_reductions(kind, site, uses);
}

/// The states of future arguments, side by side.
class FutureStates {
  public:
    explicit FutureStates(std::span<const AnyFuture> futures) {
        if (futures.size() > few_.size()) {
            many_.resize(futures.size());
            data_ = many_.data();
        }
        for (std::size_t i = 0; i < futures.size(); ++i) data_[i] = futures[i].state();
    }
    [[nodiscard]] regions::FutureState* const* data() const { return data_; }

  private:
    std::array<regions::FutureState*, futures_inline_max> few_;
    std::vector<regions::FutureState*> many_;
    regions::FutureState** data_ = few_.data();
};

void submit(Runtime& runtime, const TaskKind& kind, const LaunchSite& site, const Box& domain,
            std::span<const RegionUse> uses, void* closure, regions::FutureState* const* futures,
            regions::FutureState* result) {
    Access::core(runtime).launch({.site = site,
                                  .kind = &kind.launch_kind(),
                                  .domain = &domain,
                                  .requirements = uses.data(),
                                  .futures = futures,
                                  .result = result,
                                  .closure = closure});
}

}  // namespace

int AnyRegion::rank() const {
    return checked("rank").rank;
}

std::size_t AnyRegion::element_bytes() const {
    return checked("element_bytes").storage->element_bytes();
}

AnyRegion create_region(Runtime& runtime, const Box& bounds, int rank, std::size_t element_bytes,
                        std::size_t element_align, std::string_view name) {
    check_new_region(bounds, rank, element_bytes, element_align, quoted("create_region", name));
    return AnyRegion(
        Access::core(runtime).create_unspecified(bounds, rank, element_bytes, element_align, name));
}

AnyRegion adopt_memory(Runtime& runtime, const Box& bounds, int rank, std::size_t element_bytes,
                       std::size_t element_align, void* memory, std::function<void()> done,
                       std::string_view name) {
    check_new_region(bounds, rank, element_bytes, element_align, quoted("adopt_memory", name));
    return AnyRegion(Access::core(runtime).adopt_memory(bounds, rank, element_bytes, element_align,
                                                        memory, std::move(done), name));
}

AnyPartition make_partition(const Box& space, int rank, std::span<const Box> boxes) {
    check_rank(rank, space, "make_partition", "space");
    std::vector<Box> list(boxes.begin(), boxes.end());
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].empty())
            list[i] = Box{};
        else
            check_rank(rank, list[i], "make_partition", "boxes[" + std::to_string(i) + "]");
    }
    return AnyPartition(
        data::make_rectangles(space, rank, line(static_cast<std::int64_t>(boxes.size())), 1, list));
}

TaskKind::TaskKind(const TaskDescription& d) {
    check_description(d);
    auto made = std::make_shared<Made>();
    made->requirements = std::make_unique<runtime::RequirementKind[]>(d.requirements.size());
    made->reduces = false;
    for (std::size_t i = 0; i < d.requirements.size(); ++i) {
        made->requirements[i] = {.privilege = d.requirements[i].privilege,
                                 .has_colour = d.domain_rank == 0,
                                 .reduction = d.requirements[i].reduction};
        made->reduces = made->reduces || d.requirements[i].reduction != nullptr;
    }
    made->number = next_kind();
    made->launch = {.function = d.function,
                    .domain_rank = d.domain_rank,
                    .requirement_count = static_cast<std::uint32_t>(d.requirements.size()),
                    .future_count = d.futures,
                    .requirements = made->requirements.get(),
                    .closure = d.closure,
                    .identity = runtime::identity_of(made->number)};
    made->name = names::keep(d.name);
    made->result_bytes = d.result_bytes;
    made->key = d.key;
    made_ = std::move(made);
}

void launch(Runtime& runtime, const TaskKind& kind, const LaunchSite& site, const Box& domain,
            std::span<const RegionUse> uses, void* closure, std::span<const AnyFuture> futures) {
    check_launch(kind, site, domain, uses, closure, futures.size(), false);
    if (futures.empty()) [[likely]]
        return submit(runtime, kind, site, domain, uses, closure, nullptr, nullptr);
    const FutureStates states(futures);
    submit(runtime, kind, site, domain, uses, closure, states.data(), nullptr);
}

AnyFuture launch_for_result(Runtime& runtime, const TaskKind& kind, const LaunchSite& site,
                            const Box& domain, std::span<const RegionUse> uses, void* closure,
                            std::span<const AnyFuture> futures) {
    check_launch(kind, site, domain, uses, closure, futures.size(), true);
    const FutureStates states(futures);
    AnyFuture result(Access::core(runtime).make_future(site, domain, kind.launch_kind().domain_rank,
                                                       kind.result_bytes()));
    submit(runtime, kind, site, domain, uses, closure, states.data(), result.state());
    return result;
}

void* wait_for(Runtime& runtime, const AnyRegion& region, const Box& part, Privilege privilege,
               GiveUp give_up) {
    const AnyRegion kept = region;  // whatever give_up does
    return Access::core(runtime).wait_for_part(region.root(), part, privilege, give_up);
}

bool is_ready(Runtime& runtime, const AnyRegion& region, const Box& part, Privilege privilege) {
    return Access::core(runtime).is_part_ready(region.root(), part, privilege);
}

const void* wait_for(Runtime& runtime, const AnyFuture& future, std::size_t point, GiveUp give_up) {
    const AnyFuture kept = future;  // likewise
    if (!future) regions::refuse_empty_future();
    if (point >= future.state()->count)
        regions::refuse_future_point({static_cast<std::int64_t>(point), 0, 0},
                                     line(static_cast<std::int64_t>(future.state()->count)), 1);
    if (give_up.ask == nullptr || future.state()->pool == nullptr)
        return regions::wait_for_value(*future.state(), point);
    return Access::core(runtime).wait_for_future(*future.state(), point, give_up);
}

void wait_all(Runtime& runtime, GiveUp give_up) {
    Access::core(runtime).wait_all(give_up);
}

void wait_for_room(Runtime& runtime, GiveUp give_up) {
    Access::core(runtime).wait_for_room(give_up);
}

}  // namespace refrain::dynamic
