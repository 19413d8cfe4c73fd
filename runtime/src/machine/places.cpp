#include "machine/places.hpp"

#include <algorithm>
#include <iterator>

namespace refrain::machine {

std::vector<Core> restrict_to(const std::vector<Core>& cores,
                              const std::vector<unsigned>& allowed) {
    std::vector<Core> left;
    for (const Core& core : cores) {
        Core part{.processors = {}, .memory_node = core.memory_node};
        std::set_intersection(core.processors.begin(), core.processors.end(), allowed.begin(),
                              allowed.end(), std::back_inserter(part.processors));
        if (!part.processors.empty()) left.push_back(std::move(part));
    }
    return left;
}

std::vector<Core> starting_at(std::vector<Core> cores, unsigned processor) {
    const auto first = std::find_if(cores.begin(), cores.end(), [&](const Core& core) {
        return std::binary_search(core.processors.begin(), core.processors.end(), processor);
    });
    if (first != cores.end()) std::rotate(cores.begin(), first, cores.end());
    return cores;
}

}  // namespace refrain::machine
