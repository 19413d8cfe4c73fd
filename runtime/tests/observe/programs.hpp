/// Small programs with known streams, and helpers for tests of files and reports.
#pragma once

#include "runtime/harness.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace refrain {

/// A file that is deleted at the end of the test.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& name) {
        const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
        std::string file = std::string(test.test_suite_name()) + "." + test.name() + "." + name;
        std::replace(file.begin(), file.end(), '/', '.');  // before a test's parameter
        path_ = testing::TempDir() + file;
    }
    ~TemporaryFile() { std::remove(path_.c_str()); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string text() const {
        std::ostringstream text;
        text << std::ifstream(path_).rdbuf();
        return text.str();
    }

  private:
    std::string path_;
};

/// Launches tasks that add one to the elements of a region, under any name. Names with different
/// first letters give different tasks: each divides the region into another number of tiles.
class Counter {
  public:
    explicit Counter(Runtime& runtime) : runtime_(runtime) {
        for (int count = 1; count <= 32; ++count) partitions_.push_back(tiles(extents(32), count));
        runtime_.fill(x_, 0);
    }

    void add(const char* name) {
        const Partition<1>& tiles = partitions_[static_cast<std::size_t>(name[0] % 32)];
        runtime_.launch(
            name, tiles.colours(),
            [](View<int, 1> view) {
                for (const Point<1>& point : view.domain()) ++view[point];
            },
            read_write(x_, tiles));
    }
    void add(std::initializer_list<const char*> names) {
        for (const char* name : names) add(name);
    }
    /// Launches under this name on a new region, which stays alive.
    void add_elsewhere(const char* name) {
        others_.push_back(runtime_.create_region<int>(extents(4), "another"));
        runtime_.launch(
            name, [](View<int, 1> view) { view[0] = 1; }, write(others_.back()));
    }
    int wait() { return values_of(runtime_, x_)[0]; }

  private:
    Runtime& runtime_;
    std::vector<Partition<1>> partitions_;
    Region<int, 1> x_ = runtime_.create_region<int>(extents(32), "x");
    std::vector<Region<int, 1>> others_;
};

/// Seven operations, launched in this order.
inline const auto loop = {"a", "b", "c", "d", "e", "f", "g"};

/// The loop interrupted by other operations, waits, manual traces and fences.
inline void run_mixed(Runtime& runtime) {
    Counter counter(runtime);
    for (int i = 0; i < 200; ++i) {
        counter.add(loop);
        if (i % 3 == 0) counter.add("now and then");
        if (i % 20 == 7) counter.wait();
        if (i % 30 == 9) {
            runtime.begin_trace(1);
            counter.add({"traced", i % 60 == 9 ? "here" : "there"});
            runtime.end_trace(1);
        }
        if (i % 11 == 3) runtime.fence();
    }
    runtime.wait_all();
}

/// The report of the launches with this name; each site has its own name in these programs.
inline LaunchSiteReport site(const Runtime& runtime, const std::string& name) {
    for (const LaunchSiteReport& report : runtime.why_not_traced())
        if (report.site.name == name) return report;
    ADD_FAILURE() << "no launch site '" << name << "'";
    return {};
}

inline std::uint64_t count(const LaunchSiteReport& report, NotReplayed reason) {
    return report.reasons[static_cast<std::size_t>(reason)];
}

}  // namespace refrain
