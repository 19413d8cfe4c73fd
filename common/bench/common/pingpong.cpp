#include "common/pingpong.hpp"

#include <atomic>
#include <thread>

#include "common/stopwatch.hpp"

namespace bench {

double pingpong_ns() {
    constexpr int rounds = 20'000;
    struct alignas(64) Flag {
        std::atomic<int> value{0};
    } ping, pong;
    std::thread other([&] {
        for (int i = 1; i <= rounds; ++i) {
            while (ping.value.load(std::memory_order_acquire) != i) {
            }
            pong.value.store(i, std::memory_order_release);
        }
    });
    const Stopwatch watch;
    for (int i = 1; i <= rounds; ++i) {
        ping.value.store(i, std::memory_order_release);
        while (pong.value.load(std::memory_order_acquire) != i) {
        }
    }
    const double ns = watch.wall_seconds() * 1e9 / (2.0 * rounds);
    other.join();
    return ns;
}

}  // namespace bench
