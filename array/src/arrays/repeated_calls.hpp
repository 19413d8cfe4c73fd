/// Calls of functions of two arrays, by what the operands look like: what a call like an earlier one need not
/// find out again.
///
///     x + y    x and y float64 of shape (1000,), row-major: the result is one more, the loop that of doubles
///
/// Only calls without options whose operands have one shape, of rank 1 and more: their types do not depend on
/// values, and nothing is broadcast or copied.
///
/// Hot path: a call found here makes no other look-up on its way to the record, which is kept, too; only stores, line
/// and number differ from call to call. tools/bench arrays (record_ns) guards it.
/// Threads: the launching thread.
#pragma once

#include "refrain/array/array.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include "stores/record.hpp"
#include "stores/store_table.hpp"

namespace refrain::array {

class RepeatedCalls {
  public:
    struct Call {
        Record record;  // without stores; its views are valid in generation `views_age`
        StoreForm* forms[2] = {};
        Layout layouts[2];
        StoreForm* result_form = nullptr;
        Layout result_layout;
        std::uint64_t age = 0;
        std::uint64_t views_age = 0;
        std::int64_t cost = 0;
        bool is_launched = false;  // it has elements, and is too large to be computed at once
    };
    /// Where the call is or belongs.
    [[nodiscard]] Call& place_of(Ufunc function, const Array& a, const Array& b) noexcept {
        const auto form = reinterpret_cast<std::uintptr_t>(a.store().form);
        const auto offsets = static_cast<std::uint64_t>(a.layout().offset) * 3 +
                             static_cast<std::uint64_t>(b.layout().offset);
        return calls_[mixed(form + offsets, static_cast<std::uint64_t>(function)) % calls_.size()];
    }
    /// `forms_age`: of the store table; forms with another one may be gone.
    [[nodiscard]] static bool holds(const Call& call, Ufunc function, const Array& a,
                                    const Array& b, std::uint64_t forms_age) noexcept {
        return call.age == forms_age && call.record.what.function == function &&
               call.forms[0] == a.store().form && call.forms[1] == b.store().form &&
               call.layouts[0] == a.layout() && call.layouts[1] == b.layout();
    }

  private:
    std::array<Call, 64> calls_;
};

}  // namespace refrain::array
