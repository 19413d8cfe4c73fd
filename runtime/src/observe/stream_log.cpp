#include "observe/stream_log.hpp"

#include "page/run_data.hpp"
#include "refrain/error.hpp"

#include <cstdio>

namespace refrain::observe {
namespace {

constexpr std::string_view mark = "# The operations of a run, for `refrain mine`";
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

StreamLog::StreamLog(const std::string& file, bool force) : name_(file) {
    try {
        file_ = std::make_unique<base::OutputFile>(
            file, base::OutputFile::Policy{.mark = mark, .force = force});
    } catch (const base::OutputError& why) {
        throw page::cannot_write(file, "log-stream", why);
    }
    write(mark);
    write(
        " and `refrain report`. A line that begins\n"
        "# with \"# 0x\" says which launch the token stands for.\n");
}

StreamLog::~StreamLog() {
    if (failed_) return;
    try {
        file_->commit();
    } catch (const base::OutputError& why) {
        tell_of(why);
    }
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
    write({line, sizeof line});
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
    write(line);
}

void StreamLog::manually_traced() {
    write(".\n");
    waited_ = false;
}

void StreamLog::wait() {
    if (!waited_) write("?\n");
    waited_ = true;
}

void StreamLog::write(std::string_view text) {
    if (failed_) return;
    try {
        file_->write(text);
    } catch (const base::OutputError& why) {
        tell_of(why);
    }
}

void StreamLog::tell_of(const base::OutputError& why) {
    failed_ = true;
    std::fprintf(stderr,
                 "refrain: option log-stream: writing '%s' failed: %s; the file is not written\n",
                 name_.c_str(), why.what());
}

}  // namespace refrain::observe
