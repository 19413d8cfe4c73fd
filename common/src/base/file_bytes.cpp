#include "base/file_bytes.hpp"

#include <cerrno>
#include <unistd.h>

namespace refrain::base {

bool write_file_bytes(int file, std::string_view bytes, off_t at) {
    while (!bytes.empty()) {
        const ssize_t written = pwrite(file, bytes.data(), bytes.size(), at);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
        at += written;
    }
    return true;
}

std::optional<std::string> read_file_bytes(int file, off_t from, off_t to) {
    std::string bytes(static_cast<std::size_t>(to - from), '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t read =
            pread(file, bytes.data() + done, bytes.size() - done, from + static_cast<off_t>(done));
        if (read < 0 && errno == EINTR) continue;
        if (read < 0) return std::nullopt;
        if (read == 0) break;
        done += static_cast<std::size_t>(read);
    }
    bytes.resize(done);
    return bytes;
}

}  // namespace refrain::base
