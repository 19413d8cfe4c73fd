#include "programs/random_program.hpp"

#include <functional>

namespace refrain::script {
namespace {

using Statements = std::vector<RandomStatement>;

/// The names in sight, by type.
struct Names {
    std::vector<std::string> ints, floats, strings, arrays, nested, structs;
};

constexpr const char* prelude =
    "type S { int n; string s; int A[]; }\n"
    "(int o) twice(int x) { o = x * 2; }\n"
    "(int o) sum_to(int n) { if (n <= 0) { o = 0; } else { o = n + sum_to(n - 1); } }\n"
    "(int A[]) squares(int n) { foreach i in [0:n] { A[i] = i * i; } }\n"
    "(S o) make(int n) { o.n = n; o.s = \"s\" + n; foreach i in [1:2] { o.A[i] = n + i; } }\n"
    "import stats;\nimport string;\n";

/// Draws one after the other. The operands of + and the arguments of a call are evaluated in an order that each compiler
/// chooses, so an expression holds one draw at most; those between braces are evaluated from left to right.
class Maker {
  public:
    explicit Maker(std::uint64_t seed) : random_(seed) {}

    RandomProgram run() {
        Names names;
        names.ints = {"argc()"};
        RandomProgram program;
        program.statements = block(names, 3, 4 + below(8));
        return program;
    }

  private:
    std::uint64_t below(std::uint64_t end) {
        return std::uniform_int_distribution<std::uint64_t>(0, end - 1)(random_);
    }
    std::string fresh() { return "v" + std::to_string(++names_made_); }
    std::string any(const std::vector<std::string>& names) { return names[below(names.size())]; }

    static std::string joined(std::initializer_list<std::string> parts) {
        std::string all;
        for (const std::string& part : parts) all += part;
        return all;
    }

    std::string whole(const Names& names, int depth = 2) {
        switch (below(depth == 0 ? 2 : 9)) {
            case 0:
                return std::to_string(below(7));
            case 1:
                return any(names.ints);
            case 2:
                return joined({"(", whole(names, depth - 1), " + ", whole(names, depth - 1), ")"});
            case 3:
                return joined({"(", whole(names, depth - 1), " - ", whole(names, depth - 1), ")"});
            case 4:
                return "twice(" + whole(names, depth - 1) + ")";
            case 5:
                return names.arrays.empty() ? "3" : "size(" + any(names.arrays) + ")";
            case 6:
                return names.arrays.empty() ? "4" : "sum(" + any(names.arrays) + ")";
            case 7:
                return names.structs.empty() ? "5" : any(names.structs) + ".n";
            default:
                return "sum_to(" + std::to_string(below(5)) + ")";
        }
    }
    std::string text(const Names& names) {
        if (names.strings.empty() || below(2) == 0) return "(\"t\" + " + whole(names) + ")";
        return any(names.strings);
    }
    std::string condition(const Names& names) {
        return joined({whole(names), below(2) == 0 ? " < " : " != ", whole(names)});
    }

    static RandomStatement plain(std::string text) { return {std::move(text), {}, {}, {}, false}; }
    static RandomStatement around(std::string head, Statements body, std::string tail = "") {
        return {std::move(head), std::move(body), std::move(tail), {}, true};
    }

    Statements block(Names names, int depth, std::uint64_t count) {
        Statements all;
        for (std::uint64_t i = 0; i < count; ++i) add(all, names, depth);
        all.push_back(trace(names));
        return all;
    }
    RandomStatement trace(const Names& names) {
        switch (below(5)) {
            case 0:
                return plain("trace(\"a\", " + whole(names) + ");");
            case 1:
                return plain("trace(\"b\", " + text(names) + ");");
            case 2:
                return plain(names.arrays.empty() ? "trace(\"c\");"
                                                  : "trace(repr(" + any(names.arrays) + "));");
            case 3:
                return plain(names.nested.empty() ? "trace(\"d\");"
                                                  : "trace(repr(" + any(names.nested) + "));");
            default:
                return plain(names.structs.empty() ? "trace(\"e\");"
                                                   : "trace(" + any(names.structs) + ".s);");
        }
    }

