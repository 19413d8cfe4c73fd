#include "syntax/expression_parser.hpp"

#include "syntax/parser.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace refrain::script {
namespace {

using Form = Expression::Kind;

const std::array<std::vector<std::string_view>, 7> levels = {{{"||"},
                                                              {"&&"},
                                                              {"==", "!="},
                                                              {"<", "<=", ">", ">="},
                                                              {"+", "-"},
                                                              {"*", "/", "%/", "%%", "%"},
                                                              {"**"}}};

Expression constant(const Token& token, Value value) {
    Expression expression = Expression::of(Form::literal, token.at, token.text);
    expression.literal = std::move(value);
    return expression;
}

}  // namespace

Expression ExpressionParser::binary(std::size_t level) {
    if (level == levels.size()) return unary();
    Expression left = binary(level + 1);
    for (;;) {
        const auto& operators = levels[level];
        const auto found = std::ranges::find_if(
            operators, [&](std::string_view each) { return tokens_.sees(each); });
        if (found == operators.end()) return left;
        const Position at = tokens_.take().at;
        left = Expression::of(Form::binary, at, std::string(*found), std::move(left),
                              binary(level + 1));
    }
}

Expression ExpressionParser::unary() {
    if (tokens_.sees("-") || tokens_.sees("!")) {
        const Token& sign = tokens_.take();
        Expression operand = unary();
        if (sign.text == "-" && operand.kind == Form::literal && operand.text[0] != '-') {
            if (operand.literal.is<std::int64_t>())
                operand.literal = Value(-operand.literal.integer());
            else if (operand.literal.is<double>())
                operand.literal = Value(-operand.literal.floating());
            operand.text = "-" + operand.text;
            operand.at = sign.at;
            return operand;
        }
        return Expression::of(Form::unary, sign.at, sign.text, std::move(operand));
    }
    return postfix();
}

Expression ExpressionParser::postfix(Blanks blanks) {
    Expression value = primary(blanks);
    while (blanks == Blanks::skipped || tokens_.is_adjacent()) {
        const Position at = tokens_.peek().at;
        if (tokens_.accept("[")) {
            value = Expression::of(Form::index, at, {}, std::move(value), expression());
            tokens_.expect("]", "after the index");
        } else if (tokens_.sees(".") && tokens_.sees_name(1)) {
            tokens_.take();
            value = Expression::of(Form::member, at, tokens_.take().text, std::move(value));
        } else {
            break;
        }
    }
    return value;
}

Expression ExpressionParser::primary(Blanks blanks) {
    const Token& token = tokens_.peek();
    switch (token.kind) {
        case Token::Kind::integer:
        case Token::Kind::floating:
        case Token::Kind::string:
            return constant(tokens_.take(), token.value);
        case Token::Kind::name:
            break;
        case Token::Kind::symbol:
            if (token.text == "(") return parenthesised();
            if (token.text == "[") return bracketed();
            if (token.text == "{") return dictionary();
            if (token.text == "@") return annotated_call();
            [[fallthrough]];
        case Token::Kind::end:
            tokens_.fail("expected an expression");
    }
    tokens_.take();
    if (token.text == "true" || token.text == "false")
        return constant(token, Value::boolean(token.text == "true"));
    if (token.text == "NaN") return constant(token, Value(__builtin_nan("")));
    if (token.text == "inf") return constant(token, Value(__builtin_inf()));
    if (is_reserved(token.text))
        throw SyntaxError{token.at, "'" + token.text + "' is reserved and cannot be used here", {}};
    if (tokens_.sees("(") && (blanks == Blanks::skipped || tokens_.is_adjacent()))
        return call(token, {});
    return Expression::of(Form::name, token.at, token.text);
}

