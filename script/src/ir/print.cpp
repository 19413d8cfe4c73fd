#include "ir/print.hpp"

#include "values/steps.hpp"
#include "values/text.hpp"

namespace refrain::script::ir {
namespace {

std::string place(Position at) {
    return " @" + std::to_string(at.line) + ":" + std::to_string(at.column) +
           (at.file == 0 ? "" : ":" + std::to_string(at.file));
}
class Printer {
  public:
    explicit Printer(const Function& function) : function_(function) {}

    std::string run() {
        text_ = "function " + function_.name + " (";
        for (const VariableId each : function_.outputs)
            parameter("output", each, each == function_.outputs.front());
        text_ += ") (";
        for (const VariableId each : function_.inputs)
            parameter(
                function_.variables[each].storage == Variable::Storage::local ? "local" : "input",
                each, each == function_.inputs.front());
        text_ += ") {\n";
        block(function_.body);
        return text_ + "}\n";
    }

  private:
    void parameter(const char* role, VariableId id, bool first) {
        text_ += (first ? "" : ", ") + std::string(role) + " " + variable(id) + " " +
                 function_.variables[id].type.text();
    }
    [[nodiscard]] const std::string& variable(VariableId id) const {
        return function_.variables[id].name;
    }
    static std::string constant(const Value& value) {
        if (value.is<std::string>()) return in_quotes(value.string());
        if (value.is<bool>()) return value.truth() ? "true" : "false";
        if (value.is<Void>()) return "void";
        return text_of(value);
    }
    [[nodiscard]] std::string operand(const Operand& is) const {
        step();
        std::string text = is.is_constant()   ? constant(is.constant)
                           : is.is_variable() ? variable(is.variable)
                                              : "-";
        for (const Operand& key : is.path) text += "[" + operand(key) + "]";
        return text;
    }
    [[nodiscard]] std::string operands(const std::vector<Operand>& all) const {
        std::string text = "[";
        for (const Operand& each : all) text += (&each == all.data() ? "" : ", ") + operand(each);
        return text + "]";
    }

    void line(const std::string& text) { text_.append(2 * depth_, ' ').append(text) += '\n'; }
    void block(const Block& is) {
        ++depth_;
        for (const VariableId each : is.variables) {
            const Variable& variable = function_.variables[each];
            const bool local = variable.storage == Variable::Storage::local;
            line((local             ? "local "
                  : variable.mapped ? "mapped "
                                    : "datum ") +
                 variable.name + " " + variable.type.text());
        }
        for (const Statement& each : is.statements)
            std::visit([&](const auto& one) { statement(one); }, each.is);
        --depth_;
    }
    void braced(const std::string& head, const Block& body) {
        line(head + " {");
        block(body);
        line("}");
    }
    void statement(const Instruction& is) {
        line(std::string(traits_of(is.op).name) + (is.callee.empty() ? "" : " " + is.callee) + " " +
             operands(is.outs) + " " + operands(is.ins) + place(is.at) +
             (is.priority == 0 ? "" : " priority " + std::to_string(is.priority)) +
             (is.placed ? " placed" : ""));
    }
    void statement(const Branch& is) {
        const std::vector<std::int64_t>& labels = is.choice.labels;
        line((is.choice.by_truth ? "if " : "switch ") + operand(is.value) + " {");
        for (std::size_t i = 0; i < is.blocks.size(); ++i) {
            if (is.choice.by_truth && i == 1) line("} else {");
            if (is.choice.by_truth)
                block(is.blocks[i]);
            else
                braced(i < labels.size() ? "case " + std::to_string(labels[i]) : "default",
                       is.blocks[i]);
        }
        line("}");
    }
    void statement(const Wait& is) {
        braced(std::string(is.task ? "task " : "wait ") + (is.deep ? "deep " : "") +
                   operands(is.operands) + place(is.at) +
                   (is.priority == 0 ? "" : " priority " + std::to_string(is.priority)),
               is.body);
    }
    [[nodiscard]] std::string loop_variable(const char* role, VariableId id) const {
        return id == no_variable ? ""
                                 : std::string(" ") + role + " " + variable(id) + " " +
                                       function_.variables[id].type.text();
    }
    void statement(const Foreach& is) {
        braced("foreach" + loop_variable("element", is.element) + loop_variable("key", is.key) +
                   " in " + operand(is.array) + place(is.at),
               is.body);
    }
    void statement(const RangeLoop& is) {
        braced("range" + loop_variable("counter", is.counter) + loop_variable("index", is.index) +
                   " in " + operands({is.begin, is.end, is.step}) + place(is.at),
               is.body);
    }
    void statement(const CarriedLoop& is) {
        std::string carried;
        for (const VariableId each : is.carried) carried += loop_variable("carried", each);
        braced("loop" + carried + " from " + operands(is.initial) + place(is.at), is.body);
    }

    const Function& function_;
    std::string text_;
    std::size_t depth_ = 0;
};

}  // namespace

std::string print(const Program& program) {
    std::string text;
    for (const Function& each : program.functions) text += Printer(each).run();
    return text;
}

}  // namespace refrain::script::ir
