#pragma once

#include <string_view>

namespace refrain::script {

/// What kind of mistake a message is about: for editors and other programs, which may name, count or mute kinds. A kind keeps its
/// name for good; messages of it may be worded anew.
struct Code {
    std::string_view name;
    friend bool operator==(const Code&, const Code&) = default;
};

/// All kinds; docs/editors.md says what each means.
namespace code {
inline constexpr Code syntax{"syntax"};
inline constexpr Code preprocessor{"preprocessor"};
inline constexpr Code unknown_name{"unknown-name"};
inline constexpr Code missing_import{"missing-import"};
inline constexpr Code duplicate_name{"duplicate-name"};
inline constexpr Code wrong_use{"wrong-use"};
inline constexpr Code type_mismatch{"type-mismatch"};
inline constexpr Code wrong_call{"wrong-call"};
inline constexpr Code ambiguous_call{"ambiguous-call"};
inline constexpr Code overload{"overload"};
inline constexpr Code parameter{"parameter"};
inline constexpr Code not_assignable{"not-assignable"};
inline constexpr Code assigned_twice{"assigned-twice"};
inline constexpr Code never_assigned{"never-assigned"};
inline constexpr Code waits_for_itself{"waits-for-itself"};
inline constexpr Code annotation{"annotation"};
inline constexpr Code loop{"loop"};
inline constexpr Code foreign_function{"foreign-function"};
inline constexpr Code maybe_assigned_twice{"maybe-assigned-twice"};
inline constexpr Code maybe_unassigned{"maybe-unassigned"};
inline constexpr Code unused{"unused"};
inline constexpr Code unused_output{"unused-output"};
inline constexpr Code no_effect{"no-effect"};
inline constexpr Code inexact{"inexact"};
inline constexpr Code deprecated{"deprecated"};
}  // namespace code

}  // namespace refrain::script
