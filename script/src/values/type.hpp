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
///     Type::array(Type::of(Kind::string), Type::of(Kind::integer)).text()  -> "int[string]"
///
/// A subtype (`type celsius float;`) has the kind and the parts of its base, and a name. Two types are
/// equal if kind, name and parts are; structures are equal if their names are.
class Type {
  public:
    struct Field;

    Type() = default;
    [[nodiscard]] static Type of(Kind kind) { return Type(kind, {}, {}); }
    [[nodiscard]] static Type array(Type key, Type element);
    [[nodiscard]] static Type bag(Type element);
    [[nodiscard]] static Type structure(std::string name, std::vector<Field> fields);
    [[nodiscard]] static Type alternative(std::vector<Type> types);
    [[nodiscard]] static Type variable(std::string name);
    /// The subtype `name` of this type.
    [[nodiscard]] Type renamed(std::string name) const;
    /// The type that a subtype converts to; other types are their own.
    [[nodiscard]] Type base() const;

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] bool is(Kind kind) const { return kind_ == kind; }
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::vector<Type>& parts() const { return parts_; }
    [[nodiscard]] const std::vector<Field>& fields() const;
    [[nodiscard]] const Type* field(const std::string& name) const;
    [[nodiscard]] const Type& key() const { return parts_[0]; }
    [[nodiscard]] const Type& element() const { return parts_.back(); }

    [[nodiscard]] bool is_number() const { return is(Kind::integer) || is(Kind::floating); }
    /// True of types whose data have parts that are assigned one by one.
    [[nodiscard]] bool is_container() const;
    [[nodiscard]] bool may_be_key() const;
    [[nodiscard]] std::string text() const;

    friend bool operator==(const Type& a, const Type& b) {
        return a.kind_ == b.kind_ && a.name_ == b.name_ && a.parts_ == b.parts_;
    }

  private:
    Type(Kind kind, std::string name, std::vector<Type> parts)
        : kind_(kind), name_(std::move(name)), parts_(std::move(parts)) {}

    Kind kind_ = Kind::none;
    std::string name_;
    std::vector<Type> parts_;
    std::shared_ptr<const std::vector<Field>> fields_;
};

struct Type::Field {
    std::string name;
    Type type;
};

}  // namespace refrain::script
