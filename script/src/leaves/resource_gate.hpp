#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace refrain::script {

/// Cores and memory that calls hold while they run. Who asks first gets first, so that nobody starves.
///
/// Threads: any.
class ResourceGate {
  public:
    struct Amount {
        std::int64_t cpus = 1;
        std::int64_t memory_bytes = 0;
    };
    explicit ResourceGate(Amount capacity) : capacity_(capacity), free_(capacity) {}

    /// Holds an amount as long as it lives; waits for it. What is more than there is takes all.
    class Hold {
      public:
        Hold(ResourceGate& gate, Amount amount);
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;
        ~Hold();

      private:
        ResourceGate& gate_;
        Amount amount_;
    };

  private:
    Amount capacity_;
    std::mutex mutex_;
    std::condition_variable changed_;
    Amount free_;
    std::uint64_t next_ticket_ = 0;
    std::uint64_t served_ = 0;
};

inline ResourceGate::Hold::Hold(ResourceGate& gate, Amount amount)
    : gate_(gate),
      amount_{std::min(amount.cpus, gate.capacity_.cpus),
              std::min(amount.memory_bytes, gate.capacity_.memory_bytes)} {
    std::unique_lock lock(gate_.mutex_);
    const std::uint64_t ticket = gate_.next_ticket_++;
    gate_.changed_.wait(lock, [&] {
        return gate_.served_ == ticket && gate_.free_.cpus >= amount_.cpus &&
               gate_.free_.memory_bytes >= amount_.memory_bytes;
    });
    ++gate_.served_;
    gate_.free_.cpus -= amount_.cpus;
    gate_.free_.memory_bytes -= amount_.memory_bytes;
    gate_.changed_.notify_all();
}

inline ResourceGate::Hold::~Hold() {
    const std::lock_guard lock(gate_.mutex_);
    gate_.free_.cpus += amount_.cpus;
    gate_.free_.memory_bytes += amount_.memory_bytes;
    gate_.changed_.notify_all();
}

}  // namespace refrain::script
