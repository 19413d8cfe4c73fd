#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// What the table of functions (events/functions.table) says, for every room: generated at build time.
namespace refrain::proxy {

/// What a parameter is; see the head of functions.table.
enum class Kind : std::uint8_t {
#define REFRAIN_KINDS
#define REFRAIN_KIND(name) name##_,
#include "events/functions.inc"
#undef REFRAIN_KIND
#undef REFRAIN_KINDS
};

/// The functions whose arguments are recorded. `by_name`: any other, of which only its name and the
/// place of the call are known.
enum class Function : std::uint16_t {
#define REFRAIN_FUNCTION_NAMES
#define REFRAIN_FUNCTION(name) name##_,
#include "events/functions.inc"
#undef REFRAIN_FUNCTION
#undef REFRAIN_FUNCTION_NAMES
    by_name,
};
inline constexpr std::size_t function_count = static_cast<std::size_t>(Function::by_name);

struct Parameter {
    const char* name;
    Kind kind;
    bool root_only;
};

struct FunctionInfo {
    const char* name;  // without MPI_
    std::vector<Parameter> parameters;
    bool collective = false;  // all ranks of the communicator, window or file call it
};

[[nodiscard]] const FunctionInfo& info(Function function);
/// Whether later calls depend on what the function makes, frees or sets: handles, windows, files, attached memory.
/// Such calls belong to a recording also where the user chose to record nothing.
[[nodiscard]] bool is_lasting(Function function);
/// `by_name` if there is none of this name.
[[nodiscard]] Function function_named(std::string_view name);

[[nodiscard]] bool is_buffer(Kind kind);
/// Known only after the call; recorded behind all others.
[[nodiscard]] bool comes_out(Kind kind);

/// The predefined datatypes and operations by number, as C spells them. New ones are appended: files
/// hold the numbers.
[[nodiscard]] std::span<const char* const> predefined_types();
[[nodiscard]] std::span<const char* const> predefined_ops();

}  // namespace refrain::proxy
