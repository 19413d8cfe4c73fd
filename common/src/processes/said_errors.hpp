#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace refrain::processes {

/// What a program has said on standard error: the last of it in memory; what came before, if it was much, in a file without a
/// name, which is gone with this process.
///
///     add("a\n"), ..., add("z\n");  tail() == "...z\n", of at most tail_max bytes;  write_to(2) writes all
///
/// What the file has no room for is left out, and write_to() says how much that was. Threads: one at a time.
class SaidErrors {
  public:
    static constexpr std::size_t tail_max = 1 << 16;

    SaidErrors() = default;
    SaidErrors(const SaidErrors&) = delete;
    SaidErrors& operator=(const SaidErrors&) = delete;
    SaidErrors(SaidErrors&& other) noexcept;
    SaidErrors& operator=(SaidErrors&& other) noexcept;
    ~SaidErrors();

    void add(std::string_view part);
    [[nodiscard]] bool empty() const { return tail_.empty(); }
    [[nodiscard]] const std::string& tail() const { return tail_; }
    /// As far as the file takes it.
    void write_to(int file) const;
    void write_to(const std::string& path) const;

  private:
    void move_to_file(std::size_t bytes);

    std::string tail_;
    int file_ = -1;
    std::uint64_t left_out_ = 0;  // bytes, between those in the file and the tail
};

}  // namespace refrain::processes
