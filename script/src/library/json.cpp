/// `import json;`. What is got from a document is text as Python prints it, as in the original.

#include "library/modules.hpp"
#include "library/numbers.hpp"
#include "values/format.hpp"
#include "values/script_error.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace refrain::script {
namespace json_module {
namespace {

using In = Builtin::Arguments;

/// A document, or a part of one.
struct Json {
    enum class Kind : std::uint8_t { null, boolean, integer, floating, string, array, object };
    Kind kind = Kind::null;
    std::string text;  // of numbers and strings; "True" or "False"
    std::vector<std::string> names;
    std::vector<Json> parts;
};

/// Makes the document of what the parser finds. Numbers that no int holds keep their digits.
class Reader : public nlohmann::json_sax<nlohmann::json> {
  public:
    Json document(const std::string& text) {
        nlohmann::json::sax_parse(text, this);
        return std::move(document_);
    }
    bool null() override { return add({Json::Kind::null, "null", {}, {}}); }
    bool boolean(bool is) override {
        return add({Json::Kind::boolean, is ? "True" : "False", {}, {}});
    }
    bool number_integer(number_integer_t is) override { return integer(std::to_string(is)); }
    bool number_unsigned(number_unsigned_t is) override { return integer(std::to_string(is)); }
    bool number_float(number_float_t is, const std::string& digits) override {
        if (digits.find_first_of(".eE") == std::string::npos) return integer(digits);
        return add({Json::Kind::floating, float_text(is), {}, {}});
    }
    bool string(std::string& is) override { return add({Json::Kind::string, is, {}, {}}); }
    bool binary(binary_t&) override { return false; }  // no text has any
    bool start_array(std::size_t) override { return begin(Json::Kind::array); }
    bool start_object(std::size_t) override { return begin(Json::Kind::object); }
    bool end_array() override { return end(); }
    bool end_object() override {
        drop_repeated(open_.back().is);
        return end();
    }
    bool key(std::string& name) override {
        name_ = name;
        return true;
    }
    bool parse_error(std::size_t, const std::string&,
                     const nlohmann::detail::exception& error) override {
        const std::string_view why = error.what();
        throw ScriptError("this is no JSON: " + std::string(why.substr(why.find(' ') + 1)));
    }

  private:
    bool integer(std::string digits) {
        return add({Json::Kind::integer, std::move(digits), {}, {}});
    }
    bool begin(Json::Kind kind) {
        constexpr std::size_t depth_max = 1000;
        if (open_.size() == depth_max) throw ScriptError("this JSON is nested more than 1000 deep");
        open_.push_back({{kind, {}, {}, {}}, name_});
        return true;
    }
    bool end() {
        Open done = std::move(open_.back());
        open_.pop_back();
        name_ = std::move(done.name);
        return add(std::move(done.is));
    }
    bool add(Json part) {
        if (open_.empty()) {
            document_ = std::move(part);
            return true;
        }
        Json& into = open_.back().is;
        if (into.kind == Json::Kind::object) into.names.push_back(name_);
        into.parts.push_back(std::move(part));
        return true;
    }
    /// Of a name that an object has twice the last value counts, as in Python.
    static void drop_repeated(Json& object) {
        std::map<std::string, std::size_t> places;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < object.names.size(); ++i) {
            const auto [found, is_new] = places.try_emplace(object.names[i], kept);
            object.names[found->second] = found->first;
            Json part = std::move(object.parts[i]);
            object.parts[found->second] = std::move(part);
            if (is_new) ++kept;
        }
        object.names.resize(kept);
        object.parts.resize(kept);
    }

    struct Open {
        Json is;
        std::string name;  // under which it stands
    };
    std::vector<Open> open_;
    std::string name_;
    Json document_;
};

/// Follows "names,0,first": names of objects and indexes of arrays.
Json at_path(const Value& document, const std::string& path) {
    Json at = Reader().document(document.string());
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find(',', begin), path.size());
        const std::string key = path.substr(begin, end - begin);
        begin = end + 1;
        if (key.empty()) continue;
        std::size_t index = at.parts.size();
        if (at.kind == Json::Kind::object)
            index = static_cast<std::size_t>(std::ranges::find(at.names, key) - at.names.begin());
        else if (at.kind == Json::Kind::array &&
                 key.find_first_not_of("0123456789") == std::string::npos && key.size() < 10)
            index = std::stoul(key);
        if (index >= at.parts.size())
            throw ScriptError("there is no '" + key + "' on the path '" + path + "'");
        Json part = std::move(at.parts[index]);
        at = std::move(part);
    }
    return at;
}

