/// Reads what `refrain proxy` recorded.
///
///     refrain::proxy::RecordingFile file("run.rpx");
///     file.for_each_call(0, [](std::string_view call, std::uint64_t times) {
///         std::cout << times << " x " << call << '\n';
///         return true;                     // go on
///     });
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace refrain::proxy {

/// A merged recording of an MPI run.
class RecordingFile {
  public:
    /// Errors: std::runtime_error if the file cannot be read or is damaged; the message names file and
    ///         offset.
    explicit RecordingFile(const std::string& file);
    RecordingFile(RecordingFile&&) noexcept;
    RecordingFile& operator=(RecordingFile&&) noexcept;
    RecordingFile(const RecordingFile&) = delete;
    RecordingFile& operator=(const RecordingFile&) = delete;
    ~RecordingFile();

    [[nodiscard]] std::uint32_t ranks() const;
    /// Whether all ranks reached MPI_Finalize.
    [[nodiscard]] bool complete() const;
    /// How many calls a rank made; below `ranks()`.
    [[nodiscard]] std::uint64_t calls(std::uint32_t rank) const;

    /// Calls `use(text, times)` for the calls of a rank, in order, equal ones in a row at once, until it
    /// returns false. Ranks in the text are absolute. Of several threads that called at once, those of the first one first;
    /// texts of others begin with "thread 1: ".
    ///
    /// Complexity: memory of the rules' depth, however many calls there are.
    void for_each_call(std::uint32_t rank,
                       const std::function<bool(std::string_view, std::uint64_t)>& use) const;

  private:
    struct Content;
    std::unique_ptr<Content> content_;
};

}  // namespace refrain::proxy
