#include "leaves/frame_socket.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

namespace refrain::script {
namespace {

constexpr std::size_t head_size = sizeof(std::uint64_t) + 1;

}  // namespace

void FrameSocket::put(char kind, std::string_view text) {
    const std::uint64_t size = text.size();
    output_.append(reinterpret_cast<const char*>(&size), sizeof size);
    output_ += kind;
    output_ += text;
}

bool FrameSocket::flush(bool all) {
    while (has_output()) {
        const ssize_t count = send(socket_, output_.data() + sent_, output_.size() - sent_,
                                   MSG_NOSIGNAL | (all ? 0 : MSG_DONTWAIT));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            if (sent_ <= output_.size() / 2) return true;
            output_.erase(0, sent_);
            sent_ = 0;
            return true;
        }
        if (count <= 0) return false;
        sent_ += static_cast<std::size_t>(count);
    }
    output_.clear();
    sent_ = 0;
    return true;
}

bool FrameSocket::fill(bool wait) {
    std::array<char, 65536> buffer;
    for (;;) {
        const ssize_t count = recv(socket_, buffer.data(), buffer.size(), wait ? 0 : MSG_DONTWAIT);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
        if (count <= 0) return false;
        input_.append(buffer.data(), static_cast<std::size_t>(count));
        return true;
    }
}

std::optional<Frame> FrameSocket::take() {
    std::uint64_t size = 0;
    if (input_.size() - taken_ >= head_size)
        std::memcpy(&size, input_.data() + taken_, sizeof size);
    if (input_.size() - taken_ < head_size + size) {
        input_.erase(0, taken_);
        taken_ = 0;
        return std::nullopt;
    }
    Frame frame{input_[taken_ + sizeof size], input_.substr(taken_ + head_size, size)};
    taken_ += head_size + size;
    return frame;
}

void FrameSocket::close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
}

}  // namespace refrain::script
