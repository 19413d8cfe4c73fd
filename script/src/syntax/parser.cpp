#include "syntax/parser.hpp"

#include "syntax/expression_parser.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace refrain::script {
namespace {

using Kind = Statement::Kind;

class Parser {
  public:
    Parser(const std::vector<Token>& tokens, Diagnostics& diagnostics)
        : tokens_(tokens), expressions_(tokens_), diagnostics_(diagnostics) {}

    Script run() {
        while (!tokens_.at_end()) {
            const Token& before = tokens_.peek();
            try {
                top_level();
            } catch (const SyntaxError& error) {
                report(error, before.text);
                open_.clear();
                if (std::exchange(unclosed_, false)) continue;
                skip_statement();
                if (!tokens_.accept("}") && &tokens_.peek() == &before) tokens_.take();
            }
        }
        for (Statement& each : main_body_) script_.main.push_back(std::move(each));
        return std::move(script_);
    }

  private:
    /// `first` is the first word of the statement.
    void report(const SyntaxError& error, std::string_view first) {
        diagnostics_.error(code::syntax, error.at, error.text,
                           error.help.text.empty() ? Help(habit(error.text, first)) : error.help,
                           error.notes);
    }
    /// The way out for those who know another language; empty if none is meant.
    static std::string habit(std::string_view text, std::string_view first) {
        struct Habit {
            std::string_view first, expected, found, help;  // empty: any
        };
        static constexpr Habit habits[] = {
            {"while", "", "", "loops are foreach, for, and iterate i { ... } until (condition);"},
            {"return", "", "", "assign to an output: (int o) f(int x) { o = x; }"},
            {"elseif", "", "", "write it in two words: else if"},
            {"foreach", "expected '{'", "':'", "a range stands in brackets: foreach i in [1:10]"},
            {"foreach", "expected ']'", "'.'", "a range has a colon: foreach i in [1:10]"},
            {"for", "expected '('", "", "over elements go: foreach x, i in A { ... }"},
            {"", "expected ';'", "'('", "outputs stand first: (int o) f(int x) { ... }"},
            {"typedef", "expected a type", "'['", "the new name comes first: typedef ints int[];"},
            {"", "expected a type", "", "arrays have no length: int A[];"},
            {"", "expected an expression", "']'", "brackets follow the name: int a[], not int[] a"},
            {"", "expected an expression", "'+'", "there is no ++: a variable is assigned once"},
            {"", "expected an expression", "'.'", "floats begin with a digit: 0.5"},
            {"", "expected an expression", "'>'", "apps write to files by @stdout=f"},
            {"", "expected an expression", "'<'", "apps read from files by @stdin=f"},
            {"", "expected an expression", "'='", "of apps there are: @stdin=, @stdout=, @stderr="},
        };
        for (const Habit& each : habits)
            if ((each.first.empty() || each.first == first) && text.starts_with(each.expected) &&
                (each.found.empty() || text.ends_with("found " + std::string(each.found))))
                return std::string(each.help);
        return {};
    }
    /// To behind the next semicolon or block at this level.
    void skip_statement() {
        int depth = 0;
        while (!tokens_.at_end()) {
            if (depth == 0 && tokens_.sees("}")) return;
            const Token& token = tokens_.take();
            if (token.kind != Token::Kind::symbol) continue;
            if (token.text == "{") ++depth;
            if (token.text == "}" && --depth <= 0) return;
            if (token.text == ";" && depth == 0) return;
        }
    }

    // ---- definitions
    void top_level() {
        if (tokens_.accept(";")) return;
        if (tokens_.sees("}")) throw SyntaxError{tokens_.peek().at, "this '}' closes nothing", {}};
        if (tokens_.sees("import")) return import();
        if (tokens_.sees("pragma")) return pragma();
        if (tokens_.sees("type") || tokens_.sees("typedef")) return type_definition();
        std::vector<Annotation> annotations = expressions_.annotations();
        if (begins_function()) return function(std::move(annotations));
        script_.main.push_back(statement(std::move(annotations)));
    }

    [[nodiscard]] bool begins_function() const {
        if (tokens_.sees("app") || tokens_.sees("main")) return true;
        if (tokens_.sees("<") && tokens_.sees_name(1)) return true;
        if (tokens_.sees("(")) {
            const std::size_t end = tokens_.closing(0);
            return tokens_.sees_name(end + 1) &&
                   (tokens_.sees("(", end + 2) || tokens_.sees("{", end + 2) ||
                    tokens_.sees_string(end + 2));
        }
        if (!tokens_.sees_name() || !tokens_.sees("(", 1) || is_reserved(tokens_.peek().text))
            return false;
        const std::size_t end = tokens_.closing(1);
        return tokens_.sees("{", end + 1) || tokens_.sees_string(end + 1);
    }

