/// An operation as it is handed on: what is computed, on which views, for which line of the program.
///
///     np.add(a, b, out=c, where=m)
///     what {action ufunc, function add, types dd->d, masked}, uses {c, a, b, m}, site
///
/// Records refer to interned views; they are valid until the views are forgotten (ViewTable).
#pragma once

#include "refrain/array/site.hpp"
#include "refrain/array/ufunc.hpp"
#include "refrain/array/value_event.hpp"

#include <array>
#include <cstdint>

#include "kernels/kernels.hpp"
#include "stores/store_table.hpp"
#include "stores/view_table.hpp"

namespace refrain::array {

enum class Action : std::uint8_t {
    ufunc,       // output = function(inputs)
    assign,      // output = input, cast
    select,      // output = condition ? yes : no
    arange,      // output[i] = start + i * step; values {start, step}
    reduce,      // over `axes` of the input
    accumulate,  // along the axis
    argmin,      // along the axis
    argmax,
};

/// What is computed. Equal signatures on equal views compute the same.
struct Signature {
    Action action = Action::ufunc;
    Ufunc function = Ufunc::add;
    UfuncTypes types{};
    bool masked = false;
    bool has_initial = false;      // of a reduction: values[0]
    std::uint32_t axes = 0;        // a bit per axis of the input
    kernels::Loop loop = nullptr;  // of the function and types, if it is known already

    /// All but the axes, in 42 bits; and a number of operands above them.
    [[nodiscard]] std::uint64_t word(std::uint64_t operands = 0) const noexcept {
        return static_cast<std::uint64_t>(action) | static_cast<std::uint64_t>(function) << 8 |
               static_cast<std::uint64_t>(types.inputs[0]) << 16 |
               static_cast<std::uint64_t>(types.inputs[1]) << 24 |
               static_cast<std::uint64_t>(types.output) << 32 |
               static_cast<std::uint64_t>(masked) << 40 |
               static_cast<std::uint64_t>(has_initial) << 41 | operands << 48;
    }
    friend bool operator==(const Signature& a, const Signature& b) noexcept {
        return a.word() == b.word() && a.axes == b.axes;
    }
};

/// An operand: a view of a store, or a value where `store` is null.
struct Use {
    Store* store = nullptr;
    const View* view = nullptr;
};
/// The output, up to three inputs; the mask is the last.
inline constexpr int uses_max = 4;
/// values[i] is for uses[i + 1], of the type that the loop computes in.
using Values = std::array<std::array<std::byte, 16>, uses_max - 1>;

struct Record {
    Signature what;
    std::uint32_t use_count = 0;  // values included
    ValuePolicy policy;
    bool fails = false;  // for tests
    std::uint64_t order = 0;
    Site site;
    std::array<Use, uses_max> uses{};
    alignas(16) Values values{};
};
static_assert(sizeof(Record) <= 192, "a window of 1024 records stays in a core's cache");

/// What NumPy's warnings call it.
[[nodiscard]] inline std::string_view warned_name_of(const Signature& what) noexcept {
    switch (what.action) {
        case Action::ufunc:
            return name_of(what.function);
        case Action::reduce:
            return "reduce";
        case Action::accumulate:
            return "accumulate";
        default:
            return "cast";
    }
}

/// Where operations go. What is handed to it is in program order.
class Sink {
  public:
    virtual ~Sink() = default;
    virtual void operation(const Record& record) = 0;
    /// The program dropped its last reference to a store.
    virtual void released(const Store& store) = 0;
};

}  // namespace refrain::array
