/// A file that one run of a test leaves to the next.
#pragma once

#include "trace/saved_history.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

namespace refrain {

/// Is not there at first, and gone when the test is over.
class SavedFile {
  public:
    SavedFile() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        std::string name = std::string(test->test_suite_name()) + "." + test->name() + ".traces";
        std::replace(name.begin(), name.end(), '/', '.');
        path_ = testing::TempDir() + name;
        std::remove(path_.c_str());
    }
    ~SavedFile() { std::remove(path_.c_str()); }
    SavedFile(const SavedFile&) = delete;
    SavedFile& operator=(const SavedFile&) = delete;
    SavedFile(SavedFile&&) = delete;
    SavedFile& operator=(SavedFile&&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] bool exists() const { return std::filesystem::exists(path_); }
    [[nodiscard]] std::string content() const {
        std::ifstream file(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    void set_content(const std::string& content) const {
        std::ofstream(path_, std::ios::binary) << content;
    }

  private:
    std::string path_;
};

/// What such a file holds.
inline trace::SavedHistory decoded(const std::string& content) {
    std::vector<std::uint64_t> words(content.size() / sizeof(std::uint64_t));
    std::memcpy(words.data(), content.data(), words.size() * sizeof(std::uint64_t));
    trace::DecodedHistory decoded = trace::decode(words);
    EXPECT_EQ(decoded.problem, "");
    return decoded.history;
}

inline std::string encoded(const trace::SavedHistory& history) {
    const auto words = trace::encode(history);
    return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint64_t)};
}

}  // namespace refrain