    void import() {
        const Position at = tokens_.take().at;
        if (tokens_.sees_string()) {
            script_.imports.push_back({at, tokens_.take().value.string()});
        } else {
            std::string name = tokens_.expect_name("the name of a module after 'import'").text;
            while (tokens_.accept(".")) name += "/" + tokens_.expect_name("a name after '.'").text;
            script_.imports.push_back({at, name});
        }
        tokens_.expect(";", "after the import");
    }

    void pragma() {
        const Position at = tokens_.take().at;
        const std::string name = tokens_.expect_name("a name after 'pragma'").text;
        while (!tokens_.at_end() && !tokens_.sees(";"))
            script_.work_types.push_back(tokens_.take().text);
        tokens_.expect(";", "after the pragma");
        if (name != "worktypedef")
            throw SyntaxError{at, "unknown pragma '" + name + "'",
                              "known is: pragma worktypedef NAME;"};
    }

    void type_definition() {
        TypeTree type;
        type.is_alias = tokens_.take().text == "typedef";
        type.at = tokens_.peek().at;
        type.name = tokens_.expect_name("the name of the new type").text;
        if (tokens_.accept("{")) {
            while (!tokens_.accept("}")) {
                TypeName field = type_name();
                do {
                    type.fields.push_back({field, declarator()});
                } while (tokens_.accept(","));
                tokens_.expect(";", "after the field");
            }
            tokens_.accept(";");
        } else if (!type.is_alias && tokens_.accept(";")) {
            type.base = TypeName{type.at, "file"};
            diagnostics_.warning(
                code::deprecated, type.at,
                "'type " + type.name + ";' is a deprecated way to declare a file type",
                "write: type " + type.name + " file;");
        } else {
            type.base = whole_type();
            tokens_.expect(";", "after the type");
        }
        script_.types.push_back(std::move(type));
    }

    void function(std::vector<Annotation> annotations) {
        FunctionTree made;
        made.annotations = std::move(annotations);
        const bool is_app = tokens_.accept("app");
        if (is_app) made.kind = FunctionTree::Kind::app;
        if (tokens_.accept("<")) {
            do {
                made.type_variables.push_back(tokens_.expect_name("a type variable").text);
            } while (tokens_.accept(","));
            tokens_.expect(">", "after the type variables");
        }
        if (tokens_.sees("(")) made.outputs = parameters();
        made.at = tokens_.peek().at;
        made.name = tokens_.expect_name("the name of the function").text;
        if (tokens_.sees("(")) made.inputs = parameters();
        if (made.name == "main" && !is_app) return main_function(made);
        if (is_app)
            app_body(made);
        else if (tokens_.sees_string())
            foreign_body(made);
        else
            made.body = block("the function");
        script_.functions.push_back(std::move(made));
    }

    void main_function(FunctionTree& made) {
        if (!made.inputs.empty() || !made.outputs.empty())
            throw SyntaxError{made.at, "main takes neither inputs nor outputs",
                              "read the command line with argv(\"name\")"};
        if (!made.annotations.empty())
            throw SyntaxError{made.annotations[0].at, "main takes no annotations", {}};
        for (Statement& each : block("main")) main_body_.push_back(std::move(each));
    }

    void app_body(FunctionTree& made) {
        tokens_.expect("{", "before the command of the app");
        while (!tokens_.sees("}") && !tokens_.sees(";")) {
            const std::size_t at = tokens_.sees("@") ? 1 : 0;
            if (tokens_.sees("stdin", at) || tokens_.sees("stdout", at) ||
                tokens_.sees("stderr", at)) {
                if (at == 1) tokens_.take();
                const Token& stream = tokens_.take();
                tokens_.expect("=", "after the stream");
                made.redirections.push_back({stream.at, stream.text, expressions_.word()});
            } else {
                made.command.push_back(expressions_.word());
            }
        }
        tokens_.accept(";");
        if (made.command.empty()) tokens_.fail("expected the name of a program");
        tokens_.expect("}", "after the command of the app");
    }

