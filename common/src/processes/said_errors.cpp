#include "processes/said_errors.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace refrain::processes {
namespace {

/// False if not all could be written.
bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

int file_without_name() {
    const char* const folder = std::getenv("TMPDIR");
    std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/refrain-XXXXXX";
    const int file = mkostemp(path.data(), O_CLOEXEC);
    if (file >= 0) unlink(path.c_str());
    return file;
}

}  // namespace

SaidErrors::SaidErrors(SaidErrors&& other) noexcept
    : tail_(std::exchange(other.tail_, {})),
      file_(std::exchange(other.file_, -1)),
      left_out_(std::exchange(other.left_out_, 0)) {}

SaidErrors& SaidErrors::operator=(SaidErrors&& other) noexcept {
    std::swap(tail_, other.tail_);
    std::swap(file_, other.file_);
    std::swap(left_out_, other.left_out_);
    return *this;
}

SaidErrors::~SaidErrors() {
    if (file_ >= 0) close(file_);
}

void SaidErrors::add(std::string_view part) {
    tail_ += part;
    if (tail_.size() > 2 * tail_max) move_to_file(tail_.size() - tail_max);
}

/// Once a part has been left out, so is all that follows it.
void SaidErrors::move_to_file(std::size_t bytes) {
    if (file_ < 0 && left_out_ == 0) file_ = file_without_name();
    const bool takes = file_ >= 0 && left_out_ == 0;
    const off_t before = takes ? lseek(file_, 0, SEEK_CUR) : 0;
    if (!takes || !write_all(file_, std::string_view(tail_).substr(0, bytes))) {
        left_out_ += bytes;
        if (takes && ftruncate(file_, before) != 0) close(std::exchange(file_, -1));
    }
    tail_.erase(0, bytes);
}

void SaidErrors::write_to(int file) const {
    std::array<char, 65536> part;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    bool well = true;
    ssize_t size = 0;
    for (off_t at = 0;
         well && file_ >= 0 && (size = pread(file_, part.data(), part.size(), at)) > 0; at += size)
        well = write_all(file, {part.data(), static_cast<std::size_t>(size)});
    if (well && left_out_ != 0)
        well = write_all(file, "\n[" + std::to_string(left_out_) + " bytes are left out here]\n");
    if (well) static_cast<void>(write_all(file, tail_));
}

void SaidErrors::write_to(const std::string& path) const {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return;
    write_to(file);
    close(file);
}

}  // namespace refrain::processes
