#include "archives/archive.hpp"

#include "refrain/detail/sanitizers.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "sample_traces.hpp"

#if defined(REFRAIN_ADDRESS_SANITIZER)
/// For all tests of this program: OTF2 3.0 frees nothing of an archive that it then cannot open.
extern "C" const char* __lsan_default_suppressions() {
    return "leak:otf2_archive_open\nleak:otf2_file_posix_open\n";
}
#endif

namespace refrain::proxy::archive_test {
namespace {

namespace fs = std::filesystem;

struct Folder {
    Folder() {
        std::string name = (fs::temp_directory_path() / "refrain-otf2-XXXXXX").string();
        path = mkdtemp(name.data());
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { fs::remove_all(path); }
    [[nodiscard]] std::string anchor() const { return path + "/traces.otf2"; }
    std::string path;
};

TEST(Archive, what_was_written_is_read) {
    const Folder folder;
    const Recording recording = testing::mixed_run();
    EXPECT_EQ(write_archive(recording, folder.path), std::vector<std::string>());
    const Trace found = read_archive(folder.anchor()), written = testing::trace_of(recording);
    ASSERT_EQ(found.communicators.size(), written.communicators.size());
    for (std::size_t i = 0; i < found.communicators.size(); ++i) {
        EXPECT_EQ(found.communicators[i].name, written.communicators[i].name);
        EXPECT_EQ(found.communicators[i].self, written.communicators[i].self);
        if (!found.communicators[i].self) {
            EXPECT_EQ(found.communicators[i].members, written.communicators[i].members);
        }
    }
    ASSERT_EQ(found.ranks.size(), 2u);
    for (const std::size_t rank : {0u, 1u}) {
        ASSERT_EQ(found.ranks[rank].size(), written.ranks[rank].size());
        for (std::size_t i = 0; i < found.ranks[rank].size(); ++i) {
            const TraceCall &a = found.ranks[rank][i], &b = written.ranks[rank][i];
            EXPECT_EQ(a.function, b.function);
            EXPECT_NEAR(a.end - a.begin, b.end - b.begin, 2e-9);
            std::vector<TraceRecord> records = b.records;
            // How communicators are made and freed is known by the functions alone.
            std::erase_if(records, [](const TraceRecord& each) {
                return each.kind == TraceRecord::Kind::make_communicator ||
                       each.kind == TraceRecord::Kind::free_communicator;
            });
            EXPECT_EQ(a.records, records) << a.function << " of rank " << rank;
        }
    }
}

TEST(Archive, an_archive_in_the_folder_is_replaced) {
    const Folder folder;
    (void)write_archive(testing::mixed_run(), folder.path);
    (void)write_archive(merge(testing::ring(3, 2), {}), folder.path);
    EXPECT_EQ(read_archive(folder.anchor()).ranks.size(), 3u);
}

TEST(Archive, a_file_that_is_altered_or_missing_is_refused) {
    const Folder folder;
    (void)write_archive(testing::mixed_run(), folder.path);
    EXPECT_THROW((void)read_archive(folder.path + "/other.otf2"), std::runtime_error);
    const std::string events = folder.path + "/traces/0.evt";
    const auto size = fs::file_size(events);
    fs::resize_file(events, size / 2);
    std::ofstream(events, std::ios::app) << std::string(size - size / 2, '\xff');
    EXPECT_THROW((void)read_archive(folder.anchor()), std::runtime_error);
    std::ofstream(folder.anchor()) << "nothing";
    EXPECT_THROW((void)read_archive(folder.anchor()), std::runtime_error);
}

TEST(Archive, a_folder_that_cannot_be_written_is_refused) {
    const Folder folder;
    std::ofstream(folder.path + "/file") << "nothing";
    EXPECT_THROW((void)write_archive(testing::mixed_run(), folder.path + "/file/below"),
                 std::runtime_error);
}

}  // namespace
}  // namespace refrain::proxy::archive_test