    void foreign_body(FunctionTree& made) {
        made.kind = FunctionTree::Kind::extension;
        while (tokens_.sees_string()) made.foreign.push_back(tokens_.take().value.string());
        if (tokens_.accept("[")) {
            if (!tokens_.sees_string()) tokens_.fail("expected the template, a string");
            made.foreign.resize(std::max<std::size_t>(made.foreign.size(), 3));
            made.foreign.push_back(tokens_.take().value.string());
            tokens_.expect("]", "after the template");
        }
        tokens_.expect(";", "after the definition");
        if (!made.foreign[0].starts_with("native")) return;
        for (const Annotation& each : made.annotations)
            if (each.name == "par") add_team_size(made, each.at);
    }
    /// Of a function that teams call: one input more, which @par=4 before a call gives.
    static void add_team_size(FunctionTree& to, Position at) {
        Parameter size;
        size.type.name = "int";
        size.type.at = size.declarator.at = at;
        size.declarator.name = "par";
        Expression& alone = size.declarator.value.emplace_back();
        alone.literal = Value(std::int64_t{1});
        alone.at = at;
        to.inputs.push_back(std::move(size));
    }

    std::vector<Parameter> parameters() {
        std::vector<Parameter> all;
        tokens_.expect("(", "before the parameters");
        tokens_.list(")", "after the parameters", [&] {
            Parameter each;
            each.type = type_name();
            while (tokens_.accept("|")) each.type.alternatives.push_back(type_name());
            if (tokens_.sees("["))
                tokens_.fail("expected the name of the parameter",
                             "brackets follow the name: int a[], not int[] a");
            each.variable_count = tokens_.accept("...");
            each.declarator = declarator();
            all.push_back(std::move(each));
        });
        return all;
    }

    // ---- types and declarations
    TypeName type_name() {
        TypeName type{tokens_.peek().at, tokens_.expect_name("a type").text};
        if (type.name == "bag" && tokens_.accept("<")) {
            type.of.push_back(whole_type());
            tokens_.expect(">", "after the type of the bag's elements");
        }
        return type;
    }
    /// One that no name follows: brackets belong to it.
    TypeName whole_type() {
        TypeName type = type_name();
        type.keys = keys();
        return type;
    }
    /// `[string][]`
    std::vector<TypeName> keys() {
        std::vector<TypeName> all;
        while (tokens_.accept("[")) {
            all.push_back(tokens_.sees("]") ? TypeName{tokens_.peek().at, "int"} : type_name());
            tokens_.expect("]", "after the type of the index");
        }
        return all;
    }

    Declarator declarator() {
        Declarator made;
        made.at = tokens_.peek().at;
        made.name = tokens_.expect_name("a name to declare").text;
        if (is_reserved(made.name))
            throw SyntaxError{
                made.at, "'" + made.name + "' is reserved and cannot be declared", {}};
        made.keys = keys();
        if (tokens_.accept("<")) {
            made.mapping.push_back(expressions_.sum());
            tokens_.expect(">", "after the mapping of the file");
        }
        if (tokens_.accept("=")) made.value.push_back(expressions_.expression());
        return made;
    }

    // ---- statements
    void open(const std::string& what) {
        open_.push_back({&tokens_.peek(), what});
        tokens_.expect("{", ("before " + what).c_str());
    }
    bool close() {
        if (tokens_.at_end()) fail_unclosed();
        const bool closes = tokens_.accept("}");
        if (closes) open_.pop_back();
        return closes;
    }
    /// For all blocks that are open: what follows stands at the top level.
    [[noreturn]] void fail_unclosed() {
        unclosed_ = true;
        const auto& [brace, what] = open_.back();
        tokens_.fail("expected '}' after " + what, {}, {{brace->at, "for the '{' that is here"}});
    }
    void expect_closed() {
        if (!open_.empty() && !TokenStream::is_closed(*open_.front().brace)) fail_unclosed();
    }
    Statement::Block block(const char* of) {
        open(std::string("the body of ") + of);
        const std::size_t depth = open_.size();
        Statement::Block all;
        while (!close()) {
            if (tokens_.accept(";")) continue;
            const std::string& first = tokens_.peek().text;
            try {
                all.push_back(statement(expressions_.annotations()));
            } catch (const SyntaxError& error) {
                if (unclosed_) throw;
                report(error, first);
                open_.resize(depth);
                skip_statement();
            }
        }
        return all;
    }

    Statement statement(std::vector<Annotation> annotations) {
        Statement first = link(std::move(annotations));
        if (!tokens_.sees("=>")) {
            finish(first);
            return first;
        }
        Statement chain;
        chain.kind = Kind::chain;
        chain.at = first.at;
        chain.parts.push_back(std::move(first));
        while (tokens_.accept("=>")) chain.parts.push_back(link(expressions_.annotations()));
        finish(chain.parts.back());
        return chain;
    }

