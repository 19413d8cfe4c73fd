#include "programs/random_program.hpp"

#include <functional>

namespace refrain::script {
namespace {

using Statements = std::vector<RandomStatement>;

/// The names in sight, by type.
struct Names {
    std::vector<std::string> ints, floats, strings, arrays, nested, structs, bags, maps, rows,
        files;
    std::vector<std::string> sums, products,
        minima;  // updateable variables, by how they are updated
};

constexpr const char* prelude =
    "type S { int n; string s; int A[]; }\n"
    "type M int;\n"
    "(int o) twice(int x) { o = x * 2; }\n"
    "(int o) sum_to(int n) { if (n <= 0) { o = 0; } else { o = n + sum_to(n - 1); } }\n"
    "(int A[]) squares(int n) { foreach i in [0:n] { A[i] = i * i; } }\n"
    "(S o) make(int n) { o.n = n; o.s = \"s\" + n; foreach i in [1:2] { o.A[i] = n + i; } }\n"
    "(int q, int r) divided(int n, int by=3) { q = n %/ by; r = n %% by; }\n"
    "(int o) length_of(S s) { o = size(s.A) + s.n; }\n"
    "(float o) root(float x) \"c:libm.so.6\" \"1\" \"cbrt\";\n"
    "import stats;\nimport string;\nimport files;\n";

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
        switch (below(depth == 0 ? 2 : 16)) {
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
            case 8:
                return names.bags.empty() ? "6" : "bag_size(" + any(names.bags) + ")";
            case 9:  // perhaps there is no such element: a failure
                return names.arrays.empty() ? "1" : joined({any(names.arrays), "[", key(), "]"});
            case 10:
                return names.maps.empty() ? "2" : joined({any(names.maps), "[\"k", key(), "\"]"});
            case 11:
                return names.rows.empty() ? "3" : joined({any(names.rows), "[", key(), "].n"});
            case 12:
                return names.rows.empty()
                           ? "4"
                           : joined({"length_of(", any(names.rows), "[", key(), "])"});
            case 13:
                return names.rows.empty() ? "5" : "size(" + any(names.rows) + ")";
            case 14:
                return "float2int(" + fraction(names, depth - 1) + ")";
            default:
                return "sum_to(" + std::to_string(below(5)) + ")";
        }
    }
    /// Mostly one that is there.
    std::string key() { return std::to_string(below(8) == 0 ? 3 : below(2)); }
    std::string fraction(const Names& names, int depth = 1) {
        switch (below(4)) {
            case 0:
                return "root(" + whole(names, depth) + ")";
            case 1:
                return names.floats.empty() ? "1.5" : any(names.floats);
            default:
                return "(0.5 * " + whole(names, depth) + ")";
        }
    }
    std::string text(const Names& names) {
        switch (below(6)) {
            case 0:
                return "(\"f\" + " + fraction(names) + ")";
            case 1:
                return names.files.empty() ? "\"no file\"" : "read(" + any(names.files) + ")";
            case 2:
                return names.rows.empty() ? "\"no row\""
                                          : joined({any(names.rows), "[", key(), "].s"});
            case 3:
                if (!names.strings.empty()) return any(names.strings);
                [[fallthrough]];
            default:
                return "(\"t\" + " + whole(names) + ")";
        }
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
        switch (below(8)) {
            case 0:
                return plain("trace(\"a\", " + whole(names) + ");");
            case 5:
                return plain("trace(\"f\", " + fraction(names) + ");");
            case 6:
                return plain(names.maps.empty() ? "trace(\"g\");"
                                                : "trace(\"m\", size(" + any(names.maps) + "));");
            case 7:
                return plain(names.bags.empty() ? "trace(\"h\");"
                                                : "foreach each in " + any(names.bags) +
                                                      " { trace(\"i\", each); }");
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

    /// In any order: sums of halves, products of 0, 1 and 2, and minima are exact.
    void update(Statements& all, const Names& names) {
        const std::uint64_t kind = below(3);
        const auto& among = kind == 0 ? names.sums : kind == 1 ? names.products : names.minima;
        if (among.empty()) return;
        constexpr const char* how[] = {" <incr> := 0.5 * ", " <scale> := 1.0 + (",
                                       " <min> := 0.5 * "};
        all.push_back(
            plain(joined({any(among), how[kind], whole(names), kind == 1 ? ") %% 2;" : ";"})));
    }

    void add(Statements& all, Names& names, int depth) {
        const std::string name = fresh();
        switch (below(depth == 0 ? 14 : 28)) {
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
            case 7:
                all.push_back(plain("float " + name + " = " + fraction(names) + ";"));
                names.floats.push_back(name);
                return;
            case 8:
                all.push_back(plain("file " + name + " = write(" + text(names) + ");"));
                names.files.push_back(name);
                return;
            case 9:  // an int of another type
                all.push_back(plain("M " + name + " = M(" + whole(names) + ");"));
                names.ints.push_back(name);
                return;
            case 10: {
                const std::string rest = fresh();
                const std::string by = below(2) == 0 ? ", by=2);" : ");";
                all.push_back(plain(joined({"int ", name, "; int ", rest, "; ", name, ", ", rest,
                                            " = divided(", whole(names), by})));
                names.ints.push_back(name);
                names.ints.push_back(rest);
                return;
            }
            case 11: {  // the links wait for one another
                const std::string next = fresh();
                all.push_back(
                    plain(joined({"int ", name, " = ", whole(names), " => int ", next, " = ",
                                  whole(names), " => trace(\"link\", ", name, ");"})));
                names.ints.push_back(name);
                names.ints.push_back(next);
                return;
            }
            case 12: {
                std::vector<std::string>* const kinds[] = {&names.sums, &names.products,
                                                           &names.minima};
                const std::uint64_t kind = below(3);
                all.push_back(
                    plain("updateable_float " + name + (kind == 0 ? " = 0.0;" : " = 1.0;")));
                kinds[kind]->push_back(name);
                return;
            }
            case 13:
                update(all, names);
                return;
            case 14: {  // assigned in both branches, before or behind its use
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
            case 15: {  // elements by a loop, perhaps not all of them
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
            case 16: {
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
            case 17: {
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
            case 18: {
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
            case 19: {
                if (names.nested.empty() && names.arrays.empty()) return;
                const std::string array =
                    names.nested.empty() ? any(names.arrays) : any(names.nested);
                const std::string kind = below(2) == 0 ? "deep " : "";
                all.push_back(
                    around("wait " + kind + "(" + array + ") {", block(names, depth - 1, 1), "}"));
                return;
            }
            case 20:  // a variable that is assigned only perhaps: who needs it may wait for ever
                all.push_back(plain("int " + name + ";"));
                all.push_back(around("if (" + condition(names) + ") {", {}, "}"));
                all.back().body.push_back(plain(name + " = " + whole(names) + ";"));
                if (below(3) == 0) names.ints.push_back(name);
                return;
            case 21: {
                all.push_back(plain("bag<int> " + name + ";"));
                Names inner = names;
                const std::string i = fresh();
                inner.ints.push_back(i);
                Statements body = block(inner, depth - 1, 1);
                const auto append = plain(name + " += " + whole(inner) + ";");
                body.push_back(below(2) == 0
                                   ? append
                                   : around("if (" + condition(inner) + ") {", {append}, "}"));
                all.push_back(around("foreach " + i + " in [0:" + std::to_string(below(4)) + "] {",
                                     std::move(body), "}"));
                names.bags.push_back(name);
                return;
            }
            case 22: {
                all.push_back(plain("int " + name + "[string];"));
                Names inner = names;
                const std::string i = fresh();
                inner.ints.push_back(i);
                Statements body = block(inner, depth - 1, 1);
                body.push_back(plain(joined({name, "[\"k\" + ", i, "] = ", whole(inner), ";"})));
                all.push_back(around("foreach " + i + " in [0:" + std::to_string(below(4)) + "] {",
                                     std::move(body), "}"));
                names.maps.push_back(name);
                return;
            }
            case 23: {  // structs by a call, or field by field
                all.push_back(plain("S " + name + "[];"));
                Names inner = names;
                const std::string i = fresh();
                inner.ints.push_back(i);
                Statements body = block(inner, depth - 1, 1);
                if (below(2) == 0) {
                    body.push_back(plain(joined({name, "[", i, "] = make(", whole(inner), ");"})));
                } else {
                    const std::string one = fresh();
                    body.push_back(plain("S " + one + ";"));
                    body.push_back(plain(one + ".n = " + whole(inner) + ";"));
                    body.push_back(plain(one + ".s = " + text(inner) + ";"));
                    body.push_back(plain(one + ".A[0] = " + whole(inner) + ";"));
                    body.push_back(plain(joined({name, "[", i, "] = ", one, ";"})));
                }
                all.push_back(around("foreach " + i + " in [0:2] {", std::move(body), "}"));
                names.rows.push_back(name);
                return;
            }
            case 24: {
                RandomStatement branch =
                    around("switch (" + whole(names) + ") { case 1:", {}, "default:");
                all.push_back(plain("int " + name + ";"));
                branch.body = block(names, depth - 1, 1);
                branch.body.push_back(plain(name + " = " + whole(names) + ";"));
                branch.other = block(names, depth - 1, 1);
                branch.other.push_back(plain(name + " = " + whole(names) + ";"));
                all.push_back(std::move(branch));
                names.ints.push_back(name);
                return;
            }
            case 25: {
                const std::string i = fresh();
                Names inner = names;
                inner.ints.push_back(i);
                Statements body = block(inner, depth - 1, 1);
                const std::string end = std::to_string(below(3));
                all.push_back(around("iterate " + i + " {", std::move(body),
                                     joined({"} until (", i, " >= ", end, ");"})));
                return;
            }
            case 26:
                all.push_back(around("{", block(names, depth - 1, 2), "}"));
                return;
            case 27: {  // when all updates are done, the value is one
                std::vector<std::string> all_of_them = names.sums;
                for (const auto* more : {&names.products, &names.minima})
                    all_of_them.insert(all_of_them.end(), more->begin(), more->end());
                if (all_of_them.empty()) return;
                const std::string one = any(all_of_them);
                Names inner = names;
                inner.sums = inner.products = inner.minima = {};
                inner.floats.push_back(one);
                const std::string also =
                    names.arrays.empty() || below(2) == 0 ? "" : ", " + any(names.arrays);
                Statements body{plain("trace(\"u\", " + one + ");")};
                for (RandomStatement& each : block(inner, depth - 1, 1))
                    body.push_back(std::move(each));
                all.push_back(around("wait (" + one + also + ") {", std::move(body), "}"));
                return;
            }
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
        if (each.tail.ends_with("else {") || each.tail == "default:") {
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

std::string random_prelude() {
    return std::string(prelude) + "import sys;\n";
}
std::string RandomProgram::statements_text() const {
    std::string all;
    print(statements, all, 0);
    return all;
}
std::string RandomProgram::text() const {
    return random_prelude() + statements_text();
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
