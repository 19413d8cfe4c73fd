#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

/// Files of blocks: each has a version and a checksum, so that what is damaged is found before it is used.
///
///     "RFNPROXY" version | tag length payload checksum | ... | end block
///
/// Numbers within a payload have variable length: seven bits per byte, the lowest first.
namespace refrain::proxy {

/// A file that cannot be read; the message names file, offset and what is wrong there.
class DamagedFile : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

inline constexpr std::uint8_t file_version = 10;

class BlockWriter {
  public:
    BlockWriter();

    void number(std::uint64_t value);
    void signed_number(std::int64_t value);
    void text(std::string_view text);
    void real(double value) { signed_number(static_cast<std::int64_t>(value * 1e9)); }
    /// Ends the block that was written since the last call.
    void end_block(char tag);
    /// The whole file.
    [[nodiscard]] std::string finish();

  private:
    std::string file_, payload_;
};

class BlockReader {
  public:
    /// `file` outlives the reader; `name` is for messages.
    /// Errors: DamagedFile
    BlockReader(std::string_view file, std::string name);

    /// Enters the next block, which has this tag.
    void begin_block(char tag);
    /// Everything in the block has been read.
    void end_block();
    /// Nothing follows.
    void finish();

    [[nodiscard]] std::uint64_t number();
    [[nodiscard]] std::int64_t signed_number();
    /// A number of things that have at least `bytes_each` bytes in this block.
    [[nodiscard]] std::size_t count(std::size_t bytes_each = 1);
    /// A number below `bound`.
    [[nodiscard]] std::size_t below(std::size_t bound, const char* what);
    [[nodiscard]] std::string text();
    [[nodiscard]] double real() { return static_cast<double>(signed_number()) * 1e-9; }

    [[noreturn]] void fail(const std::string& what) const;

  private:
    [[nodiscard]] std::uint64_t word();

    std::string_view file_;
    std::string name_;
    std::size_t at_ = 0;
    std::size_t block_end_ = 0;
};

/// Errors: std::runtime_error, with the name of the file.
[[nodiscard]] std::string read_whole_file(const std::string& name);
/// Writes a new file and renames it, so that whatever was there is whole or replaced. False, with errno,
/// if that fails.
[[nodiscard]] bool replace_file(const std::string& name, std::string_view content);

}  // namespace refrain::proxy
