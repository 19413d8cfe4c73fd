#include "leaves/native.hpp"

#include "values/script_error.hpp"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <new>

namespace refrain::script {
namespace {

struct Registry {
    std::mutex mutex;
    std::map<std::string, LeafFunction> functions;
};
Registry& registry() {
    static Registry all;
    return all;
}

LeafValue to_leaf(const Value& value) {
    if (value.is<std::int64_t>()) return {value.integer()};
    if (value.is<double>()) return {value.floating()};
    if (value.is<bool>()) return {value.truth()};
    if (value.is<std::string>()) return {value.string()};
    if (value.is<Value::File>()) return {value.path()};
    if (value.is<Value::TablePointer>()) {
        LeafValue::Table table;
        for (const auto& [key, element] : value.entries())
            table.emplace(
                key.is<std::int64_t>() ? key.integer() : static_cast<std::int64_t>(table.size()),
                to_leaf(element));
        return {table};
    }
    return {};
}

Value from_leaf(const LeafValue& value, const Type& type) {
    if (type.is(Kind::void_)) return Void{};
    if (const auto* is = std::get_if<std::int64_t>(&value.is))
        return type.is(Kind::floating) ? Value(static_cast<double>(*is)) : Value(*is);
    if (const auto* is = std::get_if<double>(&value.is)) return *is;
    if (const auto* is = std::get_if<bool>(&value.is)) return Value::boolean(*is);
    if (const auto* is = std::get_if<std::string>(&value.is))
        return type.is(Kind::file) ? Value::file(*is) : Value(*is);
    if (const auto* is = std::get_if<LeafValue::Table>(&value.is);
        is != nullptr && type.is(Kind::array)) {
        Table table;
        for (const auto& [key, element] : *is)
            table.emplace(key, from_leaf(element, type.element()));
        return Value::table(std::move(table));
    }
    throw ScriptError("it returned a value that is no " + type.text());
}

/// The size of the team is no argument of the function.
std::span<const Value> without_team(std::span<const Value> arguments) {
    const std::int64_t asked = arguments.back().integer();
    if (asked < 1) throw ScriptError("@par is ", asked, "; it is at least 1");
    if (asked != team().size)
        throw ScriptError("@par is ", asked,
                          ", and teams are of ranks of MPI: start the script by mpirun -n ", asked,
                          ", or more");
    return arguments.first(arguments.size() - 1);
}

bool fits(const Value& value, const Type& type) {
    if (value.is<std::int64_t>() && type.is(Kind::integer)) return true;  // the usual ones first
    if (value.is<double>() && type.is(Kind::floating)) return true;
    return !type.may_be_key() || type.is(kind_of(value));
}

/// Values of one call, made where they lie; most calls need no memory.
class LeafValues {
  public:
    explicit LeafValues(std::size_t most)
        : many_(most > few_max ? std::make_unique<Room[]>(most) : nullptr),
          first_(reinterpret_cast<LeafValue*>(many_ ? many_.get() : few_.data())),
          end_(first_) {}
    LeafValues(const LeafValues&) = delete;
    LeafValues& operator=(const LeafValues&) = delete;
    ~LeafValues() {
        for (LeafValue* each = first_; each != end_; ++each)
            if (!each->is_plain()) each->~LeafValue();
    }
    void add(const Value& value) {
        if (value.is<std::int64_t>())
            new (end_) LeafValue{value.integer()};
        else if (value.is<double>())
            new (end_) LeafValue{value.floating()};
        else
            new (end_) LeafValue(to_leaf(value));
        ++end_;
    }
    void add_empty() { new (end_++) LeafValue; }
    [[nodiscard]] LeafValue* data() { return first_; }

  private:
    struct Room {
        alignas(LeafValue) std::array<std::byte, sizeof(LeafValue)> bytes;
    };
    static constexpr std::size_t few_max = 8;
    std::array<Room, few_max> few_;
    std::unique_ptr<Room[]> many_;
    LeafValue* first_;
    LeafValue* end_;
};

}  // namespace

Team& team_of_this_thread() {
    thread_local Team own;
    return own;
}
const Team& team() {
    return team_of_this_thread();
}

bool register_leaf_function(const std::string& name, LeafFunction function) {
    const std::lock_guard lock(registry().mutex);
    registry().functions[name] = function;
    return true;
}

LeafFunction find_leaf_function(const std::string& name) {
    const std::lock_guard lock(registry().mutex);
    const auto found = registry().functions.find(name);
    return found == registry().functions.end() ? nullptr : found->second;
}

namespace detail {

void wrong_leaf_argument(std::size_t index, const char* expected) {
    throw ScriptError("argument ", index + 1, " is not ", expected,
                      ", as the C++ function expects; change the declaration in the script");
}
void wrong_leaf_count(const char* what, std::size_t expected, std::size_t given) {
    throw ScriptError("the C++ function has ", expected, " ", what, ", but the script declares ",
                      given);
}

}  // namespace detail

void NativeLeaf::call(std::span<const Value> arguments, std::span<Value> results, Services&) const {
    if (definition_.policy.by_team) arguments = without_team(arguments);
    LeafValues all(arguments.size() + results.size());
    LeafValue* const in = all.data();
    LeafValue* const out = in + arguments.size();
    for (const Value& each : arguments) all.add(each);
    for (std::size_t i = 0; i < results.size(); ++i) all.add_empty();
    // A function that returns nothing may be declared with a void output.
    const bool only_void = results.size() == 1 && definition_.outputs[0].is(Kind::void_);
    function_(in, arguments.size(), out, only_void ? 0 : results.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        results[i] = from_leaf(out[i], definition_.outputs[i]);
        if (!fits(results[i], definition_.outputs[i]))
            throw ScriptError("'" + definition_.name + "' returned a value that is no " +
                              definition_.outputs[i].text());
    }
}

}  // namespace refrain::script
