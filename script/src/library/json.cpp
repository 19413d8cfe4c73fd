/// `import json;`. What is got from a document is text as Python prints it, as in the original.

#include "library/modules.hpp"
#include "values/format.hpp"
#include "values/text.hpp"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace refrain::script::json_module {
namespace {

using Json = nlohmann::ordered_json;  // of a name that an object has twice the last value counts

Json document(const std::string& text) {
    const auto limited = [](int depth, Json::parse_event_t, Json&) {
        if (depth > 1000) throw ScriptError("this JSON is nested more than 1000 deep");
        return true;
    };
    try {
        return Json::parse(text, limited);
    } catch (const Json::exception& error) {
        const std::string_view why = error.what();
        throw ScriptError("this is no JSON: ", why.substr(why.find(' ') + 1));
    }
}

/// Follows "names,0,first": names of objects and indexes of arrays.
Json at_path(const Value& text, const std::string& path) {
    Json at = document(text.string());
    for (const std::string& key : parts_of(path, ",")) {
        const auto index = at.is_array() ? read_number<std::size_t>(key) : std::nullopt;
        if (index ? *index >= at.size() : !at.is_object() || !at.contains(key))
            throw ScriptError("there is no '" + key + "' on the path '" + path + "'");
        Json part = std::move(index ? at[*index] : at[key]);
        at = std::move(part);
    }
    return at;
}

std::string quoted_in_python(const std::string& text) {
    const bool apostrophe =
        text.find('\'') != std::string::npos && text.find('"') == std::string::npos;
    return in_quotes(text, apostrophe ? '"' : '\'');
}
std::string in_python(const Json& is) {
    if (is.is_null()) return "None";
    if (is.is_boolean()) return is.get<bool>() ? "True" : "False";
    if (is.is_number_float()) return float_text(is.get<double>());
    if (is.is_number()) return is.dump();
    if (is.is_string()) return quoted_in_python(is.get<std::string>());
    std::string all;
    for (const auto& [name, part] : is.items())
        all += (all.empty() ? "" : ", ") + (is.is_object() ? quoted_in_python(name) + ": " : "") +
               in_python(part);
    return is.is_object() ? "{" + all + "}" : "[" + all + "]";
}
std::string shown(const Json& is) {
    return is.is_string() ? is.get<std::string>() : is.is_null() ? "null" : in_python(is);
}

Value type(In in, Services&) {
    const Json is = at_path(in[0], in[1].string());
    return is.is_number_float() ? "float" : is.is_number() ? "int" : is.type_name();
}
std::string got(const Value& text, const std::string& path) {
    return shown(at_path(text, path));
}
Value get_boolean(In in, Services&) {
    const std::string text = got(in[0], in[1].string());
    if (text != "True" && text != "False")
        throw ScriptError("'" + text + "' on the path '" + in[1].string() + "' is no boolean");
    return Value::boolean(text == "True");
}
Value array_size(In in, Services&) {
    const Json is = at_path(in[0], in[1].string());
    if (!is.is_array()) throw ScriptError("on the path '" + in[1].string() + "' there is no array");
    return static_cast<std::int64_t>(is.size());
}
Value object_names(In in, Services&) {
    const Json is = at_path(in[0], in[1].string());
    if (!is.is_object())
        throw ScriptError("on the path '" + in[1].string() + "' there is no object");
    std::string all;
    for (const auto& [name, part] : is.items()) all += (all.empty() ? "" : ",") + name;
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

std::vector<std::string> formats(const Value& text) {
    std::vector<std::string> all = parts_of(text.string(), " ");
    for (const std::string& each : all)
        if (!each.starts_with('%')) throw ScriptError("the format '" + each + "' has no %");
    return all;
}

enum class As : std::uint8_t { itself, types, format };

/// Names of an object and what values are converted to come first; `Bare` is without the brackets.
template <bool Object, As Conversion, bool Bare>
Value encoded(In in, Services&) {
    std::vector<std::string> names;
    std::vector<std::string> conversions;
    std::size_t first = 0;
    if (Object) names = texts_of(in[first++]);
    if (Conversion != As::itself)
        conversions = Conversion == As::types ? texts_of(in[first++]) : formats(in[first++]);
    in = in.subspan(first);
    const auto check = [&](const std::vector<std::string>& list, const char* what) {
        if (list.size() != in.size())
            throw ScriptError("there are ", list.size(), " ", what, " for ", in.size(), " values");
    };
    if (Object) check(names, "names");
    if (Conversion != As::itself) check(conversions, "types");
    std::string all;
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (i != 0) all += ", ";
        if (Object) all += json_module::quoted(names[i]) + ":";
        all += Conversion == As::itself ? plain(in[i]) : converted(in[i], conversions[i]);
    }
    if (Bare) return all;
    return Object ? "{" + all + "}" : "[" + all + "]";
}

constexpr Builtin all[] = {
    {"(string t) json_type(string J, string path)", type},
    {"(string t) json_get(string J, string path)",
     of([](const Value& text, const std::string& path) { return got(text, path); })},
    {"(int t) json_get_int(string J, string path)",
     of([](const Value& text, const std::string& path) { return parse_integer(got(text, path)); })},
    {"(float t) json_get_float(string J, string path)",
     of([](const Value& text, const std::string& path) { return parse_float(got(text, path)); })},
    {"(boolean t) json_get_boolean(string J, string path)", get_boolean},
    {"(int t) json_array_size(string J, string path)", array_size},
    {"(string t) json_object_names(string J, string path)", object_names},
    {"(string o) json_arrayify(string text)",
     of([](const std::string& text) { return "[" + text + "]"; })},
    {"(string o) json_objectify(string text)",
     of([](const std::string& text) { return "{" + text + "}"; })},
    {"(string o) json_encode_array(int|float|string|boolean... args)",
     encoded<false, As::itself, false>},
    {"(string o) json_encode_array_contents(int|float|string|boolean... args)",
     encoded<false, As::itself, true>},
    {"(string o) json_encode_array_retype(string types[], int|float|string|boolean... args)",
     encoded<false, As::types, false>},
    {"(string o) json_encode_array_contents_retype(string types[], int|float|string|boolean... "
     "args)",
     encoded<false, As::types, true>},
    {"(string o) json_encode_array_format(string format, int|float|string|boolean... args)",
     encoded<false, As::format, false>},
    {"(string o) json_encode_array_contents_format(string format, int|float|string|boolean... "
     "args)",
     encoded<false, As::format, true>},
    {"(string o) json_encode_object(string names[], int|float|string|boolean... args)",
     encoded<true, As::itself, false>},
    {"(string o) json_encode_object_contents(string names[], int|float|string|boolean... args)",
     encoded<true, As::itself, true>},
    {"(string o) json_encode_object_retype(string names[], string types[], "
     "int|float|string|boolean... args)",
     encoded<true, As::types, false>},
    {"(string o) json_encode_object_contents_retype(string names[], string types[], "
     "int|float|string|boolean... args)",
     encoded<true, As::types, true>},
    {"(string o) json_encode_object_format(string names[], string format, "
     "int|float|string|boolean... args)",
     encoded<true, As::format, false>},
    {"(string o) json_encode_object_contents_format(string names[], string format, "
     "int|float|string|boolean... args)",
     encoded<true, As::format, true>},
};

}  // namespace
}  // namespace refrain::script::json_module

const refrain::script::Builtins refrain::script::json_functions = json_module::all;
