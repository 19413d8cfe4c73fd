/// Launches of a loop that are counted together: as if each had been counted when it was launched.
#include "observe/passed_launches.hpp"

#include <array>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <utility>

namespace refrain::passed_launches_test {
namespace {

/// What is known of a launch site, and of the launches at positions.
struct Book {
    struct Site {
        std::uint64_t launches = 0;
        std::uint64_t points = 0;
        std::array<std::uint64_t, 2> latest{};  // positions
        friend bool operator==(const Site&, const Site&) = default;
    };
    std::map<page::SiteId, Site> sites;
    std::map<std::uint64_t, page::SiteId> at;

    void count(page::SiteId id, std::uint64_t points, std::uint64_t launches) {
        sites[id].launches += launches;
        sites[id].points += points * launches;
    }
    void launched_at(page::SiteId id, std::uint64_t position) {
        sites[id].latest = {sites[id].latest[1], position};
        at[position] = id;
    }
    friend bool operator==(const Book&, const Book&) = default;
};

TEST(PassedLaunches, count_as_if_one_by_one) {
    static const std::array<LaunchSite, 4> sites{
        LaunchSite("a", "file", 1), {"a", "file", 2}, {"b", "file", 1}, {"a", "other", 1}};
    std::mt19937 random(7);
    const auto draw = [&](std::uint64_t below) { return random() % below; };
    for (int round = 0; round < 300; ++round) {
        observe::PassedLaunches passed;
        Book together, one_by_one;
        const auto settle = [&] {
            passed.settle(
                [&](const observe::PassedLaunches::Place& place, std::uint64_t launches) {
                    together.count(place.id, place.points, launches);
                },
                [&](page::SiteId id, std::uint64_t position) {
                    together.launched_at(id, position);
                });
        };
        const std::uint64_t length = 1 + draw(9);
        std::vector<page::SiteId> site_of(length);  // what the program launches at each place
        for (page::SiteId& id : site_of) id = static_cast<page::SiteId>(draw(sites.size()));
        const std::uint64_t changes = draw(2) == 0 ? 0 : 10;  // of a hundred launches
        const std::uint64_t first = 100 * draw(3);
        for (std::uint64_t stretch = draw(6); stretch > 0; --stretch) {
            std::uint64_t place = draw(length);
            passed.follow(first, length, place);
            for (std::uint64_t launches = draw(40); launches > 0; --launches) {
                if (draw(100) < changes)
                    site_of[place] = static_cast<page::SiteId>(draw(sites.size()));
                const page::SiteId id = site_of[place];
                const auto points = static_cast<std::uint32_t>(10 + place);
                if (!passed.expects(sites[id])) {
                    settle();
                    passed.expect({sites[id], points, id});
                }
                passed.passed();
                one_by_one.count(id, points, 1);
                one_by_one.launched_at(id, first + place);
                if (++place == length) place = 0;
            }
            settle();
            ASSERT_EQ(together, one_by_one) << "round " << round;
        }
    }
}

TEST(PassedLaunches, of_other_positions_have_places_of_their_own) {
    const LaunchSite site("a", "file", 1);
    observe::PassedLaunches passed;
    passed.follow(10, 2, 0);
    EXPECT_FALSE(passed.expects(site));
    passed.expect({site, 4, 0});
    EXPECT_TRUE(passed.expects(site));
    passed.follow(10, 2, 1);
    EXPECT_FALSE(passed.expects(site));
    passed.follow(10, 2, 0);
    EXPECT_TRUE(passed.expects(site)) << "it is the same loop";
    passed.follow(12, 2, 0);
    EXPECT_FALSE(passed.expects(site));
    passed.expect({site, 4, 0});
    passed.forget();
    passed.follow(12, 2, 0);
    EXPECT_FALSE(passed.expects(site));
}

}  // namespace
}  // namespace refrain::passed_launches_test
