#include "ir/parse.hpp"

#include "refrain/error.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>

namespace refrain::script::ir {
namespace {

/// What in_quotes has made.
constexpr std::string_view escaped = "\"\\\n\t\r";
constexpr std::string_view escapes = "\"\\ntr";
std::string unquoted(std::string_view text, std::size_t& at) {
    std::string made;
    for (++at; at < text.size() && text[at] != '"'; ++at) {
        char letter = text[at];
        if (letter == '\\' && at + 1 < text.size()) {
            letter = text[++at];
            if (const std::size_t known = escapes.find(letter); known != std::string_view::npos)
                letter = escaped[known];
            if (letter == 'x') {
                const std::string_view digits = text.substr(at + 1, 2);
                unsigned code = 0;
                std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
                letter = static_cast<char>(code);
                at += digits.size();
            }
        }
        made += letter;
    }
    ++at;
    return made;
}

class Parser {
  public:
    Parser(const std::string& text, const Program& like) : text_(text) {
        program_.leaves = like.leaves;
        for (const Function& function : like.functions)
            for (const Variable& each : function.variables) know(each.type);
    }

    Program run() {
        for (skip(); at_ < text_.size(); skip()) function();
        return std::move(program_);
    }

  private:
    using Storage = Variable::Storage;

    // ---- text
    [[noreturn]] void fail(const std::string& expected) const {
        const auto line =
            1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
        throw UsageError("intermediate code, line " + std::to_string(line) + ": expected " +
                         expected);
    }
    void skip() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    }
    bool take(std::string_view wanted) {
        skip();
        if (!std::string_view(text_).substr(at_).starts_with(wanted)) return false;
        at_ += wanted.size();
        return true;
    }
    void expect(std::string_view wanted) {
        if (!take(wanted)) fail("'" + std::string(wanted) + "'");
    }
    std::string word() {
        skip();
        const std::size_t end = text_.find_first_of(" \n[](){},", at_);
        const std::string found = text_.substr(at_, end - at_);
        if (found.empty()) fail("a word");
        at_ += found.size();
        return found;
    }
    /// The word, only if it stands here.
    bool take_word(std::string_view wanted) {
        const std::size_t before = at_;
        skip();
        if (at_ < text_.size() &&
            std::string_view(" \n[](){},").find(text_[at_]) == std::string_view::npos &&
            word() == wanted)
            return true;
        at_ = before;
        return false;
    }

    // ---- types
    void know(const Type& type) {
        if (type.is(Kind::none) || !types_.emplace(type.text(), type).second) return;
        for (const Type& each : type.parts()) know(each);
        for (const Type::Field& each : type.fields()) know(each.type);
    }
    Type type() {
        skip();
        std::size_t end = at_;
        for (int depth = 0; end < text_.size(); ++end) {
            const char letter = text_[end];
            if (depth == 0 && (letter == '\n' || letter == ' ' || letter == ',' || letter == ')'))
                break;
            depth += letter == '[' ? 1 : letter == ']' ? -1 : 0;
        }
        const std::string name = text_.substr(at_, end - at_);
        at_ = end;
        return type_named(name);
    }
    Type type_named(const std::string& name) {
        if (const auto known = types_.find(name); known != types_.end()) return known->second;
        if (const std::size_t bar = name.find('|');
            bar != std::string::npos && !name.ends_with('>')) {
            std::vector<Type> either{type_named(name.substr(0, bar))};
            const Type rest = type_named(name.substr(bar + 1));
            if (rest.is(Kind::alternative))
                either.insert(either.end(), rest.parts().begin(), rest.parts().end());
            else
                either.push_back(rest);
            return Type::alternative(std::move(either));
        }
        if (name.ends_with(']')) {
            const std::size_t open = name.find('[');
            const std::size_t close = name.find(']', open);
            const std::string key = name.substr(open + 1, close - open - 1);
            return Type::array(key.empty() ? Kind::integer : type_named(key),
                               type_named(name.substr(0, open) + name.substr(close + 1)));
        }
        if (name.starts_with("bag<") && name.ends_with('>'))
            return Type::bag(type_named(name.substr(4, name.size() - 5)));
        for (const Kind kind : {Kind::integer, Kind::floating, Kind::boolean, Kind::string,
                                Kind::void_, Kind::blob, Kind::file, Kind::updateable})
            if (Type(kind).text() == name) return kind;
        fail("a type instead of '" + name + "'");
    }

