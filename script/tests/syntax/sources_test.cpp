#include "syntax/sources.hpp"

#include <filesystem>
#include <gtest/gtest.h>

namespace refrain::script::sources_test {

TEST(Sources, a_file_is_named_as_seen_from_here_where_that_is_shorter) {
    const std::string here = std::filesystem::current_path().string();
    Sources sources;
    const std::uint32_t below = sources.add(here + "/flows/a.swift", "");
    const std::uint32_t far = sources.add("/a.swift", "");
    const std::uint32_t plain = sources.add("b.swift", "");
    EXPECT_EQ(sources.line_text({below, 3, 7}), "flows/a.swift:3");
    EXPECT_EQ(sources.line_text({far, 3, 7}), "/a.swift:3");
    EXPECT_EQ(sources.line_text({plain, 3, 7}), "b.swift:3");
    EXPECT_EQ(sources.line_text({plain, 0, 0}), "?");
    EXPECT_EQ(sources.text({below, 3, 7}), here + "/flows/a.swift:3:7");  // messages keep the name
}

}  // namespace refrain::script::sources_test
