#pragma once

#include "values/category.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace refrain::script::ir {

/// What an instruction does. Where its operands live is said by the operands, not by the operation.
enum class Op : std::uint8_t {
    copy,
    store,
    load,
    compute,
    compute_now,
    call,
    leaf,
    leaf_now,
    size,
    contains,
    exists,
    file_name,
    map_file,
    append,
    update,
    next,
};
inline constexpr std::size_t op_count = 16;
/// For readers of bytes: what is beyond is no operation.
[[nodiscard]] constexpr std::uint64_t enum_count(Op) {
    return op_count;
}

/// What an operation needs of an input before it runs.
enum class Need : std::uint8_t {
    nothing,   // the id suffices
    value,     // a local value or a constant
    closed,    // final, but not the parts: the length of an array
    deep,      // final with all parts
    name,      // of a file: its name, not its content
    presence,  // the answer whether an element is there now
    current,   // an updateable variable as it is now
};

/// What becomes of the outputs of an operation.
enum class Makes : std::uint8_t {
    values,   // local values
    data,     // each is assigned
    changes,  // others may change them, too: appends, updates, names of files
};

struct Traits {
    Op op;
    std::string_view name;
    Need
        need;  // of its inputs; where that is more than the id, a value that is known will do instead of a datum
    Makes makes;
    bool pure;               // same inputs, same outputs, nothing else happens
    bool long_running;       // runs on a worker, which serves nobody meanwhile
    bool progress_enabling;  // assigns where it stands: who waits for its outputs may start
    Category category;
    std::optional<Op> immediate =
        std::nullopt;  // its twin on local values, which runs where it stands
};

/// The one table about operations: passes, verifier, interpreter and back end ask it.
inline constexpr std::array<Traits, op_count> table = {{
    {Op::copy, "copy", Need::closed, Makes::data, true, false, false, Category::store, Op::store},
    {Op::store, "store", Need::value, Makes::data, true, false, true, Category::store},
    {Op::load, "load", Need::nothing, Makes::values, true, false, false, Category::load},
    {Op::compute, "compute", Need::deep, Makes::data, false, false, false, Category::store,
     Op::compute_now},
    {Op::compute_now, "compute_now", Need::value, Makes::values, false, false, false,
     Category::none},
    {Op::call, "call", Need::nothing, Makes::data, false, false, false, Category::task},
    {Op::leaf, "leaf", Need::deep, Makes::data, false, true, false, Category::task, Op::leaf_now},
    {Op::leaf_now, "leaf_now", Need::value, Makes::values, false, true, false, Category::none},
    {Op::size, "size", Need::closed, Makes::data, true, false, false, Category::load},
    {Op::contains, "contains", Need::closed, Makes::data, true, false, false, Category::lookup},
    {Op::exists, "exists", Need::presence, Makes::data, false, false, false, Category::lookup},
    {Op::file_name, "file_name", Need::name, Makes::data, true, false, false, Category::load},
    {Op::map_file, "map_file", Need::deep, Makes::changes, false, false, false, Category::store},
    {Op::append, "append", Need::closed, Makes::changes, false, false, false, Category::insert},
    {Op::update, "update", Need::deep, Makes::changes, false, false, false, Category::store},
    {Op::next, "next", Need::nothing, Makes::data, false, false, false, Category::task},
}};

constexpr bool table_is_in_order() {
    for (std::size_t i = 0; i < op_count; ++i)
        if (table[i].op != static_cast<Op>(i)) return false;
    return true;
}
static_assert(table_is_in_order(), "traits_of() indexes the table by Op");

[[nodiscard]] constexpr const Traits& traits_of(Op op) {
    return table[static_cast<std::size_t>(op)];
}
/// Without a task of its own.
[[nodiscard]] constexpr bool runs_where_it_stands(Op op) {
    return traits_of(op).makes == Makes::values || traits_of(op).need == Need::value;
}
/// The task makes its call: what lets others start must not move behind it, and no call behind another.
[[nodiscard]] constexpr bool calls_where_it_stands(Op op) {
    return traits_of(op).long_running && runs_where_it_stands(op);
}
/// What messages call it.
[[nodiscard]] constexpr std::string_view in_words(Op op) {
    if (op == Op::map_file) return "naming of a file";
    return op == Op::file_name ? "name of a file" : traits_of(op).name;
}

}  // namespace refrain::script::ir
