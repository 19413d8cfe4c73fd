#include "trace/description_difference.hpp"

#include "trace/description.hpp"

namespace refrain::trace {
namespace {

std::string counted(std::uint64_t count, const char* noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string last_use(std::uint64_t link) {
    if (link == Describer::old_or_new) return "a new region, or one not used within the window";
    const std::uint64_t distance = Describer::distance_of(link);
    const std::string requirement =
        "the region of requirement " + std::to_string(Describer::requirement_of(link) + 1);
    return distance == 0 ? requirement
                         : requirement + ", " + counted(distance, "operation") + " ago";
}

}  // namespace

std::string difference(std::span<const std::uint64_t> before, std::span<const std::uint64_t> now) {
    if (before[0] != now[0]) return "it runs another task";
    if (before[1] != now[1])
        return "it has " + counted(now[1], "point") + "; before: " + std::to_string(before[1]);
    if (before.size() != now.size())
        return "it has " + counted((now.size() - 2) / 2, "requirement") +
               "; before: " + std::to_string((before.size() - 2) / 2);
    for (std::size_t i = 2; i < now.size(); ++i) {
        if (before[i] == now[i]) continue;
        const std::string requirement = "requirement " + std::to_string(i / 2);
        if (i % 2 == 0) return requirement + " has another subset, privilege or reduction";
        return requirement + " uses " + last_use(now[i]) + "; before: " + last_use(before[i]);
    }
    return {};
}

}  // namespace refrain::trace
