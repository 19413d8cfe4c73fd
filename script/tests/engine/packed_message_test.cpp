#include "engine/packed_message.hpp"

#include "values/script_error.hpp"

#include <gtest/gtest.h>

/// Messages as bytes.
namespace refrain::script::packed_message_test {

using engine::Message;

std::string again(const std::string& bytes) {
    return engine::packed(engine::unpacked<Message>(bytes));
}

template <std::size_t... I>
std::vector<Message> one_of_each(std::index_sequence<I...>) {
    return {Message{3, 4, std::variant_alternative_t<I, decltype(Message::is)>{}}...};
}

TEST(PackedMessage, each_kind_is_read_as_it_was_written) {
    constexpr std::size_t kinds = std::variant_size_v<decltype(Message::is)>;
    std::size_t index = 0;
    for (const Message& each : one_of_each(std::make_index_sequence<kinds>())) {
        const Message read = engine::unpacked<Message>(engine::packed(each));
        EXPECT_EQ(read.is.index(), index++);
        EXPECT_EQ(read.from, 3U);
        EXPECT_EQ(read.to, 4U);
    }
}

TEST(PackedMessage, tasks_keep_values_references_and_failures) {
    engine::Task task;
    task.definition = 5;
    task.priority = -2;
    task.slots = {Value(std::int64_t{-7}), Value(DatumId{2, 9}), Value("text"),
                  Value::table({{Value(std::int64_t{1}), Value(DatumId{1, 1})}}), Value()};
    task.range = engine::Task::Range{-3, 4, 2, 1};
    task.failed.emplace_back(
        1, std::make_shared<const engine::Failure>(engine::Failure{{1, 2, 3}, "why"}));
    const std::string bytes = engine::packed(Message{0, 1, engine::Work{{task}}});
    const Message read = engine::unpacked<Message>(bytes);
    const engine::Task& got = std::get<engine::Work>(read.is).tasks.at(0);
    EXPECT_EQ(got.priority, -2);
    EXPECT_EQ(got.slots.at(0).integer(), -7);
    EXPECT_EQ(got.slots.at(1).id(), (DatumId{2, 9}));
    EXPECT_EQ(got.slots.at(3).entries().begin()->second.id(), (DatumId{1, 1}));
    EXPECT_TRUE(got.slots.at(4).empty());
    EXPECT_EQ(got.range->begin, -3);
    EXPECT_EQ(got.failed.at(0).second->text, "why");
    EXPECT_EQ(got.failed.at(0).second->at.line, 2U);
    EXPECT_EQ(again(bytes), bytes);
}

TEST(PackedMessage, bytes_that_end_too_early_are_refused) {
    const std::string bytes = engine::packed(Message{0, 1, engine::NameFile{{0, 1}, "name"}});
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_THROW(static_cast<void>(engine::unpacked<Message>(bytes.substr(0, size))),
                     ScriptError)
            << size;
}

}  // namespace refrain::script::packed_message_test
