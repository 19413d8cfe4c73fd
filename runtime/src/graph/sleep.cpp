#include "graph/sleep.hpp"

namespace refrain::graph {

bool Sleep::wake() {
    if (!claim_announcement()) return false;
    begin_search();                                    // for the worker that takes the token
    tokens_.fetch_add(1U, std::memory_order_seq_cst);  // I3
    tokens_.notify_one();
    return true;
}

bool Sleep::claim_announcement() {
    std::uint32_t announced = announced_.load(std::memory_order_seq_cst);
    while (announced != 0)
        if (announced_.compare_exchange_weak(announced, announced - 1, std::memory_order_seq_cst,
                                             std::memory_order_seq_cst))
            return true;
    return false;
}

void Sleep::wait_for_token() {
    std::uint32_t tokens = tokens_.load(std::memory_order_relaxed);
    while (true) {
        if (tokens == 0) {
            tokens_.wait(0, std::memory_order_relaxed);
            tokens = tokens_.load(std::memory_order_relaxed);
        } else if (tokens_.compare_exchange_weak(tokens, tokens - 1, std::memory_order_acquire,
                                                 std::memory_order_relaxed)) {
            return;
        }
    }
}

}  // namespace refrain::graph
