#include "merge/anonymous.hpp"

#include <map>

namespace refrain::proxy {
namespace {

std::string stand_in(std::size_t number) {
    return "text " + std::to_string(number);
}

/// Says of each text whether it is MPI's own: the name of a function, as calls that are recorded by name have it, or a word for
/// how files and packed messages spell numbers, without which a call would fail.
std::vector<bool> words_of_mpi(const Recording& recording) {
    std::vector<bool> own(recording.texts.size(), false);
    for (const Event& event : recording.events)
        if (event.function == Function::by_name && !event.values.empty() && event.values[0] >= 0 &&
            static_cast<std::size_t>(event.values[0]) < own.size())
            own[static_cast<std::size_t>(event.values[0])] = true;
    for (std::size_t i = 0; i < own.size(); ++i)
        for (const char* const word : {"native", "internal", "external32"})
            own[i] = own[i] || recording.texts[i] == word;
    return own;
}

}  // namespace

std::vector<std::string> words_of_program(const Recording& recording) {
    std::vector<std::string> found;
    const std::vector<bool> own = words_of_mpi(recording);
    for (std::size_t i = 0; i < own.size(); ++i)
        if (!own[i] && recording.texts[i] != stand_in(i)) found.push_back(recording.texts[i]);
    return found;
}

void make_anonymous(Recording& recording) {
    recording.launch.words.clear();
    recording.launch.program = 0;
    recording.sites.clear();
    if (!recording.gaps.empty()) recording.gaps = {"a call waits for what was not recorded"};
    std::map<std::int64_t, std::int64_t> tags;
    for (Event& event : recording.events) {
        event.site = 0;
        const std::vector<Role> all = roles(event);
        for (std::size_t i = 1; i < all.size(); ++i) {
            if (all[i] != Role::tag || event.values[i] == tag_any) continue;
            // No source, no tag: nothing was received.
            if (all[i - 1] == Role::rank && value_of(event.values[i - 1]) == rank_none) continue;
            const auto next = static_cast<std::int64_t>(tags.size());
            event.values[i] = tags.try_emplace(event.values[i], next).first->second;
        }
    }
    const std::vector<bool> stays = words_of_mpi(recording);
    for (std::size_t i = 0; i < stays.size(); ++i)
        if (!stays[i]) recording.texts[i] = stand_in(i);
}

}  // namespace refrain::proxy
