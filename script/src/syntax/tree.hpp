#pragma once

#include "values/position.hpp"
#include "values/value.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The tree of a script, as it is written. Names are not resolved.
namespace refrain::script {

struct Expression;

struct Annotation {
    Position at;
    std::string name;
    std::vector<Expression> value;  // none or one
};

struct Expression {
    enum class Kind : std::uint8_t {
        literal,     // literal
        name,        // text
        call,        // text; parts: arguments; keywords: their names, empty for positional ones
        index,       // parts: array, key
        member,      // text: the field; parts: struct
        unary,       // text: the operator; parts: operand
        binary,      // text: the operator; parts: left, right
        array,       // parts: elements
        dictionary,  // parts: key, value, key, value, ...
        range,       // parts: begin, end [, step]
        tuple,       // parts
    };
    Kind kind = Kind::literal;
    Position at;
    std::string text;
    Value literal;
    std::vector<Expression> parts;
    std::vector<std::string> keywords;
    std::vector<Annotation> annotations;

    [[nodiscard]] static Expression of(Kind kind, Position at, std::string text,
                                       std::vector<Expression> parts) {
        return {kind, at, std::move(text), {}, std::move(parts), {}, {}};
    }
    template <class... Parts>
    [[nodiscard]] static Expression of(Kind kind, Position at, std::string text, Parts... parts) {
        Expression made{kind, at, std::move(text), {}, {}, {}, {}};
        (made.parts.push_back(std::move(parts)), ...);
        return made;
    }
};

/// A type as it is written: `name`, `bag<of>`, `name[key][key]`, or `a|b|c`.
struct TypeName {
    Position at;
    std::string name;
    std::vector<TypeName> of{};            // bag<T>, updateable<T>
    std::vector<TypeName> keys{};          // where no name follows: brackets stand behind that
    std::vector<TypeName> alternatives{};  // further ones: int|float
};

/// `type name[key][key]<mapping> = value`.
struct Declarator {
    Position at;
    std::string name;
    std::vector<TypeName> keys;
    std::vector<Expression> mapping;  // none or one
    std::vector<Expression> value;    // none or one
};

struct Statement {
    enum class Kind : std::uint8_t {
        declare,  // type, declarators
        assign,   // targets, operation ("=", "+=", "min", "incr", "scale"), values[0]
        call,     // values[0]
        if_,      // values[0]; blocks: then [, else]
        switch_,  // values[0]; cases; blocks
        foreach,  // text: element, second: index; values[0]; blocks[0]
        for_,     // init, update: statements; values[0]: condition; blocks[0]
        iterate,  // text: counter; blocks[0]; values[0]: until
        wait,     // values; deep; blocks[0]
        block,    // blocks[0]
        chain,    // parts: the links
    };
    using Block = std::vector<Statement>;
    Kind kind = Kind::block;
    Position at;
    TypeName type;
    std::vector<Declarator> declarators;
    std::vector<Expression> targets;
    std::string operation;
    std::vector<Expression> values;
    std::string text;
    std::string second;
    bool deep = false;
    bool global = false;                             // `global const`
    std::vector<std::optional<std::int64_t>> cases;  // of each block; nullopt: default
    std::vector<Block> blocks;
    std::vector<Statement> parts;   // of chains
    std::vector<Statement> init;    // of `for`
    std::vector<Statement> update;  // of `for`
    std::vector<Annotation> annotations;
};

struct Parameter {
    TypeName type;
    Declarator declarator;  // its value is the default
    bool variable_count = false;
};

/// `stdout=f` and the like.
struct Redirection {
    Position at;
    std::string stream;
    Expression file;
};

struct FunctionTree {
    Position at;
    std::string name;
    std::vector<std::string> type_variables;
    std::vector<Parameter> outputs;
    std::vector<Parameter> inputs;
    std::vector<Annotation> annotations;
    enum class Kind : std::uint8_t { composite, app, extension } kind = Kind::composite;
    Statement::Block body;                  // composite
    std::vector<Expression> command;        // app
    std::vector<Redirection> redirections;  // app
    std::vector<std::string> foreign;       // extension: package, version, procedure, template
};

struct TypeTree {
    Position at;
    std::string name;
    std::optional<TypeName> base;  // of a subtype
    bool is_alias = false;         // by `typedef`: the name is another one of its base
    struct Field {
        TypeName type;
        Declarator declarator;
    };
    std::vector<Field> fields;  // of a struct
};

struct ImportTree {
    Position at;
    std::string name;
};

struct Script {
    std::vector<ImportTree> imports;
    std::vector<TypeTree> types;
    std::vector<FunctionTree> functions;
    std::vector<std::string> work_types;  // by pragma worktypedef
    Statement::Block main;                // statements at the top level, then the body of `main`
};

}  // namespace refrain::script
