#include "observe/stream_log.hpp"

#include "refrain/error.hpp"

#include <cstring>

namespace refrain::observe {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
constexpr std::size_t token_letters = 34;  // 0x and 32 digits

void print_half(std::uint64_t half, char* at) {
    constexpr const char* digits = "0123456789abcdef";
    for (int i = 15; i >= 0; --i, half >>= 4) at[i] = digits[half & 15];
}

void print_token(const base::Hash128& token, char* at) {
    at[0] = '0';
    at[1] = 'x';
    print_half(token.high, at + 2);
    print_half(token.low, at + 18);
}

}  // namespace

StreamLog::StreamLog(const std::string& file) : name_(file), file_(std::fopen(file.c_str(), "wb")) {
    if (file_ == nullptr)
        throw UsageError("option log-stream: cannot write '" + file + "': " + std::strerror(errno) +
                         "; name a file in a folder that can be written");
    std::setvbuf(file_.get(), nullptr, _IOFBF, buffer_bytes);
    constexpr const char* head =
        "# The operations of a run, for `refrain mine` and `refrain report`. A line that begins\n"
        "# with \"# 0x\" says which launch the token stands for.\n";
    write(head, std::strlen(head));
}

StreamLog::~StreamLog() {
    if (std::fflush(file_.get()) != 0) write("", 1);  // reports the failure
}

void StreamLog::operation(const base::Hash128& token, const LaunchSite& site) {
    base::Hash128& recent = recent_[token.low % recent_count];
    if (recent != token) {
        recent = token;
        name(token, site);
    }
    char line[token_letters + 1];
    print_token(token, line);
    line[token_letters] = '\n';
    write(line, sizeof line);
    waited_ = false;
}

void StreamLog::name(const base::Hash128& token, const LaunchSite& site) {
    if (named_.size() >= names_max || !named_.insert(token).second) return;
    char text[token_letters];
    print_token(token, text);
    std::string line = "# " + std::string(text, token_letters) + ' ' + site.describe();
    for (char& letter : line)
        if (letter == '\n' || letter == '\r') letter = ' ';  // a task's name may be any text
    line += '\n';
    write(line.data(), line.size());
}

void StreamLog::manually_traced() {
    write(".\n", 2);
    waited_ = false;
}

void StreamLog::wait() {
    if (!waited_) write("?\n", 2);
    waited_ = true;
}

void StreamLog::write(const char* text, std::size_t size) {
    if (failed_ || std::fwrite(text, 1, size, file_.get()) == size) return;
    failed_ = true;
    std::fprintf(stderr,
                 "refrain: option log-stream: writing '%s' failed: %s; what follows is not in it\n",
                 name_.c_str(), std::strerror(errno));
}

}  // namespace refrain::observe