    /// Statements that end in a block need no semicolon.
    void finish(const Statement& statement) {
        if (statement.kind == Kind::iterate)
            tokens_.accept(";");
        else if (statement.blocks.empty() && statement.kind != Kind::switch_)
            tokens_.expect(";", "after the statement");
    }

    Statement link(std::vector<Annotation> annotations) {
        Statement made;
        made.at = tokens_.peek().at;
        made.annotations = std::move(annotations);
        const bool is_word = tokens_.sees("import") || tokens_.sees("pragma") ||
                             tokens_.sees("app") || (tokens_.sees("type") && tokens_.sees_name(1));
        const bool is_main = tokens_.sees("main") && tokens_.sees("{", 1);
        if (is_word || is_main || (begins_function() && !tokens_.sees("main"))) {
            expect_closed();
            const std::string what = is_word ? "'" + tokens_.peek().text + "' cannot stand"
                                             : "a function cannot be defined";
            throw SyntaxError{made.at, what + " inside a function",
                              "move it to the top level of the file"};
        }
        const auto begins = [&](std::string_view word, Kind kind) {
            made.kind = kind;
            return tokens_.accept(word);
        };
        if (begins("if", Kind::if_)) return if_statement(std::move(made));
        if (begins("switch", Kind::switch_)) return switch_statement(std::move(made));
        if (begins("foreach", Kind::foreach)) return foreach_statement(std::move(made));
        if (begins("for", Kind::for_)) return for_statement(std::move(made));
        if (begins("iterate", Kind::iterate)) return iterate_statement(std::move(made));
        if (begins("wait", Kind::wait)) return wait_statement(std::move(made));
        if (tokens_.sees("{")) {
            made.kind = Kind::block;
            made.blocks.push_back(block("the block"));
            return made;
        }
        if (tokens_.sees("global") || begins_declaration()) return declaration(std::move(made));
        if (begins_update()) return update(std::move(made));
        return assignment_or_call(std::move(made));
    }

    [[nodiscard]] bool begins_declaration() const {
        if (!tokens_.sees_name() || is_reserved(tokens_.peek().text)) return false;
        if (tokens_.sees_name(1)) return true;
        return tokens_.sees("bag") && tokens_.sees("<", 1) && tokens_.sees_name(2) &&
               !tokens_.sees(":=", 4);
    }

    Statement declaration(Statement made, bool single = false) {
        made.kind = Kind::declare;
        if (tokens_.accept("global")) {
            made.global = true;
            tokens_.accept("const");
        }
        made.type = type_name();
        do {
            made.declarators.push_back(declarator());
        } while (!single && tokens_.accept(","));
        return made;
    }

    Statement assignment_or_call(Statement made) {
        std::vector<Expression> targets;
        do {
            targets.push_back(expressions_.expression());
        } while (tokens_.accept(","));
        if (targets.size() == 1 && targets[0].kind == Expression::Kind::tuple)
            targets = std::vector<Expression>(targets[0].parts);
        made.at = targets[0].at;
        if (tokens_.sees("=") || tokens_.sees("+=")) {
            made.kind = Kind::assign;
            made.operation = tokens_.take().text;
            made.values.push_back(targets.size() == 1 ? expressions_.expression()
                                                      : expressions_.one_or_several());
            made.targets = std::move(targets);
            return made;
        }
        if (targets.size() != 1) tokens_.fail("expected '=' after the variables");
        made.kind = Kind::call;
        if (targets[0].kind == Expression::Kind::call)  // those before the statement are the call's
            targets[0].annotations.insert(targets[0].annotations.begin(),
                                          std::make_move_iterator(made.annotations.begin()),
                                          std::make_move_iterator(made.annotations.end()));
        made.values.push_back(std::move(targets[0]));
        if (made.values[0].kind != Expression::Kind::call &&
            made.values[0].kind != Expression::Kind::name)
            throw SyntaxError{made.values[0].at,
                              "this is no statement: a value is computed and not used",
                              "assign it to a variable"};
        return made;
    }

    /// `x <min> := e`, of an updateable variable.
    [[nodiscard]] bool begins_update() const {
        return tokens_.sees_name() && tokens_.sees("<", 1) && tokens_.sees(">", 3) &&
               tokens_.sees(":=", 4);
    }
    Statement update(Statement made) {
        made.kind = Kind::assign;
        const Token& name = tokens_.take();
        made.targets.push_back(Expression::of(Expression::Kind::name, name.at, name.text));
        tokens_.take();
        made.operation = tokens_.expect_name("min, incr or scale").text;
        tokens_.take();
        tokens_.take();
        made.values.push_back(expressions_.expression());
        return made;
    }

