#include "sizes/sized_memory.hpp"

#include <algorithm>
#include <stdexcept>

#include "sizes/findings.hpp"

namespace refrain::proxy {
namespace {

Number memory_number(const std::vector<NumberSample>& samples, const std::string& what) {
    const auto number = fit_number(samples);
    if (!number) throw std::runtime_error(what + ": " + samples_words(samples));
    return *number;
}

}  // namespace

SizedMemory fit_memory(const std::vector<SizedInput>& inputs) {
    SizedMemory memory;
    std::vector<NumberSample> counts, requests;
    bool same = true;
    for (const SizedInput& input : inputs) {
        const Setting setting{input.recording->size(), 0, input.size};
        counts.push_back({setting, static_cast<std::int64_t>(input.recording->slots.size())});
        same = same && counts.back().value == counts.front().value;
        std::int64_t most = 0;
        for (const Event& event : input.recording->events) {
            const std::vector<Role> all = roles(event);
            for (std::size_t i = 0; i < all.size(); ++i)
                if (all[i] == Role::request) most = std::max(most, event.values[i] + 1);
        }
        requests.push_back({setting, most});
    }
    memory.requests = memory_number(requests, "the number of requests in use at a time");
    memory.slots.count = memory_number(counts, "the number of buffers in use at a time");
    const std::size_t pieces = same ? static_cast<std::size_t>(counts[0].value) : 1;
    for (std::size_t slot = 0; slot < pieces; ++slot) {
        std::vector<NumberSample> before, behind;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            SlotExtent extent;
            const auto& slots = inputs[i].recording->slots;
            for (std::size_t k = 0; k < slots.size(); ++k) {
                if (same && k != slot) continue;
                extent.before = std::max(extent.before, slots[k].before);
                extent.behind = std::max(extent.behind, slots[k].behind);
            }
            before.push_back({counts[i].setting, extent.before});
            behind.push_back({counts[i].setting, extent.behind});
        }
        const std::string name =
            "the bytes of " + (same ? "buffer " + std::to_string(slot) : "the largest buffer");
        memory.slots.extents.emplace_back(memory_number(before, name), memory_number(behind, name));
    }
    return memory;
}

}  // namespace refrain::proxy