    // ---- variables
    VariableId declare(const std::string& name, const Type& type, Storage storage, bool mapped) {
        const auto id = static_cast<VariableId>(function_.variables.size());
        function_.variables.push_back({name, type, storage, mapped, {}});
        ids_[name] = id;
        function_.variables[id].at = place();
        return id;
    }
    template <class Number>
    Number number(std::string_view text) const {
        Number made{};
        const char* const end = text.data() + text.size();
        if (const auto read = std::from_chars(text.data(), end, made);
            read.ptr != end || read.ec != std::errc{})
            fail("a number instead of '" + std::string(text) + "'");
        return made;
    }
    /// "@line:column", or "@line:column:file".
    Position place() {
        if (!take("@")) return {};
        const std::string text = word();
        const std::string_view view = text;
        const std::size_t column = std::min(view.find(':'), view.size());
        const std::size_t file = std::min(view.find(':', column + 1), view.size());
        Position at;
        at.line = number<std::uint32_t>(view.substr(0, column));
        if (column < view.size())
            at.column = number<std::uint32_t>(view.substr(column + 1, file - column - 1));
        if (file < view.size()) at.file = number<std::uint32_t>(view.substr(file + 1));
        return at;
    }
    int priority() { return take_word("priority") ? number<int>(word()) : 0; }

    template <class Read>
    void list(Read read, std::string_view open = "(", std::string_view close = ")") {
        expect(open);
        if (take(close)) return;
        do read();
        while (take(","));
        expect(close);
    }

    // ---- operands
    Operand operand() {
        skip();
        if (at_ < text_.size() && text_[at_] == '"')
            return Operand::of(Value(quoted()), Kind::string);
        const std::string name = word();
        if (name == "-") return Operand::none();
        if (const auto variable = ids_.find(name); variable != ids_.end()) {
            Operand made =
                Operand::of(variable->second, function_.variables[variable->second].type);
            while (at_ < text_.size() && text_[at_] == '[') {
                expect("[");
                made.path.push_back(operand());
                expect("]");
                const Operand& key = made.path.back();
                if (made.type.is(Kind::structure)) {
                    const Type* field = made.type.field(key.constant.string());
                    if (field == nullptr) fail("a field of " + made.type.text());
                    made.type = Type(*field);
                } else {
                    made.type = Type(made.type.element());
                }
            }
            return made;
        }
        return constant(name);
    }
    Operand constant(const std::string& name) {
        if (name == "true" || name == "false")
            return Operand::of(Value::boolean(name == "true"), Kind::boolean);
        if (name == "void") return Operand::of(Value(Void{}), Kind::void_);
        const char* const end = name.data() + name.size();
        std::int64_t whole = 0;
        if (std::from_chars(name.data(), end, whole).ptr == end)
            return Operand::of(Value(whole), Kind::integer);
        double number = 0;
        if (std::from_chars(name.data(), end, number).ptr != end)
            fail("a variable or a constant instead of '" + name + "'");
        return Operand::of(Value(number), Kind::floating);
    }
    std::string quoted() {
        skip();
        if (at_ >= text_.size() || text_[at_] != '"') fail("a string");
        return unquoted(text_, at_);
    }
    std::vector<Operand> operands() {
        std::vector<Operand> all;
        list([&] { all.push_back(operand()); }, "[", "]");
        return all;
    }

