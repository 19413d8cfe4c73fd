// Regions: those that the program makes, and memory from outside.

#include "refrain/error.hpp"
#include "refrain/region.hpp"
#include "runtime/core.hpp"

#include <limits>
#include <string>

namespace refrain::runtime {
namespace {

constexpr std::size_t dead_bytes_max = std::size_t{1} << 20;  // that wait for the next retirement

}  // namespace

void Core::retire_dead() {
    guarded("create_region", [&] {
        if (regions_.dead_bytes() <= dead_bytes_max) return;
        pipeline_.retire();
        // A quarter of the memory: regions that live, and those of tasks that run, need some, too.
        if (regions_.dead_bytes() > memory_bytes_ / 4)
            pipeline_.wait_for_dead_regions(memory_bytes_ / 8);
    });
}

void Core::check_new_region(const data::Box& bounds, int rank, std::size_t element_bytes,
                            std::size_t element_align, std::string_view name) const {
    check_thread("create_region");
    const auto call = [&] { return "create_region '" + std::string(name) + "'"; };
    if (bounds.empty())
        throw UsageError(call() +
                         ": the bounds are empty; give every dimension an extent of at least 1");
    std::int64_t volume = 0;
    if (!data::volume_fits(bounds, volume)) data::checked_volume(bounds, rank, call(), "bounds");
    const auto bytes_max = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (static_cast<std::uint64_t>(volume) > bytes_max / element_bytes)
        throw UsageError(call() + ": bounds is " + data::to_string(bounds, rank) + ", " +
                         std::to_string(volume) + " elements of " + std::to_string(element_bytes) +
                         " bytes exceed the address space of " + std::to_string(bytes_max) +
                         " bytes; make it smaller");
    if (element_align > data::StoragePool::alignment)
        throw UsageError(call() + ": elements are aligned to " + std::to_string(element_align) +
                         " bytes, regions to 64; use a type with a smaller alignment");
}

regions::RegionRoot* Core::create_region(const data::Box& bounds, int rank,
                                         std::size_t element_bytes, std::size_t element_align,
                                         std::string_view name) {
    check_new_region(bounds, rank, element_bytes, element_align, name);
    retire_dead();
    return regions_.create(bounds, rank, element_bytes, name);
}

regions::RegionRoot* Core::create_unspecified(const data::Box& bounds, int rank,
                                              std::size_t element_bytes, std::size_t element_align,
                                              std::string_view name) {
    check_new_region(bounds, rank, element_bytes, element_align, name);
    retire_dead();
    return regions_.create(bounds, rank, element_bytes, name,
                           regions::RegionTable::Content::unspecified);
}

regions::RegionRoot* Core::adopt_memory(const data::Box& bounds, int rank,
                                        std::size_t element_bytes, std::size_t element_align,
                                        void* memory, std::function<void()> done,
                                        std::string_view name) {
    check_new_region(bounds, rank, element_bytes, element_align, name);
    const auto call = [&] { return "adopt_memory '" + std::string(name) + "': "; };
    if (memory == nullptr) throw UsageError(call() + "the memory is null; pass its address");
    if (reinterpret_cast<std::uintptr_t>(memory) % element_align != 0)
        throw UsageError(call() + "the memory is not aligned to the " +
                         std::to_string(element_align) + " bytes of its elements; copy it");
    const std::size_t bytes = static_cast<std::size_t>(bounds.volume()) * element_bytes;
    if (regions_.owner_of(memory, bytes) != nullptr)  // perhaps of a region that has ended
        guarded("adopt_memory", [&] {
            interrupt();
            pipeline_.wait_for_all();
            pipeline_.retire();
        });
    if (const regions::RegionRoot* owner = regions_.owner_of(memory, bytes))
        throw UsageError(call() + "part of the memory belongs to " + name_of(*owner) +
                         " already; use that region, or one region for all of it");
    return regions_.adopt(bounds, rank, element_bytes, name, memory, std::move(done));
}

}  // namespace refrain::runtime
