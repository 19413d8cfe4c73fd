#pragma once

#include <string_view>

/// The files of servers/, embedded by the build (cmake/RefrainEmbed.cmake): what runs in the interpreters of other languages.
namespace refrain::script {

extern const std::string_view python_server_py;
extern const std::string_view r_server_R;

}  // namespace refrain::script