    // ---- code
    void function() {
        function_ = Function{};
        ids_.clear();
        expect("function");
        function_.name = word();
        parameters(function_.outputs);
        parameters(function_.inputs);
        function_.at = place();
        function_.body = block();
        program_.functions.push_back(std::move(function_));
    }
    void parameters(std::vector<VariableId>& to) {
        list([&] {
            const std::string role = word();
            const std::string name = word();
            to.push_back(
                declare(name, type(), role == "local" ? Storage::local : Storage::datum, false));
        });
    }
    Block block() {
        Block made;
        expect("{");
        while (!take("}")) {
            const std::string first = word();
            if (first == "local" || first == "datum" || first == "mapped") {
                const std::string name = word();
                made.variables.push_back(declare(name, type(),
                                                 first == "local" ? Storage::local : Storage::datum,
                                                 first == "mapped"));
            } else {
                made.statements.push_back(statement(first));
            }
        }
        return made;
    }
    Statement statement(const std::string& first) {
        if (first == "if") return {if_statement()};
        if (first == "switch") return {switch_statement()};
        if (first == "wait" || first == "task") return {wait(first == "task")};
        if (first == "foreach") return {foreach ()};
        if (first == "range") return {range()};
        if (first == "loop") return {loop()};
        const auto op =
            std::ranges::find_if(table, [&](const Traits& each) { return each.name == first; });
        if (op == table.end()) fail("a statement instead of '" + first + "'");
        Instruction is;
        is.op = op->op;
        skip();
        if (text_[at_] != '[') is.callee = word();
        is.outs = operands();
        is.ins = operands();
        is.at = place();
        is.priority = priority();
        is.placed = take_word("placed");
        return {std::move(is)};
    }
    Branch if_statement() {
        Branch is = branch_on(operand());
        is.blocks[0] = block();
        expect("else");
        is.blocks[1] = block();
        return is;
    }
    Branch switch_statement() {
        Branch is;
        is.value = operand();
        expect("{");
        while (take_word("case")) {
            is.choice.labels.push_back(number<std::int64_t>(word()));
            is.blocks.push_back(block());
        }
        expect("default");
        is.blocks.push_back(block());
        expect("}");
        return is;
    }
    Wait wait(bool task) {
        Wait is;
        is.task = task;
        is.deep = take_word("deep");
        is.operands = operands();
        is.at = place();
        is.priority = priority();
        is.body = block();
        return is;
    }
    VariableId own(std::string_view role, Storage storage) {
        if (!take_word(role)) return no_variable;
        const std::string name = word();
        return declare(name, type(), storage, false);
    }
    Foreach foreach () {
        Foreach is;
        is.element = own("element", Storage::local);
        if (is.element != no_variable && function_.variables[is.element].type.is_container())
            function_.variables[is.element].storage = Storage::datum;
        is.key = own("key", Storage::local);
        expect("in");
        is.array = operand();
        is.at = place();
        is.body = block();
        return is;
    }
    RangeLoop range() {
        RangeLoop is;
        is.counter = own("counter", Storage::local);
        is.index = own("index", Storage::local);
        expect("in");
        const std::vector<Operand> ends = operands();
        if (ends.size() != 3) fail("three ends of a range");
        is.begin = ends[0];
        is.end = ends[1];
        is.step = ends[2];
        is.at = place();
        is.body = block();
        return is;
    }
    CarriedLoop loop() {
        CarriedLoop is;
        for (VariableId each = own("carried", Storage::datum); each != no_variable;
             each = own("carried", Storage::datum))
            is.carried.push_back(each);
        expect("from");
        is.initial = operands();
        is.at = place();
        is.body = block();
        return is;
    }

    const std::string& text_;
    std::size_t at_ = 0;
    Program program_;
    Function function_;
    std::map<std::string, VariableId> ids_;
    std::map<std::string, Type> types_;
};

}  // namespace

Program parse_program(const std::string& text, const Program& like) {
    return Parser(text, like).run();
}

}  // namespace refrain::script::ir
