#pragma once

#include "engine/message.hpp"

#include <unordered_map>

namespace refrain::script::engine {

/// The data that a rank owns.
///
/// A datum has read and write counts. Without writes it is final: who waits for the whole goes on, absent elements fail.
/// Without reads, too, it is freed, with the read counts of the ids among its elements. Scalars and files are final when
/// they are assigned. Nested containers that an assignment through their parent makes are owned here, too; their write
/// count is the parent's and is returned when the parent is final.
class Store {
  public:
    explicit Store(Rank rank, Outbox& outbox) : rank_(rank), outbox_(outbox) {}

    /// A datum with these counts.
    DatumId create(const tasks::VariableInfo& info, std::int64_t reads, std::int64_t writes);

    void handle(const ChangeCounts& message);
    void handle(Assign&& message);
    void handle(const UpdateDatum& message);
    void handle(const NameFile& message);
    void handle(const Fail& message);
    void handle(Subscribe&& message);
    void handle(const Unsubscribe& message);

    /// What closed subscriptions would be answered with now; null if they would wait, or find no single value.
    [[nodiscard]] const Value* scalar(DatumId id) const;
    /// Of a container; null if it is not there.
    [[nodiscard]] const Value* element(DatumId id, const Value& key) const;

    /// Second writes and the like, since the last call.
    [[nodiscard]] std::vector<Failure> take_errors() { return std::exchange(errors_, {}); }
    [[nodiscard]] bool has_errors() const { return !errors_.empty(); }
    [[nodiscard]] std::size_t size() const { return data_.size(); }
    /// What is here, in the words of the original, a line each.
    [[nodiscard]] std::vector<std::string> left() const;
    /// Among the data that are here, or were; with a name that the script has given.
    [[nodiscard]] const HotVariable& hottest() const { return hottest_; }
    /// What data are that tasks wait for, or would assign, for messages about that.
    [[nodiscard]] Descriptions descriptions() const;

  private:
    struct Element {
        Value value;  // empty while it is only waited for
        Position at;
        bool nested = false;  // made by an assignment to a part of it
        std::vector<Subscribe> waiters;
    };
    using Elements = std::unordered_map<Value, Element, HashOfValue>;
    struct Datum {
        Type type;
        std::string name;
        Position at;
        bool mapped = false;
        bool part = false;  // of another one
        std::int64_t reads = 1;
        std::int64_t writes = 1;
        Value value{};        // of scalars and files
        Position assigned{};  // where
        Value file_name{};
        Elements elements{};
        std::int64_t appended = 0;
        FailurePointer failure{};
        std::vector<Subscribe> waiters{};
    };

    [[nodiscard]] Datum& find(DatumId id);
    DatumId make(Datum datum);
    /// A nested datum with the value: final, unless it is empty.
    DatumId make_filled(const Type& type, const std::string& name, const Value& value, Position at);
    void deliver(const Subscribe& to, Value value, FailurePointer failure = nullptr);

    void assign_whole(DatumId id, const Value& value, Position at);
    void assign_element(DatumId id, const Path& path, std::size_t depth, Value value, Position at);
    void insert(DatumId id, const Value& key, Value value, Position at);
    [[nodiscard]] DatumId nested(DatumId id, const Value& key, Position at);

    [[nodiscard]] static std::vector<DatumId> nested_parts(const Datum& datum);
    void close(DatumId id);
    void complete_fields(DatumId id);
    void free(DatumId id);
    void wake(const Datum& datum, std::vector<Subscribe>& waiters);
    void add_waiters(const Datum& is, std::vector<DatumId>& to) const;
    /// The element if it is there; null while it is at most waited for.
    [[nodiscard]] static const Element* present(const Datum& datum, const Value& key);
    /// These answer if that can be done now; else false.
    bool answer_element(Datum& datum, Subscribe& message);
    bool answer_absent(const Datum& datum, const Subscribe& message);
    bool answer_whole(Datum& datum, Subscribe& message);
    [[nodiscard]] static Value table_of(const Datum& datum);

    Rank rank_;
    Outbox& outbox_;
    std::uint64_t next_number_ = 0;
    std::unordered_map<std::uint64_t, Datum> data_;
    std::vector<Failure> errors_;
    HotVariable hottest_;
};

}  // namespace refrain::script::engine
