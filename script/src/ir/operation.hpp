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

struct Traits {
    Op op;
    std::string_view name;
    Need need;                    // of its inputs
    bool pure;                    // same inputs, same outputs, nothing else happens
    bool long_running;            // runs on a worker, which serves nobody meanwhile
    bool makes_values;            // its outputs are local values; else data
    std::optional<Op> immediate;  // its twin on local values, which runs where it stands
    Category category;
};

/// The one table about operations: passes, verifier, interpreter and back end ask it.
inline constexpr std::array<Traits, op_count> table = {{
    {Op::copy, "copy", Need::closed, true, false, false, Op::store, Category::store},
    {Op::store, "store", Need::value, true, false, false, std::nullopt, Category::store},
    {Op::load, "load", Need::nothing, true, false, true, std::nullopt, Category::load},
    {Op::compute, "compute", Need::deep, false, false, false, Op::compute_now, Category::store},
    {Op::compute_now, "compute_now", Need::value, false, false, true, std::nullopt, Category::none},
    {Op::call, "call", Need::nothing, false, false, false, std::nullopt, Category::task},
    {Op::leaf, "leaf", Need::deep, false, true, false, Op::leaf_now, Category::task},
    {Op::leaf_now, "leaf_now", Need::value, false, true, true, std::nullopt, Category::none},
    {Op::size, "size", Need::closed, true, false, false, std::nullopt, Category::load},
    {Op::contains, "contains", Need::closed, true, false, false, std::nullopt, Category::lookup},
    {Op::exists, "exists", Need::presence, false, false, false, std::nullopt, Category::lookup},
    {Op::file_name, "file_name", Need::name, true, false, false, std::nullopt, Category::load},
    {Op::map_file, "map_file", Need::deep, true, false, false, std::nullopt, Category::store},
    {Op::append, "append", Need::closed, false, false, false, std::nullopt, Category::insert},
    {Op::update, "update", Need::deep, false, false, false, std::nullopt, Category::store},
    {Op::next, "next", Need::nothing, false, false, false, std::nullopt, Category::task},
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
/// What messages call it.
[[nodiscard]] constexpr std::string_view in_words(Op op) {
    if (op == Op::map_file) return "naming of a file";
    return op == Op::file_name ? "name of a file" : traits_of(op).name;
}

}  // namespace refrain::script::ir
