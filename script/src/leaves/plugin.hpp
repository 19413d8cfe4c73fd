#pragma once

#include <string>

namespace refrain::script {

/// A function that a plug-in of this library exports. Plug-ins are looked for where REFRAIN_SCRIPT_PLUGINS says, beside the
/// program, and where they were installed; they stay loaded.
///
/// Errors: ScriptError that names `what` needs it and the Debian package with which it is built.
[[nodiscard]] void* plugin_symbol(const std::string& file, const char* symbol,
                                  const std::string& what, const std::string& package);

}  // namespace refrain::script
