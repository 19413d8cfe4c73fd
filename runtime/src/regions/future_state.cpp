#include "regions/future_state.hpp"

#include "refrain/future.hpp"

#include <algorithm>
#include <new>

namespace refrain::regions {
namespace {

void free_block(void* block) noexcept {
    ::operator delete (block, std::align_val_t{FutureState::value_align});
}

}  // namespace

FutureState* FuturePool::make(std::size_t value_bytes, std::size_t count) {
    const std::size_t bytes = std::max(small_bytes, future_header_bytes + value_bytes * count);
    if (live_.size() == live_.capacity()) {  // recycle must not throw
        const std::size_t capacity = std::max<std::size_t>(64, 2 * live_.size());
        free_.reserve(std::min(free_max, capacity));
        live_.reserve(capacity);
    }
    void* block = nullptr;
    if (bytes == small_bytes && !free_.empty()) {
        block = free_.back();
        free_.pop_back();
    } else {
        block = ::operator new (bytes, std::align_val_t{FutureState::value_align});
    }
    auto* future = ::new (block) FutureState;
    future->pool = this;
    future->references = 1;
    future->value_bytes = value_bytes;
    future->count = count;
    future->block_bytes = bytes;
    future->live_index = live_.size();
    live_.push_back(future);
    return future;
}

void FuturePool::recycle(FutureState* future) noexcept {
    live_[future->live_index] = live_.back();
    live_[future->live_index]->live_index = future->live_index;
    live_.pop_back();
    if (future->failure != nullptr) --future->failure->references;
    if (future->block_bytes == small_bytes && free_.size() < free_max)
        free_.push_back(future);
    else
        free_block(future);
}

FuturePool::~FuturePool() {
    for (FutureState* future : live_) {
        future->pool = nullptr;
        if (future->failure != nullptr) future->failure = new Failure(*future->failure);
    }
    for (void* block : free_) free_block(block);
}

void retain(FutureState* future) noexcept {
    if (future != nullptr) ++future->references;
}

void release(FutureState* future) noexcept {
    if (future == nullptr || --future->references != 0) return;
    if (future->pool != nullptr) {
        future->pool->recycle(future);
    } else {
        delete future->failure;  // its own copy
        free_block(future);
    }
}

const void* wait_for_value(FutureState& future, std::size_t index) {
    if (future.operation == 0) refuse_empty_future();
    if (future.pool != nullptr) return future.pool->resolver().wait_for_value(future, index);
    if (future.failure != nullptr) throw future.failure->error();
    if (!future.retired)
        throw Error(
            "get() of a future whose task may not have run: the runtime ran out of memory and "
            "ended "
            "before; launch it again on a new one");
    return future.value(index);
}

bool is_ready(FutureState& future) {
    if (future.count == 0) return true;  // of a launch without points, which was never made
    if (future.operation == 0) refuse_empty_future();
    return future.pool == nullptr || future.pool->resolver().is_ready(future);
}

void refuse_empty_future() {
    throw UsageError(
        "get() of an empty future: it was never given the result of a launch; assign what "
        "launch() returns first");
}

void refuse_future_point(const data::Coordinates& point, const data::Box& domain, int rank) {
    throw UsageError("get() of point " + data::point_text(point.data(), rank) +
                     " of a launch over " + data::to_string(domain, rank) +
                     ": ask for a point of the launch domain");
}

}  // namespace refrain::regions
