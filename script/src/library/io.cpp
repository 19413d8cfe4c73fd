/// `import io;`.

#include "library/modules.hpp"
#include "values/format.hpp"
#include "values/text.hpp"

namespace refrain::script {
namespace io_module {
namespace {

/// printf ends its line, unless TURBINE_PRINTF_NL=0.
const char* line_end() {
    return setting("TURBINE_PRINTF_NL") == "0" ? "" : "\n";
}
Value print(In in, Services& services) {
    services.print(format_values(in[0].string(), in.subspan(1)) + line_end());
    return Void{};
}

constexpr Builtin all[] = {
    {"(void o) printf(string fmt, int|float|string|boolean... args)", print, false},
};

}  // namespace
}  // namespace io_module

const std::span<const Builtin> io_functions = io_module::all;

}  // namespace refrain::script