std::string in_python(const Json& is) {
    if (is.kind == Json::Kind::null) return "None";
    if (is.kind == Json::Kind::string) {
        const char quote =
            is.text.find('\'') != std::string::npos && is.text.find('"') == std::string::npos
                ? '"'
                : '\'';
        std::string quoted(1, quote);
        for (const char letter : is.text) {
            if (letter == quote || letter == '\\') quoted += '\\';
            const auto code = static_cast<unsigned char>(letter);
            if (letter == '\n')
                quoted += "\\n";
            else if (letter == '\t')
                quoted += "\\t";
            else if (letter == '\r')
                quoted += "\\r";
            else if (code < 0x20 || code == 0x7f)
                quoted += format_values("\\x%02x", std::array<Value, 1>{Value(std::int64_t{code})});
            else
                quoted += letter;
        }
        return quoted + quote;
    }
    if (is.kind != Json::Kind::array && is.kind != Json::Kind::object) return is.text;
    const bool object = is.kind == Json::Kind::object;
    std::string all(1, object ? '{' : '[');
    for (std::size_t i = 0; i < is.parts.size(); ++i) {
        if (i != 0) all += ", ";
        if (object) all += in_python({Json::Kind::string, is.names[i], {}, {}}) + ": ";
        all += in_python(is.parts[i]);
    }
    return all + (object ? '}' : ']');
}
std::string shown(const Json& is) {
    return is.parts.empty() && is.kind != Json::Kind::array && is.kind != Json::Kind::object
               ? is.text
               : in_python(is);
}

Value type(In in, Services&) {
    static constexpr std::array<const char*, 7> names = {"null",   "boolean", "int",   "float",
                                                         "string", "array",   "object"};
    return names[static_cast<std::size_t>(at_path(in[0], in[1].string()).kind)];
}
Value get(In in, Services&) {
    return shown(at_path(in[0], in[1].string()));
}
Value get_int(In in, Services&) {
    return parse_integer(shown(at_path(in[0], in[1].string())));
}
Value get_float(In in, Services&) {
    return parse_float(shown(at_path(in[0], in[1].string())));
}
Value get_boolean(In in, Services&) {
    const std::string text = shown(at_path(in[0], in[1].string()));
    if (text != "True" && text != "False")
        throw ScriptError("'" + text + "' on the path '" + in[1].string() + "' is no boolean");
    return Value::boolean(text == "True");
}
Value array_size(In in, Services&) {
    const Json is = at_path(in[0], in[1].string());
    if (is.kind != Json::Kind::array)
        throw ScriptError("on the path '" + in[1].string() + "' there is no array");
    return static_cast<std::int64_t>(is.parts.size());
}
Value object_names(In in, Services&) {
    const Json is = at_path(in[0], in[1].string());
    if (is.kind != Json::Kind::object)
        throw ScriptError("on the path '" + in[1].string() + "' there is no object");
    std::string all;
    for (const std::string& each : is.names) all += (all.empty() ? "" : ",") + each;
    return all;
}

// ---- encoding

/// What is no UTF-8 is replaced.
std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}
std::string plain(const Value& value) {
    if (value.is<std::string>()) return quoted(value.string());
    if (value.is<bool>()) return value.truth() ? "true" : "false";
    return text_of(value);
}
double number_of(const Value& value, const std::string& type) {
    if (value.is<bool>()) return value.truth() ? 1 : 0;
    if (!value.is<std::string>()) return value.floating();
    try {
        return parse_float(value.string());
    } catch (const ScriptError&) {
        throw ScriptError("cannot convert '" + value.string() + "' to " + type);
    }
}
Value int_from(const Value& value, const std::string& type) {
    if (value.is<std::int64_t>()) return value;
    if (const auto whole = int_of(std::trunc(number_of(value, type)))) return *whole;
    throw ScriptError("cannot convert " + text_of(value) + " to " + type);
}
/// `as` is a type, or a format: of %B %J %A %O %N and the conversions of printf.
std::string converted(const Value& value, const std::string& as) {
    const bool format = as.starts_with('%');
    const char last = as.empty() ? ' ' : as.back();
    const auto is = [&](std::string_view name, char letter) {
        return format ? last == letter : as == name;
    };
    if (is("null", 'N')) return "null";
    if (is("json", 'J')) return text_of(value);
    if (is("array", 'A')) return "[ " + text_of(value) + " ]";
    if (is("object", 'O')) return "{ " + text_of(value) + " }";
    if (is("boolean", 'B')) return number_of(value, as) == 0 ? "false" : "true";
    const bool string = is("string", 's');
    std::array<Value, 1> one{string ? Value(text_of(value)) : value};
    if (is("int", 'i') || is("int", 'd'))
        one[0] = int_from(value, as);
    else if (is("float", 'f'))
        one[0] = Value(number_of(value, as));
    else if (!string && !format)
        throw ScriptError("there is no type '" + as + "' in JSON");
    const std::string text = format ? format_values(as, one) : text_of(one[0]);
    return string ? quoted(text) : text;
}

