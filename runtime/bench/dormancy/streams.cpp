#include "dormancy/streams.hpp"

#include "base/hash.hpp"

#include <string>
#include <utility>

namespace dormancy {
namespace {

class Maker {
  public:
    Maker(std::string name, std::size_t length) : stream_{std::move(name), {}}, length_(length) {}

    [[nodiscard]] bool is_full() const { return stream_.launches.size() >= length_; }
    [[nodiscard]] std::size_t random(std::size_t limit) {
        return static_cast<std::size_t>(refrain::base::mix(++drawn_) % limit);
    }
    void never_repeats(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) launch(++newest_ | std::uint64_t{1} << 40);
    }
    /// Block `block` of `length` launches.
    void block(std::size_t block, std::size_t length) {
        for (std::size_t i = 0; i < length; ++i) launch(block << 20 | i);
    }
    void loop(std::size_t block, std::size_t period, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) launch(block << 20 | i % period);
    }
    [[nodiscard]] Stream finish() { return std::move(stream_); }

  private:
    void launch(std::uint64_t number) { stream_.launches.push_back(refrain::base::mix(number)); }
    Stream stream_;
    std::size_t length_;
    std::uint64_t drawn_ = 0, newest_ = 0;
};

template <class Part>
Stream repeat(std::string name, std::size_t length, const Part& part) {
    Maker maker(std::move(name), length);
    for (std::size_t turn = 0; !maker.is_full(); ++turn) part(maker, turn);
    return maker.finish();
}

}  // namespace

std::vector<Stream> all_streams(std::size_t length) {
    std::vector<Stream> all;
    all.push_back(
        repeat("never repeats", length, [](Maker& to, std::size_t) { to.never_repeats(64); }));
    all.push_back(repeat("half never, then a loop of 40", length, [&](Maker& to, std::size_t) {
        to.never_repeats(length / 2);
        to.loop(1, 40, length / 2);
    }));
    all.push_back(
        repeat("loop of 3,000", length, [](Maker& to, std::size_t) { to.loop(1, 3'000, 3'000); }));
    all.push_back(repeat("700 never, 300 in a loop of 20", length, [](Maker& to, std::size_t turn) {
        to.never_repeats(700);
        to.loop(turn, 20, 300);
    }));
    all.push_back(repeat("200 never, 200 in a loop of 20", length, [](Maker& to, std::size_t turn) {
        to.never_repeats(200);
        to.loop(turn, 20, 200);
    }));
    all.push_back(
        repeat("5,000 never, 5,000 in a loop of 50", length, [](Maker& to, std::size_t turn) {
            to.never_repeats(5'000);
            to.loop(turn, 50, 5'000);
        }));
    all.push_back(repeat("300 blocks of 8 at random", length,
                         [](Maker& to, std::size_t) { to.block(to.random(300), 8); }));
    all.push_back(repeat("20 blocks of 16 at random", length,
                         [](Maker& to, std::size_t) { to.block(to.random(20), 16); }));
    // Eight launches are what announces a repeat, and none follows:
    for (const std::size_t gap : {20, 60})
        all.push_back(repeat("a block of 8 between " + std::to_string(gap) + " that never repeat",
                             length, [=](Maker& to, std::size_t) {
                                 to.never_repeats(gap);
                                 to.block(1, 8);
                             }));
    all.push_back(repeat("the same in stretches of 300, between 3,000 that never repeat", length,
                         [](Maker& to, std::size_t turn) {
                             to.never_repeats(3'000);
                             for (int i = 0; i < 300; i += 28) {
                                 to.block(turn, 8);
                                 to.never_repeats(20);
                             }
                         }));
    return all;
}

}  // namespace dormancy
