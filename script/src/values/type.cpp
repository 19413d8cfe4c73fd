#include "values/type.hpp"

#include <algorithm>

namespace refrain::script {
namespace {

const char* name_of(Kind kind) {
    switch (kind) {
        case Kind::none:
            return "none";
        case Kind::integer:
            return "int";
        case Kind::floating:
            return "float";
        case Kind::boolean:
            return "boolean";
        case Kind::string:
            return "string";
        case Kind::void_:
            return "void";
        case Kind::blob:
            return "blob";
        case Kind::file:
            return "file";
        case Kind::updateable:
            return "updateable_float";
        default:
            return "?";
    }
}

}  // namespace

Type Type::array(Type key, Type element) {
    return Type(Kind::array, {}, {std::move(key), std::move(element)});
}

Type Type::bag(Type element) {
    return Type(Kind::bag, {}, {std::move(element)});
}

Type Type::structure(std::string name, std::vector<Field> fields) {
    Type type(Kind::structure, std::move(name), {});
    type.fields_ = std::make_shared<const std::vector<Field>>(std::move(fields));
    return type;
}

Type Type::alternative(std::vector<Type> types) {
    return Type(Kind::alternative, {}, std::move(types));
}

Type Type::variable(std::string name) {
    return Type(Kind::variable, std::move(name), {});
}

Type Type::renamed(std::string name) const {
    Type type = *this;
    type.name_ = std::move(name);
    return type;
}

Type Type::base() const {
    Type type = *this;
    if (!is(Kind::structure) && !is(Kind::variable)) type.name_.clear();
    return type;
}

const std::vector<Type::Field>& Type::fields() const {
    static const std::vector<Field> none;
    return fields_ ? *fields_ : none;
}

const Type* Type::field(const std::string& name) const {
    for (const Field& each : fields())
        if (each.name == name) return &each.type;
    return nullptr;
}

bool Type::is_container() const {
    return is(Kind::array) || is(Kind::bag) || is(Kind::structure) || is(Kind::file);
}

bool Type::may_be_key() const {
    return is(Kind::integer) || is(Kind::string) || is(Kind::floating) || is(Kind::boolean);
}

std::string Type::text() const {
    if (!name_.empty()) return name_;
    if (is(Kind::bag)) return "bag<" + element().text() + ">";
    if (is(Kind::array)) {
        // The outer index comes first: the element type's brackets follow ours.
        std::string inner = element().text();
        const std::string index = key().is(Kind::integer) ? "[]" : "[" + key().text() + "]";
        const std::size_t bracket =
            element().is(Kind::array) && element().name().empty() ? inner.find('[') : inner.size();
        return inner.insert(std::min(bracket, inner.size()), index);
    }
    if (is(Kind::alternative)) {
        std::string all;
        for (const Type& part : parts_) all += (all.empty() ? "" : "|") + part.text();
        return all;
    }
    return name_of(kind_);
}

}  // namespace refrain::script
