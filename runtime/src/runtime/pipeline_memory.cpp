// Waiting for the memory of regions that have died: with a limit in each launch, else where regions are made.

#include "regions/region_table.hpp"
#include "runtime/pipeline.hpp"

namespace refrain::runtime {

/// A region's memory counts from the first operation on that uses it, although a task takes it later. So as
/// long as the memory that counts is within the limit, every task finds its own, and tasks never wait for
/// memory. If it is not, the operation is issued only after dead regions have returned what they can.
///
/// No deadlock: only the launching thread waits, for operations with lower numbers. All of these have been
/// issued, and none waits for memory: each runs, or fails for want of it. What dies later, by destructions
/// after this launch, is not waited for: in the order of the program it lives when this launch needs memory.
/// That matters where operations are held back: those between this one and the destruction are not issued yet.
void Pipeline::reserve_memory(const Operation& operation) {
    bool needs_memory = false;
    for (std::size_t i = 0; i < operation.argument_count; ++i) {
        regions_.reserve(operation.root(i));
        needs_memory = needs_memory || operation.arguments()[i].storage->elements() == nullptr;
    }
    if (needs_memory) wait_for_memory(operation.number);
}

/// If the limit is still exceeded then, live regions hold the memory, and what is launched may fail.
void Pipeline::wait_for_memory(graph::OperationNumber number) {
    const auto is_done = [&] {
        return !regions_.is_overcommitted() || !regions_.has_dead_before(number);
    };
    if (is_done()) return;
    ++memory_waits_;
    help_until(is_done);
}

/// Without a limit nobody counts what launches need. A program that makes temporary regions can be a window
/// ahead of the tasks that use them, and tasks that depend on one another tile by tile run through all of them,
/// one tile at a time; so all have memory at once, although the program holds a few. When that fills the
/// machine, the system refuses memory, and tasks fail that would find some later. Hence the program waits where
/// it makes a region while too much of what it has destroyed is not given back. All issued operations end
/// without it, and only regions that they alone use are waited for, so no deadlock.
void Pipeline::wait_for_dead_regions(std::size_t bytes) {
    const auto is_done = [&] {
        return regions_.dead_bytes() <= bytes || !regions_.has_dead_before(next_issue_);
    };
    if (is_done()) return;
    ++memory_waits_;
    help_until(is_done);
}

}  // namespace refrain::runtime
