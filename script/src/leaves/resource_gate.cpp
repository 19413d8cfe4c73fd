#include "leaves/resource_gate.hpp"

#include <algorithm>

namespace refrain::script {

ResourceGate::Hold::Hold(ResourceGate& gate, Amount amount)
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

ResourceGate::Hold::~Hold() {
    const std::lock_guard lock(gate_.mutex_);
    gate_.free_.cpus += amount_.cpus;
    gate_.free_.memory_bytes += amount_.memory_bytes;
    gate_.changed_.notify_all();
}

}  // namespace refrain::script