    void add(Statements& all, Names& names, int depth) {
        const std::string name = fresh();
        switch (below(depth == 0 ? 7 : 15)) {
            case 0:
            case 1:
                all.push_back(plain("int " + name + " = " + whole(names) + ";"));
                names.ints.push_back(name);
                return;
            case 2:
                all.push_back(plain("string " + name + " = " + text(names) + ";"));
                names.strings.push_back(name);
                return;
            case 3:
                all.push_back(trace(names));
                return;
            case 4:
                all.push_back(
                    plain("int " + name + "[] = squares(" + std::to_string(below(4)) + ");"));
                names.arrays.push_back(name);
                return;
            case 5:
                all.push_back(plain("S " + name + " = make(" + whole(names) + ");"));
                names.structs.push_back(name);
                return;
            case 6: {
                all.push_back(plain("S " + name + ";"));
                all.push_back(plain(name + ".n = " + whole(names) + ";"));
                all.push_back(plain(name + ".s = " + text(names) + ";"));
                names.structs.push_back(name);
                return;
            }
            case 7: {  // assigned in both branches, before or behind its use
                all.push_back(plain("int " + name + ";"));
                RandomStatement branch = around("if (" + condition(names) + ") {", {}, "} else {");
                const std::uint64_t count = 1 + below(2);
                branch.body = block(names, depth - 1, count);
                branch.body.push_back(plain(name + " = " + whole(names) + ";"));
                branch.other = block(names, depth - 1, 1);
                branch.other.push_back(plain(name + " = " + whole(names) + ";"));
                all.push_back(std::move(branch));
                names.ints.push_back(name);
                return;
            }
            case 8: {  // elements by a loop, perhaps not all of them
                all.push_back(plain("int " + name + "[];"));
                Names inner = names;
                const std::string i = fresh();
                inner.ints.push_back(i);
                Statements body = block(inner, depth - 1, 1);
                const std::string assign = name + "[" + i + "] = " + whole(inner) + ";";
                const bool always = below(2) == 0;
                body.push_back(
                    always ? plain(assign)
                           : around("if (" + condition(inner) + ") {", {plain(assign)}, "}"));
                all.push_back(around("foreach " + i + " in [0:" + std::to_string(below(4)) + "] {",
                                     std::move(body), "}"));
                names.arrays.push_back(name);
                return;
            }
            case 9: {
                all.push_back(plain("int " + name + "[][];"));
                const std::string i = fresh();
                const std::string j = fresh();
                Names inner = names;
                inner.ints.push_back(i);
                inner.ints.push_back(j);
                Statements body{plain(name + "[" + i + "][" + j + "] = " + whole(inner) + ";")};
                Statements rows{
                    around("foreach " + j + " in [0:" + i + "] {", std::move(body), "}")};
                all.push_back(around("foreach " + i + " in [0:2] {", std::move(rows), "}"));
                names.nested.push_back(name);
                if (below(2) == 0) names.arrays.push_back(name + "[1]");
                return;
            }
            case 10: {
                if (names.arrays.empty()) return;
                Names inner = names;
                const std::string value = fresh();
                const std::string key = fresh();
                inner.ints.push_back(value);
                inner.ints.push_back(key);
                const std::string array = any(names.arrays);
                const std::uint64_t count = 1 + below(2);
                all.push_back(around("foreach " + value + ", " + key + " in " + array + " {",
                                     block(inner, depth - 1, count), "}"));
                return;
            }
            case 11: {
                Names inner = names;
                const std::string i = fresh();
                const std::string carried = fresh();
                inner.ints.push_back(i);
                inner.ints.push_back(carried);
                all.push_back(plain("int " + name + ";"));
                const std::string head =
                    joined({"for (int ",  i,     " = 0, ", name,  " = ",
                            whole(names), "; ",  i,        " < ", std::to_string(below(4)),
                            "; ",         i,     " = ",    i,     " + 1, ",
                            name,         " = ", name,     " + ", i,
                            ") {"});
                all.push_back(around(head, block(names, depth - 1, 1), "}"));
                names.ints.push_back(name);
                return;
            }
            case 12: {
                if (names.nested.empty() && names.arrays.empty()) return;
                const std::string array =
                    names.nested.empty() ? any(names.arrays) : any(names.nested);
                const std::string kind = below(2) == 0 ? "deep " : "";
                all.push_back(
                    around("wait " + kind + "(" + array + ") {", block(names, depth - 1, 1), "}"));
                return;
            }
            case 13:  // a variable that is assigned only perhaps: who needs it may wait for ever
                all.push_back(plain("int " + name + ";"));
                all.push_back(around("if (" + condition(names) + ") {", {}, "}"));
                all.back().body.push_back(plain(name + " = " + whole(names) + ";"));
                if (below(3) == 0) names.ints.push_back(name);
                return;
            default:
                if (names.structs.empty()) return;
                all.push_back(plain("S " + name + " = " + any(names.structs) + ";"));
                names.structs.push_back(name);
        }
    }

    std::mt19937_64 random_;
    std::uint64_t names_made_ = 0;
};

void print(const Statements& all, std::string& text, int depth) {
    for (const RandomStatement& each : all) {
        text += std::string(2 * static_cast<std::size_t>(depth), ' ') + each.head + "\n";
        if (!each.in_block) continue;
        print(each.body, text, depth + 1);
        text += std::string(2 * static_cast<std::size_t>(depth), ' ') + each.tail + "\n";
        if (each.tail.ends_with("else {")) {
            print(each.other, text, depth + 1);
            text += std::string(2 * static_cast<std::size_t>(depth), ' ') + "}\n";
        }
    }
}

void shrink(const RandomProgram& program, std::vector<RandomProgram>& made,
            const std::function<Statements&(RandomProgram&)>& find) {
    RandomProgram original = program;
    const std::size_t count = find(original).size();
    for (std::size_t i = 0; i < count; ++i) {
        RandomProgram without = program;
        Statements& there = find(without);
        there.erase(there.begin() + static_cast<std::ptrdiff_t>(i));
        made.push_back(std::move(without));
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (!find(original)[i].in_block) continue;
        for (const bool other : {false, true}) {
            RandomProgram unwrapped = program;
            Statements& there = find(unwrapped);
            Statements content = other ? there[i].other : there[i].body;
            const auto at = there.begin() + static_cast<std::ptrdiff_t>(i);
            there.insert(there.erase(at), content.begin(), content.end());
            made.push_back(std::move(unwrapped));
        }
        shrink(program, made,
               [&find, i](RandomProgram& in) -> Statements& { return find(in)[i].body; });
        if (!find(original)[i].other.empty())
            shrink(program, made,
                   [&find, i](RandomProgram& in) -> Statements& { return find(in)[i].other; });
    }
}

}  // namespace

std::string RandomProgram::text() const {
    std::string all = std::string(prelude) + "import sys;\n";
    print(statements, all, 0);
    return all;
}

RandomProgram make_random_program(std::uint64_t seed) {
    return Maker(seed).run();
}

std::vector<RandomProgram> smaller_programs(const RandomProgram& program) {
    std::vector<RandomProgram> made;
    shrink(program, made, [](RandomProgram& in) -> Statements& { return in.statements; });
    return made;
}

}  // namespace refrain::script
