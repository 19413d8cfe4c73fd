#include "merge/anonymous.hpp"

#include <map>

namespace refrain::proxy {

void make_anonymous(Recording& recording) {
    recording.launch.words.clear();
    recording.launch.program = 0;
    recording.sites.clear();
    if (!recording.gaps.empty()) recording.gaps = {"a call waits for what was not recorded"};
    // Names of MPI's functions stay: the first text of a call that is recorded by name.
    std::vector<bool> stays(recording.texts.size(), false);
    std::map<std::int64_t, std::int64_t> tags;
    for (Event& event : recording.events) {
        event.site = 0;
        const std::vector<Role> all = roles(event);
        if (event.function == Function::by_name && !all.empty() && event.values[0] >= 0 &&
            static_cast<std::size_t>(event.values[0]) < stays.size())
            stays[static_cast<std::size_t>(event.values[0])] = true;
        for (std::size_t i = 1; i < all.size(); ++i) {
            if (all[i] != Role::tag || event.values[i] == tag_any) continue;
            // No source, no tag: nothing was received.
            if (all[i - 1] == Role::rank && value_of(event.values[i - 1]) == rank_none) continue;
            const auto next = static_cast<std::int64_t>(tags.size());
            event.values[i] = tags.try_emplace(event.values[i], next).first->second;
        }
    }
    // So do MPI's own words for how files and packed messages spell numbers: a call with another word fails.
    for (std::size_t i = 0; i < stays.size(); ++i)
        for (const char* const own : {"native", "internal", "external32"})
            stays[i] = stays[i] || recording.texts[i] == own;
    for (std::size_t i = 0; i < stays.size(); ++i)
        if (!stays[i]) recording.texts[i] = "text " + std::to_string(i);
}

}  // namespace refrain::proxy
