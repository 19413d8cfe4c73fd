#include "graph/work_queue.hpp"

#include "base/assertion.hpp"

namespace refrain::graph {

WorkQueue::WorkQueue(std::size_t capacity) : buffer_(nullptr) {
    REFRAIN_ASSERT(capacity != 0 && (capacity & (capacity - 1)) == 0,
                   "the capacity of a queue must be a power of two");
    buffers_.push_back(std::make_unique<Buffer>(capacity));
    buffer_.store(buffers_.back().get(), std::memory_order_relaxed);  // not yet shared
}

WorkQueue::~WorkQueue() = default;

WorkQueue::Buffer* WorkQueue::grow(Buffer* full, std::int64_t top, std::int64_t bottom) {
    REFRAIN_ASSERT(bottom - top <= full->mask + 1, "a queue holds more than its buffer");
    const auto capacity = static_cast<std::size_t>(full->mask + 1);
    buffers_.push_back(std::make_unique<Buffer>(2 * capacity));
    Buffer* larger = buffers_.back().get();
    for (std::int64_t i = top; i < bottom; ++i)
        larger->at(i).store(full->at(i).load(std::memory_order_relaxed), std::memory_order_relaxed);
    buffer_.store(larger, std::memory_order_release);  // I3: publishes the items
    return larger;
}

}  // namespace refrain::graph
