#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace refrain::script {

/// An append-only file of records. Each has its length and a checksum; a record that a kill or a full disk has torn is
/// the last one, and is cut when the file is opened next.
///
///     "Refrain records 2\n"  { bytes u32 | number of the record u32 | checksum u64 | payload }*
///
/// Several processes may append to one file: each appends under a lock, behind what others have appended meanwhile.
///
/// Errors:  ScriptError if the file cannot be opened, read or written, or is none of ours.
/// Threads: any.
class RecordLog {
  public:
    /// Called with each record and where it begins: at once for those that are there, and during append() for those of
    /// other processes.
    using OnRecord = std::function<void(std::string_view payload, std::uint64_t at)>;

    RecordLog(std::string path, OnRecord on_record);
    RecordLog(const RecordLog&) = delete;
    RecordLog& operator=(const RecordLog&) = delete;
    ~RecordLog();

    /// Returns where the record begins. At an error the file is as before.
    std::uint64_t append(std::string_view payload);
    [[nodiscard]] std::string read(std::uint64_t at) const;
    /// Bytes of a torn tail that opening has cut.
    [[nodiscard]] std::uint64_t cut_bytes() const { return cut_bytes_; }
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    void read_on(std::uint64_t size);

    std::string path_;
    OnRecord on_record_;
    int file_ = -1;
    std::mutex mutex_;
    std::uint64_t end_ = 0;      // of what is known
    std::uint32_t records_ = 0;  // before it
    std::uint64_t cut_bytes_ = 0;
};

/// Reads a file without changing it. Returns the bytes of its torn tail. Errors: as above.
std::uint64_t read_records(const std::string& path, const RecordLog::OnRecord& on_record);

}  // namespace refrain::script
