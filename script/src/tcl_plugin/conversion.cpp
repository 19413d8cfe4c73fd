#include "tcl_plugin/interpreter.hpp"
#include "values/script_error.hpp"

#include <limits>

namespace refrain::script::tcl {
Tcl_Obj* text_object(const std::string& text) {
    return Tcl_NewStringObj(text.data(), static_cast<int>(text.size()));
}

std::string text_of_object(Tcl_Obj* object) {
    int length = 0;
    const char* text = Tcl_GetStringFromObj(object, &length);
    return {text, static_cast<std::size_t>(length)};
}

namespace {

Tcl_Obj* pair_object(Tcl_Obj* first, Tcl_Obj* second) {
    Tcl_Obj* const parts[] = {first, second};
    return Tcl_NewListObj(2, parts);
}

Tcl_Obj* table_object(const Table& table, const Type& type) {
    if (type.is(Kind::bag)) {
        Tcl_Obj* list = Tcl_NewListObj(0, nullptr);
        for (const auto& [key, element] : table)
            Tcl_ListObjAppendElement(nullptr, list, to_tcl(element, type.element()));
        return list;
    }
    Tcl_Obj* dictionary = Tcl_NewDictObj();
    for (const auto& [key, element] : table) {
        const bool is_struct = type.is(Kind::structure);
        Tcl_Obj* name = to_tcl(key, is_struct ? Kind::string : type.key());
        Tcl_DictObjPut(nullptr, dictionary, name,
                       to_tcl(element, is_struct ? *type.field(key.string()) : type.element()));
    }
    return dictionary;
}

/// What is read from one object.
class Reading {
  public:
    Reading(Tcl_Obj* object, const Type& type, const std::string& what)
        : object_(object), type_(type), what_(what) {}

    [[noreturn]] void refuse(const std::string& why = {}) const {
        std::string text = text_of_object(object_);
        if (text.size() > 60) text = text.substr(0, 57) + "...";
        throw ScriptError(what_ + " is '" + text + "', which is no " + type_.text() +
                          (why.empty() ? "" : ": " + why));
    }
    /// A list of two parts.
    [[nodiscard]] std::pair<Tcl_Obj*, Tcl_Obj*> pair(const char* why) const {
        int count = 0;
        Tcl_Obj** parts = nullptr;
        if (Tcl_ListObjGetElements(nullptr, object_, &count, &parts) != TCL_OK || count != 2)
            refuse(why);
        return {parts[0], parts[1]};
    }
    [[nodiscard]] std::int64_t integer(Tcl_Obj* object) const {
        Tcl_WideInt number = 0;
        if (Tcl_GetWideIntFromObj(nullptr, object, &number) != TCL_OK) refuse();
        return number;
    }
    [[nodiscard]] double floating() const {
        double number = 0;
        if (Tcl_GetDoubleFromObj(nullptr, object_, &number) == TCL_OK) return number;
        if (text_of_object(object_) == "NaN") return std::numeric_limits<double>::quiet_NaN();
        refuse();
    }
    [[nodiscard]] bool truth() const {
        int is = 0;
        if (Tcl_GetBooleanFromObj(nullptr, object_, &is) != TCL_OK) refuse();
        return is != 0;
    }
    [[nodiscard]] Value blob() const {
        const auto [pointer, length] = pair("it is a list of a pointer and a length");
        const auto* bytes = reinterpret_cast<const char*>(integer(pointer));
        const std::int64_t size = integer(length);
        if (size < 0) refuse("its length is negative");
        return Blob{std::make_shared<const std::string>(bytes, static_cast<std::size_t>(size))};
    }
    [[nodiscard]] Value bag() const {
        int count = 0;
        Tcl_Obj** parts = nullptr;
        if (Tcl_ListObjGetElements(nullptr, object_, &count, &parts) != TCL_OK)
            refuse("it is no list");
        Table table;
        for (int i = 0; i < count; ++i)
            table.emplace(std::int64_t{i},
                          from_tcl(parts[i], type_.element(), part(std::to_string(i))));
        return Value::table(std::move(table));
    }
    [[nodiscard]] Value dictionary() const {
        Tcl_DictSearch search;
        Tcl_Obj* key = nullptr;
        Tcl_Obj* element = nullptr;
        int done = 0;
        if (Tcl_DictObjFirst(nullptr, object_, &search, &key, &element, &done) != TCL_OK)
            refuse("it is no dictionary");
        Table table;
        try {
            for (; done == 0; Tcl_DictObjNext(&search, &key, &element, &done)) {
                const std::string name = text_of_object(key);
                const Type* field =
                    type_.is(Kind::structure) ? type_.field(name) : &type_.element();
                if (field == nullptr) refuse("it has no field '" + name + "'");
                Value at = type_.is(Kind::structure)
                               ? Value(name)
                               : from_tcl(key, type_.key(), "a key of " + what_);
                if (!table.emplace(std::move(at), from_tcl(element, *field, part(name))).second)
                    refuse("the key '" + name + "' is there twice, in another spelling");
            }
        } catch (...) {
            Tcl_DictObjDone(&search);
            throw;
        }
        Tcl_DictObjDone(&search);
        if (type_.is(Kind::structure))
            for (const Type::Field& each : type_.fields())
                if (!table.contains(Value(each.name))) refuse("'" + each.name + "' is missing");
        return Value::table(std::move(table));
    }

  private:
    [[nodiscard]] std::string part(const std::string& name) const {
        return "'" + name + "' of " + what_;
    }

    Tcl_Obj* object_;
    const Type& type_;
    const std::string& what_;
};

}  // namespace

Tcl_Obj* to_tcl(const Value& value, const Type& type) {
    if (value.is<std::int64_t>() || value.is<double>())
        return type.is(Kind::floating) || value.is<double>()
                   ? Tcl_NewDoubleObj(value.floating())
                   : Tcl_NewWideIntObj(static_cast<Tcl_WideInt>(value.integer()));
    if (value.is<bool>()) return Tcl_NewIntObj(value.truth() ? 1 : 0);
    if (value.is<std::string>()) return text_object(value.string());
    if (value.is<Value::File>()) return pair_object(text_object(value.path()), Tcl_NewIntObj(1));
    if (value.is<Blob>()) {
        const std::string& bytes = *value.get<Blob>().bytes;
        return pair_object(Tcl_NewWideIntObj(reinterpret_cast<Tcl_WideInt>(bytes.data())),
                           Tcl_NewWideIntObj(static_cast<Tcl_WideInt>(bytes.size())));
    }
    if (value.is<Value::TablePointer>()) return table_object(value.entries(), type);
    return Tcl_NewObj();
}

Value from_tcl(Tcl_Obj* object, const Type& type, const std::string& what) {
    const Reading reading(object, type, what);
    if (type.is(Kind::integer)) return reading.integer(object);
    if (type.is(Kind::floating)) return reading.floating();
    if (type.is(Kind::boolean)) return Value::boolean(reading.truth());
    if (type.is(Kind::string)) return text_of_object(object);
    if (type.is(Kind::void_)) return Void{};
    if (type.is(Kind::blob)) return reading.blob();
    if (type.is(Kind::bag)) return reading.bag();
    if (type.is(Kind::array) || type.is(Kind::structure)) return reading.dictionary();
    if (!type.is(Kind::file)) reading.refuse("functions of Tcl have no such outputs");
    return Value::file(text_of_object(reading.pair("it is a list of a path and a count").first));
}

}  // namespace refrain::script::tcl
