#include "engine/packed_message.hpp"

#include "values/script_error.hpp"

#include <bit>
#include <type_traits>

#include "memo/packed_value.hpp"

namespace refrain::script::engine {
namespace {

/// One description of each struct serves both directions: transfer() gives an archive the fields in order.
class WritingArchive {
  public:
    void number(std::uint64_t& value) { packer_.number(value); }
    void text(std::string& value) { packer_.text(value); }
    void value(Value& value) { packer_.value(value); }
    [[nodiscard]] const std::string& bytes() const { return packer_.bytes(); }

  private:
    Packer packer_{Packer::References::taken};
};
class ReadingArchive {
  public:
    explicit ReadingArchive(std::string_view bytes) : unpacker_(bytes) {}
    void number(std::uint64_t& value) { value = unpacker_.number(); }
    void text(std::string& value) { value = unpacker_.text(); }
    void value(Value& value) { value = unpacker_.value(); }

  private:
    Unpacker unpacker_;
};

template <class T>
struct IsSequence : std::false_type {};
template <class T>
struct IsSequence<std::vector<T>> : std::true_type {};
template <class T>
struct IsPair : std::false_type {};
template <class A, class B>
struct IsPair<std::pair<A, B>> : std::true_type {};

template <class Archive, class T>
void transfer(Archive& archive, T& is);
template <class Archive, class... Fields>
void transfer_all(Archive& archive, Fields&... each) {
    (transfer(archive, each), ...);
}

template <class Archive>
void fields(Archive& archive, DatumId& is) {
    transfer_all(archive, is.owner, is.number);
}
template <class Archive>
void fields(Archive& archive, Position& is) {
    transfer_all(archive, is.file, is.line, is.column);
}
template <class Archive>
void fields(Archive& archive, Failure& is) {
    transfer_all(archive, is.at, is.text);
}
template <class Archive>
void fields(Archive& archive, FailurePointer& is) {
    bool there = is != nullptr;
    transfer(archive, there);
    if (!there) return;
    Failure failure = is == nullptr ? Failure{} : *is;
    transfer(archive, failure);
    is = std::make_shared<const Failure>(std::move(failure));
}
template <class Archive>
void fields(Archive& archive, Task::Range& is) {
    transfer_all(archive, is.begin, is.count, is.step, is.index);
}
template <class Archive>
void fields(Archive& archive, std::optional<Task::Range>& is) {
    bool there = is.has_value();
    transfer(archive, there);
    if (there && !is) is = Task::Range{};
    if (there) transfer(archive, *is);
}
template <class Archive>
void fields(Archive& archive, Task& is) {
    transfer_all(archive, is.definition, is.priority, is.slots, is.range, is.failed, is.created_ns,
                 is.ready_ns);
}
template <class Archive>
void fields(Archive& archive, ChangeCounts& is) {
    transfer_all(archive, is.datum, is.reads, is.writes);
}
template <class Archive>
void fields(Archive& archive, Assign& is) {
    transfer_all(archive, is.datum, is.path, is.value, is.at, is.append, is.release_reads,
                 is.release_writes);
}
template <class Archive>
void fields(Archive& archive, UpdateDatum& is) {
    transfer_all(archive, is.datum, is.by, is.how, is.at);
}
template <class Archive>
void fields(Archive& archive, NameFile& is) {
    transfer_all(archive, is.datum, is.name);
}
template <class Archive>
void fields(Archive& archive, Fail& is) {
    transfer_all(archive, is.datum, is.why);
}
template <class Archive>
void fields(Archive& archive, Subscribe& is) {
    transfer_all(archive, is.datum, is.path, is.mode, is.waiter, is.task, is.input, is.route, is.at,
                 is.notify, is.release);
}
template <class Archive>
void fields(Archive& archive, SubscribeMany& is) {
    transfer(archive, is.all);
}
template <class Archive>
void fields(Archive& archive, Deliver& is) {
    transfer_all(archive, is.task, is.input, is.route, is.value, is.failure, is.notify);
}
template <class Archive>
void fields(Archive&, Hungry&) {}
template <class Archive>
void fields(Archive& archive, Work& is) {
    transfer(archive, is.tasks);
}
template <class Archive>
void fields(Archive& archive, Wave& is) {
    transfer_all(archive, is.round, is.sent, is.received);
}
template <class Archive>
void fields(Archive&, Stop&) {}

template <class Variant, std::size_t... I>
void emplace_alternative(Variant& is, std::size_t index, std::index_sequence<I...>) {
    ((index == I ? static_cast<void>(is.template emplace<I>()) : static_cast<void>(0)), ...);
}
template <class Archive>
void fields(Archive& archive, Message& is) {
    using Kinds = decltype(Message::is);
    std::size_t index = is.is.index();
    transfer_all(archive, is.from, is.to, index);
    if (index >= std::variant_size_v<Kinds>) throw ScriptError("a message is damaged");
    if (index != is.is.index())
        emplace_alternative(is.is, index, std::make_index_sequence<std::variant_size_v<Kinds>>());
    std::visit([&](auto& message) { fields(archive, message); }, is.is);
}

template <class Archive>
void fields(Archive& archive, Tally& is) {
    for (std::uint64_t& each : is.operations.by) transfer(archive, each);
    transfer_all(archive, is.created, is.done, is.failed, is.skipped, is.ready, is.waiting);
}
template <class Archive>
void fields(Archive& archive, WaitingTask& is) {
    transfer_all(archive, is.name, is.at, is.waits_for, is.data, is.would_assign);
}
template <class Archive>
void fields(Archive& archive, Store::Description& is) {
    transfer_all(archive, is.name, is.at, is.writes, is.temporary);
}
template <class Archive>
void fields(Archive& archive, RankReport& is) {
    transfer_all(archive, is.tally, is.failures, is.skipped, is.waiting, is.unfinished,
                 is.temporary_files, is.live_data, is.stopped);
}

template <class Archive>
void fields(Archive& archive, CallRequest& is) {
    transfer_all(archive, is.definition, is.arguments, is.results, is.created_ns, is.ready_ns);
}
template <class Archive>
void fields(Archive& archive, CallOutcome& is) {
    transfer_all(archive, is.results, is.failure, is.cut_off);
}

template <class Archive, class T>
void transfer(Archive& archive, T& is) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
        auto number = static_cast<std::uint64_t>(is);
        archive.number(number);
        is = static_cast<T>(number);
    } else if constexpr (std::is_same_v<T, double>) {
        auto bits = std::bit_cast<std::uint64_t>(is);
        archive.number(bits);
        is = std::bit_cast<double>(bits);
    } else if constexpr (std::is_same_v<T, std::string>) {
        archive.text(is);
    } else if constexpr (std::is_same_v<T, Value>) {
        archive.value(is);
    } else if constexpr (IsPair<T>::value) {
        transfer_all(archive, is.first, is.second);
    } else if constexpr (IsSequence<T>::value) {
        std::uint64_t size = is.size();
        archive.number(size);
        is.resize(size);
        for (auto& each : is) transfer(archive, each);
    } else {
        fields(archive, is);
    }
}

}  // namespace

template <class T>
std::string packed(T is) {
    WritingArchive archive;
    transfer(archive, is);
    return archive.bytes();
}
template <class T>
T unpacked(std::string_view bytes) {
    ReadingArchive archive(bytes);
    T is;
    transfer(archive, is);
    return is;
}

template std::string packed(Message);
template std::string packed(std::vector<Message>);
template std::string packed(RankReport);
template std::string packed(CallRequest);
template std::string packed(CallOutcome);
template std::string packed(std::vector<DatumId>);
template std::string packed(Descriptions);
template Message unpacked(std::string_view);
template std::vector<Message> unpacked(std::string_view);
template RankReport unpacked(std::string_view);
template CallRequest unpacked(std::string_view);
template CallOutcome unpacked(std::string_view);
template std::vector<DatumId> unpacked(std::string_view);
template Descriptions unpacked(std::string_view);

}  // namespace refrain::script::engine
