#include "engine/causal_order.hpp"

#include <gtest/gtest.h>

/// Messages that overtake one another, and the order in which they are handled.
namespace refrain::script::causal_order_test {

using engine::CausalOrder;
using engine::Rank;

/// A rank that sends and handles texts.
class Sender {
  public:
    explicit Sender(Rank rank) : order_(rank) {}
    std::vector<CausalOrder::Parcel> send(const std::vector<Rank>& to, const std::string& text) {
        order_.send(to);
        std::vector<CausalOrder::Parcel> made;
        for (const Rank each : to) made.push_back({order_.stamp(each), 0, text});
        return made;
    }
    /// What is handled when this arrives, in words.
    std::string arrive(Rank from, const CausalOrder::Parcel& parcel) {
        order_.arrive(from, parcel);
        std::string handled;
        while (auto next = order_.take()) handled += next->second.text + " ";
        return handled;
    }

  private:
    CausalOrder order_;
};

TEST(CausalOrder, what_follows_from_a_message_waits_for_what_its_sender_had_sent_before) {
    Sender zero(0);
    Sender one(1);
    Sender two(2);
    const auto first = zero.send({2}, "first");
    const auto second = zero.send({1}, "second");
    EXPECT_EQ(one.arrive(0, second[0]), "second ");
    const auto answer = one.send({2}, "answer");
    EXPECT_EQ(two.arrive(1, answer[0]), "");
    EXPECT_EQ(two.arrive(0, first[0]), "first answer ");
}

TEST(CausalOrder, an_answer_to_one_of_several_sent_at_once_waits_for_the_others) {
    for (const bool reversed : {false, true}) {
        Sender zero(0);
        Sender one(1);
        Sender two(2);
        const auto both =
            zero.send(reversed ? std::vector<Rank>{2, 1} : std::vector<Rank>{1, 2}, "m");
        Sender& near = reversed ? two : one;
        Sender& far = reversed ? one : two;
        EXPECT_EQ(near.arrive(0, both[0]), "m ");
        EXPECT_EQ(far.arrive(reversed ? 2 : 1, near.send({reversed ? 1U : 2U}, "answer")[0]), "");
        EXPECT_EQ(far.arrive(0, both[1]), "m answer ");
    }
}

TEST(CausalOrder, a_stamp_says_only_what_has_changed_since_the_last_to_that_rank) {
    CausalOrder order(0);
    order.send({1, 2});
    EXPECT_EQ(order.stamp(1).size(), 2U);
    static_cast<void>(order.stamp(2));
    order.send({1});
    EXPECT_EQ(order.stamp(1).size(), 1U);
}

}  // namespace refrain::script::causal_order_test
