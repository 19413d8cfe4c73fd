#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace refrain::base {

/// Writes all of it there, whatever the system takes at a time. False, with errno, if it does not take all.
[[nodiscard]] bool write_file_bytes(int file, std::string_view bytes, off_t at);
/// What is there from one byte to another; less at the end of the file. Nothing, with errno, if it cannot be read.
[[nodiscard]] std::optional<std::string> read_file_bytes(int file, off_t from, off_t to);

}  // namespace refrain::base
