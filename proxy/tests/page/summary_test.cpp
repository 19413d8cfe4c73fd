#include "proxy_page/summary.hpp"

#include "merge/anonymous.hpp"
#include "verify/verify.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "sample_runs.hpp"

namespace refrain::proxy {
namespace {

using testing::Rank;

bool says(const Recording& recording, const std::string& words) {
    const Summary summary = summarise(recording);
    return std::any_of(summary.words.begin(), summary.words.end(), [&](const std::string& text) {
        return text.find(words) != std::string::npos;
    });
}

TEST(Summary, of_a_loop_of_all_ranks_says_so) {
    const Recording ring = merge(testing::ring(3, 20), {});
    EXPECT_TRUE(says(ring, "times all ranks do"));
    EXPECT_FALSE(says(ring, "other ranks"));
}

/// Rank 0 sends to each of the others, which answer.
TEST(Summary, says_whose_a_loop_is_and_what_the_others_do) {
    std::vector<RankRecording> ranks;
    Rank master(0, 4);
    for (int i = 0; i < 20; ++i)
        for (std::int64_t to = 1; to < 4; ++to) master.send(to).receive(to);
    ranks.push_back(master.finish());
    for (std::int64_t me = 1; me < 4; ++me) {
        Rank worker(me, 4);
        for (int i = 0; i < 20; ++i) worker.receive(0).send(0);
        ranks.push_back(worker.finish());
    }
    const Recording recording = merge(std::move(ranks), {});
    EXPECT_TRUE(says(recording, "20 times rank 0 does "));
    EXPECT_TRUE(says(recording, "20 times ranks 1-3 do "));
    EXPECT_TRUE(says(recording, "The largest loop of other ranks makes "));
}

TEST(Summary, says_what_in_the_file_names_something) {
    Rank rank(0, 1);
    const std::int64_t key = rank.recorder.text("purpose"), value = rank.recorder.text("a secret");
    rank.call(Function::Info_create_, {0, 0});
    rank.call(Function::Info_set_, {0, key, value, 0}).call(Function::Info_free_, {0, 0});
    RankRecording one = rank.finish();
    one.sites = {"main.c:7"};
    one.events[1].site = 1;
    Recording recording = merge({one}, {{"mpirun", "./solve"}, 1});
    EXPECT_TRUE(says(recording, "The file names the command: mpirun ./solve"));
    EXPECT_TRUE(says(
        recording, "2 words of the program, of files, hints and the like: 'purpose', 'a secret'."));
    EXPECT_TRUE(says(recording, "1 place where calls are made, as "));
    make_anonymous(recording);
    for (const char* const words :
         {"The file names", " of the program, of files", "where calls are made"})
        EXPECT_FALSE(says(recording, words)) << words;
}

TEST(Summary, says_how_counted_work_is_repeated) {
    Recording ring = merge(testing::ring(3, 20), {});
    const auto limit = [&] {
        const Summary summary = summarise(ring);
        return summary.limits.empty() ? std::string() : summary.limits.back();
    };
    EXPECT_TRUE(limit().starts_with("Work is repeated as processor time")) << limit();
    for (const Source source : {Source::counts, Source::time_and_counts}) {
        ring.source = source;
        EXPECT_TRUE(limit().starts_with("Without `generate --machine`, work is")) << limit();
    }
}

bool limits_say(const Recording& recording, const std::string& words) {
    const Summary summary = summarise(recording);
    return std::any_of(summary.limits.begin(), summary.limits.end(),
                       [&](const std::string& text) { return text.find(words) == 0; });
}

/// A sparse exchange: asks for messages from any source until all have come, mostly in vain. In a proxy names are exact.
Recording exchange(bool is_proxy) {
    constexpr std::int64_t never = 99, any = rank_any, no_source = rank_none;
    const std::int64_t source = is_proxy ? 0 : any;
    Rank rank(0, 1);
    for (int i = 0; i < 3; ++i) {
        rank.call(Function::Iprobe_,
                  {source, is_proxy ? never : 4, 0, 0, 1, 0, no_source, 0, 0, 0, 0});
        rank.call(Function::Improbe_,
                  {source, is_proxy ? never : 4, 0, 0, 1, 0, null_handle, no_source, 0, 0, 0, 0});
    }
    if (is_proxy) rank.call(Function::Probe_, {0, 4, 0, 0, 1, 0, 4, 80, 0, 0});
    rank.call(Function::Iprobe_, {source, 4, 0, 0, 1, 1, 0, 4, 80, 0, 0});
    rank.receive(source, 4, 0, 4);
    // No poll, though it has a flag that says no.
    rank.call(Function::Comm_get_attr_, {0, 0, 1, 0, 0, 0});
    return merge({rank.finish()}, {});
}

TEST(Summary, counts_receives_and_polls_as_verify_does) {
    const Recording program = exchange(false);
    const Comparison compared = compare(program, exchange(true), Equality::strict);
    ASSERT_FALSE(compared.difference) << compared.difference->first << compared.difference->second;
    EXPECT_EQ(compared.pinned, 2u);
    EXPECT_EQ(compared.refused_polls, 6u);
    EXPECT_TRUE(limits_say(program, "2 receives and probes from any source"));
    EXPECT_TRUE(limits_say(program, "6 tests and probes answered no"));
}

TEST(Summary, says_bytes_in_three_digits) {
    for (const auto& [sent, words] : {std::pair("9999", "9,999 bytes"),
                                      {"12345", "12.3 kB"},
                                      {"5079040", "5.08 MB"},
                                      {"999999999", "1 GB"},
                                      {"12345678901", "12.3 GB"}}) {
        Recording ring = merge(testing::ring(3, 20), {});
        ring.counts = {std::string("to 1: 7 ") + sent + "\n", "", ""};
        EXPECT_TRUE(says(ring, std::string("7 messages with ") + words + ",")) << words;
    }
}

/// Each sends to every eighth: 131,072 pairs, nearly 2 MB if each were told.
TEST(ReportPage, of_1024_ranks_that_send_to_many_others_is_small) {
    constexpr std::uint32_t size = 1024;
    Recording ring = merge(testing::ring(size, 3), {});
    std::string to_many;
    for (std::uint32_t to = 0; to < size; to += 8)
        to_many += "to " + std::to_string(to) + ": 2 16\n";
    ring.counts.assign(size, to_many);
    const std::string page = report_page(ring, nullptr, "run");
    EXPECT_LT(page.size(), 500'000u);
    EXPECT_NE(page.find("\"cellRanks\":16,\"cells\":[[0,0,64,512],[0,1,64,512],"),
              std::string::npos);
}

}  // namespace
}  // namespace refrain::proxy
