#include "memo/record_log.hpp"

#include "memo/packed_value.hpp"
#include "values/script_error.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <limits>
#include <unistd.h>

namespace refrain::script::record_log_test {

namespace fs = std::filesystem;

struct Folder {
    std::string path = fs::temp_directory_path() / ("refrain_log_" + std::to_string(getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() { fs::remove_all(path); }
};

std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}
std::vector<std::string> records_of(const std::string& path) {
    std::vector<std::string> all;
    read_records(path, [&](std::string_view payload, std::uint64_t) { all.emplace_back(payload); });
    return all;
}

TEST(RecordLog, cut_at_any_byte_it_keeps_the_whole_records_and_goes_on_behind_them) {
    const Folder folder;
    const std::string path = folder.path + "/log";
    const std::vector<std::string> written = {"one", "", std::string(300, 'x'), "four"};
    std::vector<std::uint64_t> begins;
    {
        RecordLog log(path, {});
        for (const std::string& each : written) begins.push_back(log.append(each));
    }
    const std::string whole = content_of(path);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        write(path, whole.substr(0, size));
        std::size_t expected = 0;
        while (expected < written.size() &&
               begins[expected] + 16 + written[expected].size() <= size)
            ++expected;
        std::vector<std::string> found;
        {
            RecordLog log(path, [&](std::string_view payload, std::uint64_t) {
                found.emplace_back(payload);
            });
            const std::uint64_t kept =
                expected == 0 ? std::min<std::uint64_t>(size, begins[0])
                              : begins[expected - 1] + 16 + written[expected - 1].size();
            EXPECT_EQ(log.cut_bytes(), size < begins[0] ? size : size - kept) << size;
            log.append("new");
        }
        EXPECT_EQ(found,
                  std::vector<std::string>(
                      written.begin(), written.begin() + static_cast<std::ptrdiff_t>(expected)));
        found.emplace_back("new");
        EXPECT_EQ(records_of(path), found) << size;
    }
}

TEST(RecordLog, a_changed_byte_ends_it) {
    const Folder folder;
    const std::string path = folder.path + "/log";
    {
        RecordLog log(path, {});
        log.append("first");
        log.append("second");
    }
    const std::string whole = content_of(path);
    for (std::size_t at = whole.size() - 22; at < whole.size(); ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
        write(path, damaged);
        EXPECT_EQ(records_of(path), std::vector<std::string>{"first"}) << at;
    }
}

TEST(RecordLog, two_that_append_to_one_file_see_each_others_records) {
    const Folder folder;
    std::vector<std::string> seen;
    RecordLog one(folder.path + "/log",
                  [&](std::string_view payload, std::uint64_t) { seen.emplace_back(payload); });
    RecordLog other(folder.path + "/log", {});
    other.append("a");
    one.append("b");
    const std::uint64_t at = other.append("c");
    EXPECT_EQ(seen, std::vector<std::string>{"a"});
    EXPECT_EQ(other.read(at), "c");
    EXPECT_EQ(records_of(folder.path + "/log"), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(RecordLog, a_full_disk_is_an_error_and_changes_nothing) {
    if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "there is no /dev/full to write to";
    EXPECT_THROW(RecordLog("/dev/full", {}), ScriptError);
}

TEST(RecordLog, a_file_of_another_kind_is_refused_and_left_alone) {
    const Folder folder;
    const std::string path = folder.path + "/notes.txt";
    write(path, "my notes, which are longer than a mark");
    EXPECT_THROW(RecordLog(path, {}), ScriptError);
    EXPECT_EQ(content_of(path), "my notes, which are longer than a mark");
}

TEST(PackedValue, values_of_all_types_come_back) {
    Table inner;
    inner.emplace(Value("k"), Value(2.5));
    Table table;
    table.emplace(Value(std::int64_t{7}), Value::table(inner));
    table.emplace(Value(std::int64_t{-1}), Value(Void{}));
    const std::vector<Value> all = {Value(),
                                    Value(std::numeric_limits<std::int64_t>::min()),
                                    Value(-0.0),
                                    Value::boolean(true),
                                    Value(std::string("a\0b", 3)),
                                    Value(Blob{std::make_shared<const std::string>("bytes")}),
                                    Value::file("x.txt"),
                                    Value::table(table)};
    Packer packer;
    for (const Value& each : all) packer.transfer(each);
    Unpacker from(packer.bytes());
    for (const Value& each : all) EXPECT_TRUE(from.value() == each);
    EXPECT_THROW(static_cast<void>(from.value()), ScriptError);
    for (std::size_t size = 1; size < packer.bytes().size(); ++size) {
        Unpacker torn(std::string_view(packer.bytes()).substr(0, size));
        EXPECT_THROW(for (std::size_t i = 0; i < all.size(); ++i) static_cast<void>(torn.value()),
                     ScriptError);
    }
}

}  // namespace refrain::script::record_log_test