/// The values from `first` on, with names and with what they are converted to, as far as given.
std::string contents(In in, std::size_t first, const std::vector<std::string>* names,
                     const std::vector<std::string>* conversions) {
    const std::size_t count = in.size() - first;
    const auto check = [&](const std::vector<std::string>* list, const char* what) {
        if (list != nullptr && list->size() != count)
            throw ScriptError("there are " + std::to_string(list->size()) + " " + what + " for " +
                              std::to_string(count) + " values");
    };
    check(names, "names");
    check(conversions, "types");
    std::string all;
    for (std::size_t i = 0; i < count; ++i) {
        if (i != 0) all += ", ";
        if (names != nullptr) all += quoted((*names)[i]) + ":";
        all += conversions == nullptr ? plain(in[first + i])
                                      : converted(in[first + i], (*conversions)[i]);
    }
    return all;
}
std::vector<std::string> strings(const Value& array) {
    std::vector<std::string> all;
    for (const auto& [key, each] : array.entries()) all.push_back(each.string());
    return all;
}
std::vector<std::string> formats(const Value& text) {
    std::vector<std::string> all(1);
    for (const char letter : text.string()) {
        if (letter != ' ')
            all.back() += letter;
        else if (!all.back().empty())
            all.emplace_back();
    }
    if (all.back().empty()) all.pop_back();
    for (const std::string& each : all)
        if (!each.starts_with('%')) throw ScriptError("the format '" + each + "' has no %");
    return all;
}

enum class As : std::uint8_t { itself, types, format };
enum class Around : std::uint8_t { nothing, array, object };

template <bool Object, As Conversion, Around Brackets>
Value encoded(In in, Services&) {
    std::size_t first = 0;
    std::vector<std::string> names;
    std::vector<std::string> conversions;
    if (Object) names = strings(in[first++]);
    if (Conversion == As::types) conversions = strings(in[first++]);
    if (Conversion == As::format) conversions = formats(in[first++]);
    const std::string all = contents(in, first, Object ? &names : nullptr,
                                     Conversion == As::itself ? nullptr : &conversions);
    if (Brackets == Around::nothing) return all;
    return Brackets == Around::array ? "[" + all + "]" : "{" + all + "}";
}
template <Around Brackets>
Value in_brackets(In in, Services&) {
    return Brackets == Around::array ? "[" + in[0].string() + "]" : "{" + in[0].string() + "}";
}

constexpr Builtin all[] = {
    {"(string t) json_type(string J, string path)", type},
    {"(string t) json_get(string J, string path)", get},
    {"(int t) json_get_int(string J, string path)", get_int},
    {"(float t) json_get_float(string J, string path)", get_float},
    {"(boolean t) json_get_boolean(string J, string path)", get_boolean},
    {"(int t) json_array_size(string J, string path)", array_size},
    {"(string t) json_object_names(string J, string path)", object_names},
    {"(string o) json_arrayify(string text)", in_brackets<Around::array>},
    {"(string o) json_objectify(string text)", in_brackets<Around::object>},
    {"(string o) json_encode_array(int|float|string|boolean... args)",
     encoded<false, As::itself, Around::array>},
    {"(string o) json_encode_array_contents(int|float|string|boolean... args)",
     encoded<false, As::itself, Around::nothing>},
    {"(string o) json_encode_array_retype(string types[], int|float|string|boolean... args)",
     encoded<false, As::types, Around::array>},
    {"(string o) json_encode_array_contents_retype(string types[], int|float|string|boolean... "
     "args)",
     encoded<false, As::types, Around::nothing>},
    {"(string o) json_encode_array_format(string format, int|float|string|boolean... args)",
     encoded<false, As::format, Around::array>},
    {"(string o) json_encode_array_contents_format(string format, int|float|string|boolean... "
     "args)",
     encoded<false, As::format, Around::nothing>},
    {"(string o) json_encode_object(string names[], int|float|string|boolean... args)",
     encoded<true, As::itself, Around::object>},
    {"(string o) json_encode_object_contents(string names[], int|float|string|boolean... args)",
     encoded<true, As::itself, Around::nothing>},
    {"(string o) json_encode_object_retype(string names[], string types[], "
     "int|float|string|boolean... args)",
     encoded<true, As::types, Around::object>},
    {"(string o) json_encode_object_contents_retype(string names[], string types[], "
     "int|float|string|boolean... args)",
     encoded<true, As::types, Around::nothing>},
    {"(string o) json_encode_object_format(string names[], string format, "
     "int|float|string|boolean... args)",
     encoded<true, As::format, Around::object>},
    {"(string o) json_encode_object_contents_format(string names[], string format, "
     "int|float|string|boolean... args)",
     encoded<true, As::format, Around::nothing>},
};

}  // namespace
}  // namespace json_module

const std::span<const Builtin> json_functions = json_module::all;

}  // namespace refrain::script
