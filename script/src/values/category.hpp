#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace refrain::script {

/// What a logical operation counts as: the columns of Table 2 of the paper.
enum class Category : std::uint8_t {
    task,       // put into a queue, taken out of it: two per task; a split of an interval, two
    create,     // data made by one message
    subscribe,  // asking to be told that data are final
    load,       // of a value
    store,      // of a value
    lookup,     // of an element
    insert,     // of an element
    refcount,   // a change of counts that rides on nothing else
    none,       // nothing beyond the task's own values
};
inline constexpr std::size_t category_count = 8;
inline constexpr std::array<std::string_view, category_count> category_names = {
    "Task", "Create", "Subscribe", "Load", "Store", "Lookup", "Insert", "RefCount"};

}  // namespace refrain::script
