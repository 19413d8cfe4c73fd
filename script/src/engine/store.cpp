#include "engine/store.hpp"

#include "base/assertion.hpp"
#include "values/text.hpp"

#include <algorithm>

namespace refrain::script::engine {

using tasks::Mode;

Store::Datum& Store::find(DatumId id) {
    REFRAIN_ASSERT(id.owner == rank_, "a message of a datum went to a rank that does not own it");
    const auto found = data_.find(id.number);
    REFRAIN_ASSERT(found != data_.end(), "a datum is used after its last count was returned");
    return found->second;
}

DatumId Store::make(Datum datum) {
    const DatumId id{rank_, next_number_++};
    data_.emplace(id.number, std::move(datum));
    return id;
}

DatumId Store::create(const tasks::VariableInfo& info, std::int64_t reads, std::int64_t writes) {
    return make({info.type, info.name, info.at, info.mapped, false, reads, writes});
}

DatumId Store::make_filled(const Type& type, const std::string& name, const Value& value,
                           Position at) {
    const DatumId id = make({type, name, at});
    assign_whole(id, value, at);
    handle(ChangeCounts{id, 0, -1});
    return id;
}

// ---- counts

void Store::handle(const ChangeCounts& message) {
    Datum& datum = find(message.datum);
    const bool was_open = datum.writes > 0;
    datum.reads += message.reads;
    datum.writes += message.writes;
    REFRAIN_ASSERT(datum.reads >= 0, "more read counts are returned than were given");
    REFRAIN_ASSERT(datum.writes >= 0, "more write counts are returned than were given");
    REFRAIN_ASSERT(was_open || datum.writes == 0, "a datum that is final gets a write count");
    if (was_open && datum.writes == 0) close(message.datum);
    const auto again = data_.find(message.datum.number);
    if (again != data_.end() && again->second.reads == 0 && again->second.writes == 0)
        free(message.datum);
}

std::vector<DatumId> Store::nested_parts(const Datum& datum) {
    std::vector<DatumId> parts;
    for (const auto& [key, element] : datum.elements)
        if (element.nested) parts.push_back(element.value.id());
    return parts;
}

void Store::close(DatumId id) {
    complete_fields(id);
    for (const DatumId part : nested_parts(find(id))) handle(ChangeCounts{part, 0, -1});
    Datum& datum = find(id);
    wake(datum, datum.waiters);
    for (auto& [key, element] : datum.elements) wake(datum, element.waiters);
}

/// Fields of a final struct that are containers and were never written are empty.
void Store::complete_fields(DatumId id) {
    if (!find(id).type.is(Kind::structure)) return;
    const Type type = find(id).type;
    for (const Type::Field& field : type.fields())
        if (field.type.is(Kind::array) || field.type.is(Kind::bag))
            static_cast<void>(nested(id, Value(field.name), {}));
}

void Store::free(DatumId id) {
    Datum datum = std::move(find(id));
    data_.erase(id.number);
    for (auto& [key, element] : datum.elements)
        if (element.value.is<DatumId>())
            outbox_.send(element.value.id().owner, ChangeCounts{element.value.id(), -1, 0});
}

// ---- assignments

void Store::handle(Assign&& message) {
    const ChangeCounts release{message.datum, -message.release_reads, -message.release_writes};
    if (message.append) message.path.push_back({});  // the bag will number it
    if (message.path.empty())
        assign_whole(message.datum, message.value, message.at);
    else
        assign_element(message.datum, message.path, 0, std::move(message.value), message.at);
    if (release.reads != 0 || release.writes != 0) handle(release);
}

void Store::assign_whole(DatumId id, const Value& value, Position at) {
    Datum& datum = find(id);
    if (datum.type.has_parts()) {
        if (datum.assigned.line != 0)
            return errors_.push_back(second_write(datum.name, datum.assigned, at));
        datum.assigned = at;
        for (const auto& [key, element] : value.entries()) insert(id, key, element, at);
        return;
    }
    if (!datum.value.empty())
        return errors_.push_back(second_write(datum.name, datum.assigned, at));
    datum.value = value;
    datum.assigned = at;
    if (datum.type.is(Kind::file) && datum.file_name.empty()) datum.file_name = Value(value.path());
    wake(datum, datum.waiters);
}

DatumId Store::nested(DatumId id, const Value& key, Position at) {
    Datum& parent = find(id);
    if (const Element* known = present(parent, key)) return known->value.id();
    Datum datum{part_type(parent.type, key), part_name(parent.name, parent.type, key), at};
    datum.failure = parent.failure;
    datum.part = true;
    const DatumId made = make(std::move(datum));
    Element& element = parent.elements[key];
    element.value = Value(made);
    element.at = at;
    element.nested = true;
    wake(parent, element.waiters);
    return made;
}

void Store::assign_element(DatumId id, const Path& path, std::size_t depth, Value value,
                           Position at) {
    const Value& key = path[depth];
    Datum& datum = find(id);
    if (depth + 1 == path.size())
        return insert(id, key.empty() ? Value(datum.appended++) : key, std::move(value), at);
    const Element* known = present(datum, key);
    if (known != nullptr && !known->nested)
        return errors_.push_back(
            second_write(part_name(datum.name, datum.type, key), known->at, at));
    assign_element(nested(id, key, at), path, depth + 1, std::move(value), at);
}

void Store::insert(DatumId id, const Value& key, Value value, Position at) {
    Datum& datum = find(id);
    REFRAIN_ASSERT(datum.writes > 0, "an element is assigned although the array is final");
    Element& element = datum.elements[key];
    if (!element.value.empty()) {
        errors_.push_back(second_write(part_name(datum.name, datum.type, key), element.at, at));
        if (value.is<DatumId>()) outbox_.send(value.id().owner, ChangeCounts{value.id(), -1, 0});
        return;
    }
    const Type& type = part_type(datum.type, key);
    if (type.is_container() && !value.is<DatumId>())
        value = Value(make_filled(type, part_name(datum.name, datum.type, key), value, at));
    element.value = std::move(value);
    element.at = at;
    wake(datum, element.waiters);
}

void Store::handle(const UpdateDatum& message) {
    Datum& datum = find(message.datum);
    const double now = datum.value.floating();
    if (message.how == "min")
        datum.value = Value(std::min(now, message.by));
    else
        datum.value = Value(message.how == "incr" ? now + message.by : now * message.by);
}

void Store::handle(const NameFile& message) {
    Datum& datum = find(message.datum);
    datum.file_name = Value(message.name);
    wake(datum, datum.waiters);
}

void Store::handle(const Fail& message) {
    Datum& datum = find(message.datum);
    const bool updated = datum.type.is(Kind::updateable);  // it keeps a value for those who read
    if (datum.failure != nullptr || (!datum.value.empty() && !updated)) return;
    datum.failure = message.why;
    const std::vector<DatumId> parts = nested_parts(datum);
    wake(datum, datum.waiters);
    for (const DatumId part : parts) handle(Fail{part, message.why});
}

// ---- waiting

const Value* Store::scalar(DatumId id) const {
    const auto found = data_.find(id.number);
    const bool is_there = found != data_.end() && found->second.failure == nullptr &&
                          !found->second.value.empty() && !found->second.type.is_container();
    return is_there ? &found->second.value : nullptr;
}
const Value* Store::element(DatumId id, const Value& key) const {
    const auto datum = data_.find(id.number);
    const Element* found = datum == data_.end() ? nullptr : present(datum->second, key);
    return found == nullptr ? nullptr : &found->value;
}

void Store::deliver(const Subscribe& to, Value value, FailurePointer failure) {
    const bool notify = to.notify && failure == nullptr;
    if (notify) value = to.release ? Value(to.datum) : Value();
    if (to.release && !notify) outbox_.send(rank_, ChangeCounts{to.datum, -1, 0});
    outbox_.send(to.waiter, Deliver{to.task, to.input, to.route, std::move(value),
                                    std::move(failure), notify});
}

void Store::handle(Subscribe&& message) {
    Datum& datum = find(message.datum);
    const bool whole = message.path.empty();
    if (whole ? answer_whole(datum, message) : answer_element(datum, message)) return;
    (whole ? datum.waiters : datum.elements[message.path[0]].waiters).push_back(std::move(message));
}

/// A task asks once for what it has one count of. If it does not wait any more, the answer has returned that, perhaps the last.
void Store::handle(const Unsubscribe& message) {
    const auto found = data_.find(message.datum.number);
    if (found == data_.end()) return;
    auto& waiters = message.path.empty() ? found->second.waiters
                                         : found->second.elements[message.path[0]].waiters;
    const auto is_from = [&](const Subscribe& each) {
        return each.waiter == message.waiter && each.task == message.task;
    };
    if (std::erase_if(waiters, is_from) != 0) handle(ChangeCounts{message.datum, -1, 0});
}

void Store::wake(const Datum& datum, std::vector<Subscribe>& waiters) {
    if (waiters.size() > hottest_.waiters && !is_temporary(datum.name))
        hottest_ = {datum.name, datum.at, waiters.size()};
    for (Subscribe& each : std::exchange(waiters, {})) handle(std::move(each));
}

const Store::Element* Store::present(const Datum& datum, const Value& key) {
    const auto found = datum.elements.find(key);
    return found == datum.elements.end() || found->second.value.empty() ? nullptr : &found->second;
}

bool Store::answer_element(Datum& datum, Subscribe& message) {
    const Element* found = present(datum, message.path[0]);
    const bool last = message.path.size() == 1;
    if (last && message.mode == Mode::presence) {
        deliver(message, Value::boolean(found != nullptr));
        return true;
    }
    if (found == nullptr) return answer_absent(datum, message);
    const Value& value = found->value;
    if (last && message.mode == Mode::contains) {
        deliver(message, Value::boolean(true));
    } else if (!value.is<DatumId>()) {
        REFRAIN_ASSERT(last, "a part of a scalar element is asked for");
        deliver(message, value);
    } else if (last && message.mode == Mode::reference) {
        if (!message.notify) outbox_.send(value.id().owner, ChangeCounts{value.id(), 1, 0});
        deliver(message, value);
    } else {
        message.datum = value.id();
        message.path = message.path.behind(1);
        if (message.datum.owner == rank_)
            handle(std::move(message));
        else
            outbox_.send(message.datum.owner, std::move(message));
    }
    return true;
}

bool Store::answer_absent(const Datum& datum, const Subscribe& message) {
    if (datum.writes > 0) return false;
    const bool last = message.path.size() == 1;
    if (last && message.mode == Mode::contains) {
        deliver(message, datum.failure ? Value() : Value::boolean(false), datum.failure);
        return true;
    }
    if (datum.type.is(Kind::structure) && datum.failure == nullptr)
        return false;  // an unset field stays unset
    FailurePointer failure = datum.failure;
    if (failure == nullptr) {
        failure = std::make_shared<const Failure>(
            Failure{message.at, no_element(datum.name, message.path[0])});
        errors_.push_back(*failure);
    }
    deliver(message, {}, failure);
    return true;
}

bool Store::answer_whole(Datum& datum, Subscribe& message) {
    if (message.mode == Mode::mapping && !datum.mapped && datum.file_name.empty()) {
        deliver(message, {});
        return true;
    }
    const bool named = message.mode == Mode::name || message.mode == Mode::mapping;
    if (named && !datum.file_name.empty()) {
        deliver(message, datum.file_name);
        return true;
    }
    const bool reads_on = datum.type.is(Kind::updateable) && message.mode != Mode::settled;
    if (datum.failure != nullptr && !reads_on) {
        deliver(message, {}, datum.failure);
        return true;
    }
    if (named) return false;
    const bool in_parts = datum.type.has_parts();
    if (message.mode == Mode::settled && datum.writes > 0) return false;
    if (in_parts ? datum.writes > 0 : datum.value.empty()) return false;
    deliver(message, in_parts ? table_of(datum) : datum.value);
    return true;
}

Value Store::table_of(const Datum& datum) {
    Table table;
    for (const auto& [key, element] : datum.elements)
        if (!element.value.empty()) table.emplace(key, element.value);
    return Value::table(std::move(table));
}

std::vector<std::string> Store::left() const {
    std::vector<std::string> all;
    for (const auto& [number, is] : data_) {
        const std::string who = "<" + DatumId{rank_, number}.text() + ">:" + is.name;
        all.push_back(
            (is.writes > 0 || is.type.is_scalar()) && is.value.empty() && is.elements.empty()
                ? "UNSET VARIABLE DETECTED: " + who
                : "LEAK DETECTED: " + who + " t:" + is.type.text() +
                      " r:" + std::to_string(is.reads) + " w:" + std::to_string(is.writes) +
                      " v:" + text_of(is.elements.empty() ? is.value : table_of(is)));
    }
    std::ranges::sort(all);
    return all;
}

Descriptions Store::descriptions() const {
    Descriptions all;
    for (const auto& [number, is] : data_) {
        if (is.part) continue;
        Description made{DatumId{rank_, number}, is.name, is.at, {}};
        add_waiters(is, made.waiters);
        if (is.writes > 0 || !made.waiters.empty()) all.push_back(std::move(made));
    }
    return all;
}
void Store::add_waiters(const Datum& is, std::vector<DatumId>& to) const {
    const auto add = [&](const std::vector<Subscribe>& waiters) {
        for (const Subscribe& each : waiters)
            to.push_back(DatumId::of_input(each.waiter, each.task, each.input));
    };
    add(is.waiters);
    for (const auto& [key, element] : is.elements) {
        add(element.waiters);
        if (element.nested) add_waiters(data_.at(element.value.id().number), to);
    }
}

}  // namespace refrain::script::engine
