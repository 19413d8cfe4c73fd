#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace refrain::script {

/// What processes of a run say to each other: 8 bytes of size, one of kind, and the text.
struct Frame {
    char kind = 0;  // as the two agree
    std::string text;
};

/// One end of a socket that carries frames.
class FrameSocket {
  public:
    explicit FrameSocket(int socket) : socket_(socket) {}

    [[nodiscard]] int number() const { return socket_; }
    /// Puts a frame behind those that wait to be sent.
    void put(char kind, std::string_view text);
    [[nodiscard]] bool has_output() const { return sent_ < output_.size(); }
    /// Sends what the socket takes; with `all`, waits until it has taken everything. False if the other end is gone.
    bool flush(bool all);
    /// Reads what is there; with `wait`, something at least. False at the end.
    bool fill(bool wait);
    [[nodiscard]] std::optional<Frame> take();
    void close();

  private:
    int socket_;
    std::string output_;
    std::size_t sent_ = 0;
    std::string input_;
    std::size_t taken_ = 0;
};

}  // namespace refrain::script