std::vector<Annotation> ExpressionParser::annotations() {
    std::vector<Annotation> all;
    while (tokens_.sees("@") && tokens_.sees_name(1)) {
        // `@name(...)` is a call with a bare @, unless the outputs of a function stand there.
        if (tokens_.sees("(", 2)) {
            const std::size_t end = tokens_.closing(2);
            if (!tokens_.sees_name(end + 1) || !tokens_.sees("(", end + 2)) break;
        }
        tokens_.take();
        all.push_back(annotation(tokens_.take()));
    }
    return all;
}

Annotation ExpressionParser::annotation(const Token& name) {
    Annotation made{name.at, name.text, {}};
    if (!tokens_.accept("=")) return made;
    made.value.emplace_back();
    if (name.text == "dispatch" && tokens_.sees_name(0))  // outputs of a function may follow
        made.value[0].text = tokens_.take().text;
    else
        made.value[0] = postfix();
    return made;
}

Expression ExpressionParser::annotated_call() {
    std::vector<Annotation> found;
    while (tokens_.sees("@")) {
        const Position at = tokens_.take().at;
        const Token& name = tokens_.expect_name("the name of an annotation after '@'");
        if (tokens_.sees("(")) {
            found.push_back({at, "", {}});  // a bare @ before a call
            return call(name, std::move(found));
        }
        found.push_back(annotation(name));
    }
    const Token& name = tokens_.expect_name("a call after the annotation");
    return call(name, std::move(found));
}

Expression ExpressionParser::call(const Token& name, std::vector<Annotation> annotations) {
    Expression made_call = Expression::of(Form::call, name.at, name.text);
    made_call.annotations = std::move(annotations);
    tokens_.expect("(", "before the arguments of the call");
    tokens_.list(")", "after the arguments of the call", [&] {
        std::string keyword;
        if (tokens_.sees_name() && tokens_.sees("=", 1)) {
            keyword = tokens_.take().text;
            tokens_.take();
        }
        made_call.keywords.push_back(keyword);
        made_call.parts.push_back(expression());
    });
    return made_call;
}

Expression ExpressionParser::bracketed() {
    const Position at = tokens_.take().at;
    std::vector<Expression> parts;
    Form kind = Form::array;
    while (!tokens_.sees("]")) {
        parts.push_back(expression());
        if (tokens_.accept(":"))
            kind = Form::range;
        else if (kind == Form::range || !tokens_.accept(","))
            break;
    }
    if (kind == Form::range && (parts.size() < 2 || parts.size() > 3))
        throw SyntaxError{
            at, "a range has a begin, an end and perhaps a step: [begin:end:step]", {}};
    tokens_.expect("]",
                   kind == Form::range ? "after the range" : "after the elements of the array");
    return Expression::of(kind, at, {}, std::move(parts));
}

Expression ExpressionParser::dictionary() {
    const Position at = tokens_.take().at;
    std::vector<Expression> parts;
    tokens_.list("}", "after the elements of the array", [&] {
        parts.push_back(expression());
        tokens_.expect(":", "between a key and its value");
        parts.push_back(expression());
    });
    return Expression::of(Form::dictionary, at, {}, std::move(parts));
}

Expression ExpressionParser::parenthesised() {
    const Position at = tokens_.take().at;
    Expression inside = one_or_several();
    tokens_.expect(")", "after the expression");
    if (inside.kind == Form::tuple) inside.at = at;
    return inside;
}

Expression ExpressionParser::one_or_several() {
    const Position at = tokens_.peek().at;
    std::vector<Expression> parts;
    do {
        parts.push_back(expression());
    } while (tokens_.accept(","));
    if (parts.size() == 1) return std::move(parts[0]);
    return Expression::of(Form::tuple, at, {}, std::move(parts));
}

Expression ExpressionParser::word() {
    const bool named = tokens_.accept("@");
    Expression word = postfix(Blanks::end_it);
    if (!named) return word;
    Expression name = Expression::of(Form::call, word.at, "filename", word);
    name.keywords.emplace_back();
    return name;
}

}  // namespace refrain::script
