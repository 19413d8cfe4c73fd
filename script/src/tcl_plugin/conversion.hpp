#pragma once

#include "values/type.hpp"
#include "values/value.hpp"

#include <string>
#include <tcl.h>

namespace refrain::script::tcl {

[[nodiscard]] Tcl_Obj* text_object(const std::string& text);
[[nodiscard]] std::string text_of_object(Tcl_Obj* object);

/// Scalars as text, arrays and structs as dictionaries, bags as lists, files as {path count}, blobs as {pointer length}.
[[nodiscard]] Tcl_Obj* to_tcl(const Value& value, const Type& type);

/// The inverse. `what` names the value in messages. Errors: ScriptError.
[[nodiscard]] Value from_tcl(Tcl_Obj* object, const Type& type, const std::string& what);

}  // namespace refrain::script::tcl
