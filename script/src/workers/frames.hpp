#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace refrain::script {

/// What the hub of a run and the process of a rank say to each other.
enum class FrameKind : std::uint8_t {
    message,  // std::vector<engine::Message>, sent at once; rank: for the ranks in them, hub: for this one
    call,       // rank: engine::CallRequest; one at a time
    outcome,    // hub: engine::CallOutcome
    print,      // rank: a text; it goes on when the hub has said `printed`
    printed,    // hub
    failed,     // rank: something has failed
    stop,       // hub: the run ends before its end
    report,     // rank: engine::RankReport; it handles nothing more
    describe,   // hub: data that messages name
    described,  // rank: engine::Descriptions
};
struct Frame {
    FrameKind kind = FrameKind::message;
    std::string text;
};

/// One end of a socket that carries frames.
class FrameSocket {
  public:
    explicit FrameSocket(int socket) : socket_(socket) {}

    [[nodiscard]] int number() const { return socket_; }
    /// Puts a frame behind those that wait to be sent.
    void put(FrameKind kind, std::string_view text);
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
