#include "leaves/native.hpp"

#include "values/script_error.hpp"

#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

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
std::span<const Value> without_team(Arguments arguments) {
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

/// Room for the values of a call, which the next one in the thread uses again: most calls need no memory. Between calls all
/// are plain, so that nothing is destroyed. A function may run a script that calls another one: each call has its own.
class LeafValues {
  public:
    explicit LeafValues(std::size_t count) : count_(count), all_(std::exchange(kept_, {})) {
        if (all_.size() < count) all_.resize(count);
    }
    LeafValues(const LeafValues&) = delete;
    LeafValues& operator=(const LeafValues&) = delete;
    ~LeafValues() {
        for (std::size_t i = 0; i < count_; ++i)
            if (!all_[i].is_plain()) all_[i] = {};
        kept_ = std::move(all_);
    }
    void set(std::size_t i, const Value& value) {
        if (value.is<std::int64_t>())
            new (&all_[i]) LeafValue{value.integer()};
        else if (value.is<double>())
            new (&all_[i]) LeafValue{value.floating()};
        else
            all_[i] = to_leaf(value);
    }
    void set_empty(std::size_t i) { new (&all_[i]) LeafValue; }
    [[nodiscard]] LeafValue* data() { return all_.data(); }

  private:
    std::size_t count_;
    std::vector<LeafValue> all_;
    inline static thread_local std::vector<LeafValue> kept_;
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

void NativeLeaf::call(Arguments arguments, Results results, Services&) const {
    if (definition_.policy.by_team) arguments = without_team(arguments);
    LeafValues values(arguments.size() + results.size());
    LeafValue* const in = values.data();
    LeafValue* const out = in + arguments.size();
    for (std::size_t i = 0; i < arguments.size(); ++i) values.set(i, arguments[i]);
    for (std::size_t i = 0; i < results.size(); ++i) values.set_empty(arguments.size() + i);
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
