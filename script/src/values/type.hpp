#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace refrain::script {

enum class Kind : std::uint8_t {
    none,
    integer,
    floating,
    boolean,
    string,
    void_,
    blob,
    file,
    array,        // parts: key, element
    bag,          // parts: element
    structure,    // fields
    updateable,   // updateable_float
    alternative,  // parts: the types that an argument may have
    variable,     // a type variable: `name`
};

/// A type of the language.
///
///     Type::array(Kind::string, Kind::integer).text()  -> "int[string]"
///
/// A subtype (`type celsius float;`) has the kind and the parts of its base, and a name. Two types are
/// equal if kind, name and parts are; structures are equal if their names are.
class Type {
  public:
    struct Field;

    Type() : Type(Kind::none) {}
    Type(Kind kind);              // a simple one
    Type(const Type&) = default;  // and no move: a type is never empty
    Type& operator=(const Type&) = default;
    ~Type() = default;
    [[nodiscard]] static Type array(Type key, Type element);
    [[nodiscard]] static Type bag(Type element);
    [[nodiscard]] static Type structure(std::string name, std::vector<Field> fields);
    [[nodiscard]] static Type alternative(std::vector<Type> types);
    [[nodiscard]] static Type variable(std::string name);
    /// The subtype `name` of this type.
    [[nodiscard]] Type renamed(std::string name) const;
    /// The type that a subtype converts to; other types are their own.
    [[nodiscard]] Type base() const;

    [[nodiscard]] Kind kind() const { return is_->kind; }
    [[nodiscard]] bool is(Kind kind) const { return is_->kind == kind; }
    [[nodiscard]] const std::string& name() const { return is_->name; }
    [[nodiscard]] const std::vector<Type>& parts() const { return is_->parts; }
    [[nodiscard]] const std::vector<Field>& fields() const { return is_->fields; }
    [[nodiscard]] const Type* field(const std::string& name) const;
    [[nodiscard]] const Type& key() const { return parts()[0]; }
    [[nodiscard]] const Type& element() const { return parts().back(); }

    [[nodiscard]] bool is_number() const { return is(Kind::integer) || is(Kind::floating); }
    /// Arrays, bags and structs: their parts are assigned one by one.
    [[nodiscard]] bool has_parts() const;
    /// These and files.
    [[nodiscard]] bool is_container() const { return has_parts() || is(Kind::file); }
    /// True of types whose data are assigned as one value and that local values can hold: a file's name is another future.
    [[nodiscard]] bool is_scalar() const;
    [[nodiscard]] bool may_be_key() const;
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::string with_article() const;  // "an int", "a float"

    friend bool operator==(const Type& a, const Type& b) {
        return a.is_ == b.is_ ||
               (a.kind() == b.kind() && a.name() == b.name() && a.parts() == b.parts());
    }

  private:
    struct Is {
        Kind kind = Kind::none;
        std::string name;
        std::vector<Type> parts;
        std::vector<Field> fields;
    };
    [[nodiscard]] static Type made(Is is);
    explicit Type(std::shared_ptr<const Is> is) : is_(std::move(is)) {}

    std::shared_ptr<const Is> is_;  // copies share it; those of simple types are never freed
};

class Value;
/// Of a plain value: an int, a float, a boolean, a string or a void; else none.
[[nodiscard]] Kind kind_of(const Value& value);

struct Type::Field {
    std::string name;
    Type type;
};

}  // namespace refrain::script
