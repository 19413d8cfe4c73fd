#include "events/block_file.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace refrain::proxy {
namespace {

constexpr std::string_view magic = "RFNPROXY";
constexpr char end_tag = 'Z';

std::uint64_t checksum(std::string_view bytes) {
    base::Hasher hasher(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
        hasher.add(word);
    }
    return hasher.finish().low;
}

void append_word(std::string& text, std::uint64_t word) {
    for (int i = 0; i < 8; ++i) text += static_cast<char>(word >> (8 * i) & 0xff);
}

}  // namespace

BlockWriter::BlockWriter() : file_(magic) {
    file_ += static_cast<char>(file_version);
}

void BlockWriter::number(std::uint64_t value) {
    for (; value >= 128; value >>= 7) payload_ += static_cast<char>(value | 128);
    payload_ += static_cast<char>(value);
}

void BlockWriter::signed_number(std::int64_t value) {
    number(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
}

void BlockWriter::text(std::string_view text) {
    number(text.size());
    payload_ += text;
}

void BlockWriter::end_block(char tag) {
    const std::size_t begin = file_.size();
    file_ += tag;
    append_word(file_, payload_.size());
    file_ += payload_;
    append_word(file_, checksum(std::string_view(file_).substr(begin)));
    payload_.clear();
}

std::string BlockWriter::finish() {
    end_block(end_tag);
    return std::exchange(file_, std::string());
}

BlockReader::BlockReader(std::string_view file, std::string name)
    : file_(file), name_(std::move(name)) {
    if (!file_.starts_with(magic)) fail("is no recording of refrain proxy");
    at_ = magic.size();
    if (at_ == file_.size()) fail("ends after its first bytes");
    const auto version = static_cast<std::uint8_t>(file_[at_]);
    if (version != file_version)
        fail("has version " + std::to_string(version) + ", and this program reads version " +
             std::to_string(file_version) +
             (version < file_version ? "; record again" : "; a later refrain proxy reads it"));
    block_end_ = ++at_;
}

void BlockReader::begin_block(char tag) {
    const std::size_t begin = at_;
    if (file_.size() - at_ < 17) fail("ends within a block");
    const char found = file_[at_++];
    const std::uint64_t length = word();
    if (length > file_.size() - at_ - 8) fail("ends within a block");
    const std::size_t payload = at_;
    at_ += static_cast<std::size_t>(length);
    const std::uint64_t expected = checksum(file_.substr(begin, at_ - begin));
    if (word() != expected) {
        at_ = begin;
        fail("has been altered: the checksum of this block differs");
    }
    at_ = begin;
    if (found != tag) fail(std::string("has a block '") + found + "' in place of '" + tag + "'");
    at_ = payload;
    block_end_ = payload + static_cast<std::size_t>(length);
}

void BlockReader::end_block() {
    if (at_ != block_end_) fail("has more in this block than belongs there");
    at_ += 8;
    block_end_ = at_;
}

void BlockReader::finish() {
    begin_block(end_tag);
    end_block();
    if (at_ != file_.size()) fail("goes on after its end");
}

std::uint64_t BlockReader::word() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i)
        value |= std::uint64_t{static_cast<std::uint8_t>(file_[at_++])} << (8 * i);
    return value;
}

std::uint64_t BlockReader::number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (at_ >= block_end_) fail("has a number that goes beyond its block");
        const auto byte = static_cast<std::uint8_t>(file_[at_++]);
        value |= std::uint64_t{byte & 127u} << shift;
        if (byte < 128) return value;
    }
    fail("has a number with more than 64 bits");
}

std::int64_t BlockReader::signed_number() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
}

std::size_t BlockReader::count(std::size_t bytes_each) {
    const std::uint64_t value = number();
    if (value > (block_end_ - at_) / bytes_each) fail("claims more than its block can hold");
    return static_cast<std::size_t>(value);
}

std::size_t BlockReader::below(std::size_t bound, const char* what) {
    const std::uint64_t value = number();
    if (value >= bound)
        fail(std::string("names ") + what + " " + std::to_string(value) + " of " +
             std::to_string(bound));
    return static_cast<std::size_t>(value);
}

std::string BlockReader::text() {
    const std::size_t length = count();
    std::string result(file_.substr(at_, length));
    at_ += length;
    return result;
}

void BlockReader::fail(const std::string& what) const {
    throw DamagedFile("'" + name_ + "' " + what + " (at byte " + std::to_string(at_) + ")");
}

std::string read_whole_file(const std::string& name) {
    if (auto content = base::content_of(name)) return std::move(*content);
    throw std::runtime_error("cannot read '" + name + "': " + std::strerror(errno));
}

bool replace_file(const std::string& name, std::string_view content) {
    const std::string part = name + ".part";
    std::FILE* file = std::fopen(part.c_str(), "wb");
    if (file == nullptr) return false;
    bool good = std::fwrite(content.data(), 1, content.size(), file) == content.size();
    good = std::fflush(file) == 0 && good;
    good = std::fclose(file) == 0 && good;
    if (good && std::rename(part.c_str(), name.c_str()) == 0) return true;
    const int reason = errno;
    std::remove(part.c_str());
    errno = reason;
    return false;
}

}  // namespace refrain::proxy