    Statement if_statement(Statement made) {
        condition(made, "after 'if'");
        made.blocks.push_back(block("if"));
        if (tokens_.accept("else")) {
            if (tokens_.sees("if"))
                made.blocks.emplace_back().push_back(link({}));
            else
                made.blocks.push_back(block("else"));
        }
        return made;
    }
    void condition(Statement& made, const char* where) {
        tokens_.expect("(", where);
        made.values.push_back(expressions_.expression());
        tokens_.expect(")", "after the condition");
    }

    Statement switch_statement(Statement made) {
        condition(made, "after 'switch'");
        open("the cases");
        while (!close()) {
            if (tokens_.accept("default")) {
                made.cases.emplace_back();
            } else {
                if (!tokens_.sees("case")) expect_closed();
                const Position at = tokens_.expect("case", "in the switch");
                const bool negative = tokens_.accept("-");
                if (tokens_.peek().kind != Token::Kind::integer)
                    tokens_.fail("expected an integer after 'case'", "labels are literals");
                const std::int64_t label = tokens_.take().value.integer() * (negative ? -1 : 1);
                if (std::ranges::find(made.cases, label) != made.cases.end())
                    throw SyntaxError{
                        at,
                        "the label " + std::to_string(label) + " stands twice in this switch",
                        {}};
                if (!made.cases.empty() && !made.cases.back())
                    throw SyntaxError{at, "a case stands behind 'default'",
                                      "move 'default' to the end"};
                made.cases.emplace_back(label);
            }
            tokens_.expect(":", "after the label");
            made.blocks.emplace_back();
            while (!tokens_.sees("case") && !tokens_.sees("default") && !tokens_.sees("}")) {
                if (tokens_.at_end()) fail_unclosed();
                if (tokens_.accept(";")) continue;
                made.blocks.back().push_back(statement(expressions_.annotations()));
            }
        }
        return made;
    }

    Statement foreach_statement(Statement made) {
        made.text = tokens_.expect_name("the loop's variable").text;
        if (tokens_.accept(","))
            made.second = tokens_.expect_name("the variable of the index").text;
        tokens_.expect("in", "after the loop's variable");
        made.values.push_back(expressions_.expression());
        made.blocks.push_back(block("foreach"));
        return made;
    }

    Statement for_statement(Statement made) {
        tokens_.expect("(", "after 'for'");
        tokens_.list(";", "after the initial values", [&] {
            Statement carried;
            carried.at = tokens_.peek().at;
            made.init.push_back(begins_declaration() ? declaration(std::move(carried), true)
                                                     : link({}));
        });
        made.values.push_back(expressions_.expression());
        tokens_.expect(";", "after the condition");
        tokens_.list(")", "after the updates", [&] { made.update.push_back(link({})); });
        made.blocks.push_back(block("for"));
        return made;
    }

    Statement iterate_statement(Statement made) {
        made.text = tokens_.expect_name("the counter").text;
        made.blocks.push_back(block("iterate"));
        tokens_.expect("until", "after the body of iterate");
        condition(made, "after 'until'");
        return made;
    }

    Statement wait_statement(Statement made) {
        made.deep = tokens_.accept("deep");
        tokens_.expect("(", "after 'wait'");
        tokens_.list(")", "after what is waited for",
                     [&] { made.values.push_back(expressions_.expression()); });
        made.blocks.push_back(block("wait"));
        return made;
    }

    TokenStream tokens_;
    ExpressionParser expressions_;
    Diagnostics& diagnostics_;
    Script script_;
    Statement::Block main_body_;
    struct Open {
        const Token* brace;
        std::string what;
    };
    std::vector<Open> open_;  // blocks around what is read
    bool unclosed_ = false;   // none of them is closed
};

}  // namespace

Script parse(const std::vector<Token>& tokens, Diagnostics& diagnostics) {
    return Parser(tokens, diagnostics).run();
}

bool is_reserved(const std::string& name) {
    static constexpr std::array<std::string_view, 27> words = {
        "app",  "builtin", "if",     "else",   "switch", "case",   "default", "foreach", "in",
        "for",  "iterate", "until",  "wait",   "deep",   "true",   "false",   "global",  "const",
        "type", "typedef", "import", "pragma", "stdin",  "stdout", "stderr",  "NaN",     "inf"};
    return std::ranges::find(words, name) != words.end();
}

}  // namespace refrain::script
