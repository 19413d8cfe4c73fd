#include "ir/parse.hpp"

#include "refrain/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

namespace refrain::script::ir {
namespace {

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
        if (name.ends_with(']')) {
            const std::size_t open = name.find('[');
            const std::size_t close = name.find(']', open);
            const std::string key = name.substr(open + 1, close - open - 1);
            return Type::array(key.empty() ? Type::of(Kind::integer) : type_named(key),
                               type_named(name.substr(0, open) + name.substr(close + 1)));
        }
        if (name.starts_with("bag<") && name.ends_with('>'))
            return Type::bag(type_named(name.substr(4, name.size() - 5)));
        for (const Kind kind : {Kind::integer, Kind::floating, Kind::boolean, Kind::string,
                                Kind::void_, Kind::blob, Kind::file, Kind::updateable})
            if (Type::of(kind).text() == name) return Type::of(kind);
        fail("a type instead of '" + name + "'");
    }

    // ---- variables
    VariableId declare(const std::string& name, const Type& type, Storage storage, bool mapped) {
        const auto id = static_cast<VariableId>(function_.variables.size());
        function_.variables.push_back({name, type, storage, mapped, {}});
        ids_[name] = id;
        return id;
    }
    Position place() {
        if (!take("@")) return {};
        Position at;
        at.line = static_cast<decltype(at.line)>(number(word(), &at.column));
        return at;
    }
    /// "line:column".
    template <class Column>
    static long number(const std::string& text, Column* column) {
        const std::size_t colon = text.find(':');
        *column = static_cast<Column>(std::stol(text.substr(colon + 1)));
        return std::stol(text.substr(0, colon));
    }
    int priority() { return take_word("priority") ? std::stoi(word()) : 0; }

    // ---- operands
    Operand operand() {
        skip();
        if (at_ < text_.size() && text_[at_] == '"')
            return Operand::of(Value(quoted()), Type::of(Kind::string));
        const std::string name = word();
        if (name == "none") return Operand::none();
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
            return Operand::of(Value::boolean(name == "true"), Type::of(Kind::boolean));
        if (name == "void") return Operand::of(Value(Void{}), Type::of(Kind::void_));
        const Type floating = Type::of(Kind::floating);
        constexpr double infinity = std::numeric_limits<double>::infinity();
        if (name == "Inf") return Operand::of(Value(infinity), floating);
        if (name == "-Inf") return Operand::of(Value(-infinity), floating);
        if (name == "NaN") return Operand::of(Value(std::nan("")), floating);
        const char* const end = name.data() + name.size();
        std::int64_t whole = 0;
        if (std::from_chars(name.data(), end, whole).ptr == end)
            return Operand::of(Value(whole), Type::of(Kind::integer));
        double number = 0;
        if (std::from_chars(name.data(), end, number).ptr != end)
            fail("a variable or a constant instead of '" + name + "'");
        return Operand::of(Value(number), floating);
    }
    /// The inverse of in_quotes.
    std::string quoted() {
        std::string made;
        for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
            char letter = text_[at_];
            if (letter == '\\' && at_ + 1 < text_.size()) {
                letter = text_[++at_];
                if (letter == 'n') letter = '\n';
                if (letter == 't') letter = '\t';
                if (letter == 'r') letter = '\r';
                if (letter == 'x') {
                    letter = static_cast<char>(std::stoi(text_.substr(at_ + 1, 2), nullptr, 16));
                    at_ += 2;
                }
            }
            made += letter;
        }
        ++at_;
        return made;
    }
    std::vector<Operand> operands() {
        std::vector<Operand> all;
        expect("[");
        if (take("]")) return all;
        do all.push_back(operand());
        while (take(","));
        expect("]");
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
        function_.body = block();
        program_.functions.push_back(std::move(function_));
    }
    void parameters(std::vector<VariableId>& to) {
        expect("(");
        if (take(")")) return;
        do {
            const std::string role = word();
            const std::string name = word();
            to.push_back(
                declare(name, type(), role == "local" ? Storage::local : Storage::datum, false));
        } while (take(","));
        expect(")");
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
        const std::optional<Op> op = op_named(first);
        if (!op) fail("a statement instead of '" + first + "'");
        Instruction is;
        is.op = *op;
        skip();
        if (text_[at_] != '[') is.callee = word();
        is.outs = operands();
        is.ins = operands();
        is.at = place();
        is.priority = priority();
        return {std::move(is)};
    }
    If if_statement() {
        If is;
        is.condition = operand();
        is.then = block();
        expect("else");
        is.otherwise = block();
        return is;
    }
    Switch switch_statement() {
        Switch is;
        is.value = operand();
        expect("{");
        while (take_word("case")) {
            is.labels.push_back(std::stoll(word()));
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
        Variable& element = function_.variables[is.element];
        if (element.type.is_container()) element.storage = Storage::datum;
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
