#include "base/output_file.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace refrain::base {
namespace {

constexpr std::size_t mark_within_bytes = 4096;
constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

[[noreturn]] void fail() {
    throw OutputError(std::strerror(errno));
}

/// Nothing, with errno, if there is none.
std::optional<struct stat> status_of(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return std::nullopt;
    return status;
}

/// Where the links lead, also if nothing is there. A pipe is reached only by links of the system, such
/// as /dev/stdout: these lead to "pipe:[17]".
std::string resolved(const std::string& path) {
    if (const auto status = status_of(path); status && !S_ISREG(status->st_mode)) return path;
    constexpr int links_max = 40;
    std::filesystem::path at = path;
    std::error_code ignored;
    for (int i = 0; i < links_max && std::filesystem::is_symlink(at, ignored); ++i) {
        const std::filesystem::path to = std::filesystem::read_symlink(at, ignored);
        at = to.is_absolute() ? to : at.parent_path() / to;
    }
    return at.string();
}

/// Throws unless a file can be made there. After status_of(target), which has found none.
void check_folder_of(const std::string& target) {
    if (errno != ENOENT) fail();
    const std::filesystem::path folder = std::filesystem::path(target).parent_path();
    if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) fail();
}

bool is_ours(const std::string& path, std::string_view mark) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               &std::fclose);
    if (file == nullptr) return false;
    std::array<char, mark_within_bytes> begin;
    const std::size_t size = std::fread(begin.data(), 1, begin.size(), file.get());
    return !mark.empty() && std::string_view(begin.data(), size).find(mark) != std::string::npos;
}

/// Creates a file that did not exist.
int create_beside(const std::string& target, std::string& name) {
    static std::atomic<unsigned> made{0};
    constexpr mode_t all_may = 0666;  // without what umask takes
    while (true) {
        name = target + '.' + std::to_string(getpid()) + '-' +
               std::to_string(made.fetch_add(1, std::memory_order_relaxed)) + ".tmp";
        const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, all_may);
        if (file >= 0 || errno != EEXIST) return file;
    }
}

bool take_over(int file, const struct stat& from) {
    struct stat own {};
    if (fstat(file, &own) != 0) return false;
    const bool same_owner = own.st_uid == from.st_uid && own.st_gid == from.st_gid;
    if (!same_owner && fchown(file, from.st_uid, from.st_gid) != 0) return false;
    return fchmod(file, from.st_mode & 07777U) == 0;
}

}  // namespace

void OutputFile::check(const std::string& path, const Policy& policy) {
    const std::string target = resolved(path);
    const auto status = status_of(target);
    if (!status) return check_folder_of(target);
    if (S_ISDIR(status->st_mode)) throw OutputError(std::strerror(EISDIR));
    if (access(target.c_str(), W_OK) != 0) fail();  // read-only stays so
    if (policy.force || !S_ISREG(status->st_mode) || status->st_size == 0 ||
        is_ours(target, policy.mark))
        return;
    throw OutputError("it exists, and Refrain did not write it");
}

OutputFile::OutputFile(const std::string& path, const Policy& policy) : target_(resolved(path)) {
    check(target_, policy);
    const auto status = status_of(target_);
    const bool in_place = status && (!S_ISREG(status->st_mode) || status->st_nlink > 1);
    if (!in_place) open_beside();
    if (file_ == nullptr) file_.reset(std::fopen(target_.c_str(), "wb"));
    if (file_ == nullptr) fail();
    std::setvbuf(file_.get(), nullptr, _IOFBF, buffer_bytes);
}

/// Leaves file_ null where the file is to be written in place.
void OutputFile::open_beside() {
    const auto status = status_of(target_);
    std::string name;
    const int file = create_beside(target_, name);
    if (file < 0) return;
    beside_ = name;
    if (!status || take_over(file, *status)) file_.reset(fdopen(file, "wb"));
    if (file_ != nullptr) return;
    close(file);
    unlink(std::exchange(beside_, {}).c_str());
}

OutputFile::~OutputFile() {
    if (file_ != nullptr && !beside_.empty()) unlink(beside_.c_str());
}

void OutputFile::write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail();
}

void OutputFile::commit() {
    if (std::fflush(file_.get()) != 0) fail();
    if (!beside_.empty() && std::rename(beside_.c_str(), target_.c_str()) != 0) fail();
    file_.reset();
}

void write_output(const std::string& path, std::string_view text,
                  const OutputFile::Policy& policy) {
    OutputFile file(path, policy);
    file.write(text);
    file.commit();
}

}  // namespace refrain::base
