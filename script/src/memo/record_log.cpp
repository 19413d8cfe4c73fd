#include "memo/record_log.hpp"

#include "base/file_bytes.hpp"
#include "memo/content_hash.hpp"
#include "values/script_error.hpp"
#include "values/text.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace refrain::script {
namespace {

constexpr std::string_view mark = "Refrain records 2\n";

struct Head {
    std::uint32_t bytes;
    std::uint32_t number;
    std::uint64_t checksum;
};
static_assert(sizeof(Head) == 16, "it is written as it is");

[[noreturn]] void fail(const std::string& path, const char* what) {
    throw ScriptError("cannot ", what, " '", path, "': ", std::strerror(errno));
}

std::uint64_t checksum_of(std::uint32_t number, std::string_view payload) {
    return short_hash_of(payload) ^ (std::uint64_t{number} * 0x9e3779b97f4a7c15U);
}

/// Held while the file is read on or appended to.
class FileLock {
  public:
    explicit FileLock(int file) : file_(file) {
        while (flock(file_, LOCK_EX) != 0 && errno == EINTR) {
        }
    }
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    ~FileLock() { flock(file_, LOCK_UN); }

  private:
    int file_;
};

std::uint64_t size_of(int file) {
    struct stat is {};
    return fstat(file, &is) == 0 ? static_cast<std::uint64_t>(is.st_size) : 0;
}

std::string bytes_of(int file, std::uint64_t from, std::uint64_t to, const std::string& path) {
    auto bytes = base::read_file_bytes(file, static_cast<off_t>(from), static_cast<off_t>(to));
    if (!bytes) fail(path, "read");
    return std::move(*bytes);
}

/// Whole records from `at` on; returns where they end.
std::size_t for_each_record(std::string_view bytes, std::uint64_t file_at, std::uint32_t& number,
                            const RecordLog::OnRecord& on_record) {
    std::size_t at = 0;
    while (bytes.size() - at >= sizeof(Head)) {
        Head head{};
        std::memcpy(&head, bytes.data() + at, sizeof head);
        if (head.number != number || head.bytes > bytes.size() - at - sizeof head) break;
        const std::string_view payload = bytes.substr(at + sizeof head, head.bytes);
        if (checksum_of(number, payload) != head.checksum) break;
        if (on_record) on_record(payload, file_at + at);
        at += sizeof head + head.bytes;
        ++number;
    }
    return at;
}

}  // namespace

RecordLog::RecordLog(std::string path, OnRecord on_record)
    : path_(std::move(path)), on_record_(std::move(on_record)) {
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) fail(path_, "open");
    try {
        const FileLock lock(file_);
        read_on(size_of(file_));
    } catch (...) {
        close(file_);
        throw;
    }
}

RecordLog::~RecordLog() {
    close(file_);
}

/// Reads what lies between what is known and `size`, and cuts what is no record.
void RecordLog::read_on(std::uint64_t size) {
    if (end_ == 0) {
        const std::string first =
            bytes_of(file_, 0, std::min<std::uint64_t>(size, mark.size()), path_);
        if (first != mark.substr(0, first.size()))
            throw ScriptError("'" + path_ + "' is no file of records of this version");
        if (first.size() < mark.size()) {  // new, or torn at its very beginning
            cut_bytes_ += first.size();
            if (!base::write_file_bytes(file_, mark, 0)) fail(path_, "write");
            size = mark.size();
        }
        end_ = mark.size();
    }
    if (size <= end_) return;
    const std::string bytes = bytes_of(file_, end_, size, path_);
    end_ += for_each_record(bytes, end_, records_, on_record_);
    if (end_ == size) return;
    cut_bytes_ += size - end_;
    if (ftruncate(file_, static_cast<off_t>(end_)) != 0) fail(path_, "cut");
}

std::uint64_t RecordLog::append(std::string_view payload) {
    const std::lock_guard guard(mutex_);
    const FileLock lock(file_);
    const std::uint64_t size = size_of(file_);
    if (size != end_) read_on(size);
    const Head head{static_cast<std::uint32_t>(payload.size()), records_,
                    checksum_of(records_, payload)};
    std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
    bytes += payload;
    if (!base::write_file_bytes(file_, bytes, static_cast<off_t>(end_))) {
        const int why = errno;
        static_cast<void>(ftruncate(file_, static_cast<off_t>(end_)) == 0);
        errno = why;
        fail(path_, "write");
    }
    const std::uint64_t at = end_;
    end_ += bytes.size();
    ++records_;
    return at;
}

std::string RecordLog::read(std::uint64_t at) const {
    Head head{};
    const std::string first = bytes_of(file_, at, at + sizeof head, path_);
    if (first.size() < sizeof head) throw ScriptError("'" + path_ + "' has become shorter");
    std::memcpy(&head, first.data(), sizeof head);
    std::string payload = bytes_of(file_, at + sizeof head, at + sizeof head + head.bytes, path_);
    if (payload.size() < head.bytes || checksum_of(head.number, payload) != head.checksum)
        throw ScriptError("a record of '" + path_ + "' is damaged");
    return payload;
}

std::uint64_t read_records(const std::string& path, const RecordLog::OnRecord& on_record) {
    const std::optional<std::string> bytes = content_of(path);
    if (!bytes) fail(path, "read");
    if (!bytes->starts_with(mark)) {
        if (mark.starts_with(*bytes)) return bytes->size();
        throw ScriptError("'" + path + "' is no file of records of this version");
    }
    std::uint32_t number = 0;
    const std::string_view records = std::string_view(*bytes).substr(mark.size());
    return records.size() - for_each_record(records, mark.size(), number, on_record);
}

}  // namespace refrain::script
