#pragma once

#include "typing/catalogue.hpp"

#include <map>
#include <string>
#include <vector>

namespace refrain::script {

/// A function chosen for a call, with its type variables bound.
struct Match {
    const Signature* function = nullptr;
    std::map<std::string, Type> bindings;
    /// What each argument is converted to.
    std::vector<Type> inputs;

    [[nodiscard]] Type bound(const Type& type) const;
};

/// Chooses among functions of one name. An int may become a float where only one function fits.
///
/// Errors: Rejection: says what each candidate expects, where it is declared, and the way out.
[[nodiscard]] Match choose_overload(const std::vector<const Signature*>& candidates,
                                    const std::vector<Type>& arguments, const std::string& name,
                                    Position at);

/// How a value of one type becomes one of another.
enum class Conversion : std::uint8_t { none, same, widened, int_to_float };
/// `bindings` are the type variables met so far.
[[nodiscard]] Conversion conversion(const Type& from, const Type& to,
                                    std::map<std::string, Type>& bindings);
[[nodiscard]] Conversion conversion(const Type& from, const Type& to);
/// How a script converts one to the other; empty if no function does.
[[nodiscard]] std::string way_out(const Type& from, const Type& to);

}  // namespace refrain::script
