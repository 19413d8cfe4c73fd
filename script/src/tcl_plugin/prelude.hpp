#pragma once

#include <string_view>

namespace refrain::script::tcl {

extern const std::string_view prelude_tcl;  // the file, embedded by the build

}  // namespace refrain::script::tcl
