#include "values/type.hpp"

#include "values/value.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace refrain::script {
namespace {

constexpr std::size_t kind_count = static_cast<std::size_t>(Kind::variable) + 1;
constexpr std::array<const char*, kind_count> kind_names = {
    "none", "int", "float", "boolean", "string",           "void", "blob",
    "file", "?",   "?",     "?",       "updateable_float", "?",    "?"};

}  // namespace

Type::Type(Kind kind) {
    static const auto simple = [] {
        std::array<Is, kind_count> all;
        for (std::size_t i = 0; i < all.size(); ++i) all[i].kind = static_cast<Kind>(i);
        return all;
    }();
    is_ = {std::shared_ptr<const Is>(), &simple[static_cast<std::size_t>(kind)]};
}

Type Type::made(Is is) {
    return Type(std::make_shared<const Is>(std::move(is)));
}
Type Type::array(Type key, Type element) {
    return made({Kind::array, {}, {std::move(key), std::move(element)}, {}});
}
Type Type::bag(Type element) {
    return made({Kind::bag, {}, {std::move(element)}, {}});
}
Type Type::structure(std::string name, std::vector<Field> fields) {
    return made({Kind::structure, std::move(name), {}, std::move(fields)});
}
Type Type::alternative(std::vector<Type> types) {
    return made({Kind::alternative, {}, std::move(types), {}});
}
Type Type::variable(std::string name) {
    return made({Kind::variable, std::move(name), {}, {}});
}

Type Type::renamed(std::string name) const {
    Is is = *is_;
    is.name = std::move(name);
    return made(std::move(is));
}

Type Type::base() const {
    return is(Kind::structure) || is(Kind::variable) || name().empty() ? *this : renamed({});
}

Kind kind_of(const Value& value) {
    return value.is<std::int64_t>()  ? Kind::integer
           : value.is<double>()      ? Kind::floating
           : value.is<bool>()        ? Kind::boolean
           : value.is<std::string>() ? Kind::string
           : value.is<Void>()        ? Kind::void_
                                     : Kind::none;
}

const Type* Type::field(const std::string& name) const {
    for (const Field& each : fields())
        if (each.name == name) return &each.type;
    return nullptr;
}

bool Type::has_parts() const {
    return is(Kind::array) || is(Kind::bag) || is(Kind::structure);
}

bool Type::is_scalar() const {
    return may_be_key() || is(Kind::void_) || is(Kind::blob);
}

bool Type::may_be_key() const {
    return is(Kind::integer) || is(Kind::string) || is(Kind::floating) || is(Kind::boolean);
}

std::string Type::text() const {
    if (!name().empty()) return name();
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
        for (const Type& part : parts()) all += (all.empty() ? "" : "|") + part.text();
        return all;
    }
    return kind_names[static_cast<std::size_t>(kind())];
}

std::string Type::with_article() const {
    const std::string is = text();
    const bool vowel = std::string_view("aeio").find(is.front()) != std::string_view::npos;
    return (vowel || is.starts_with("up") ? "an " : "a ") + is;
}

}  // namespace refrain::script
