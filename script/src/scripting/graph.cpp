#include "scripting/graph.hpp"

#include "ir/operation.hpp"
#include "syntax/letters.hpp"
#include "values/format.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace refrain::script {
namespace {

using drawing::Graph;

std::string line_label(Position place) {
    return place.line == 0 ? "" : "line " + std::to_string(place.line);
}

/// One function. Nodes are numbered in the order of the code.
class FunctionGraph {
  public:
    FunctionGraph(const ir::Function& function, const Sources& sources, Graph& graph)
        : function_(function), sources_(sources), graph_(graph) {}

    void run() {
        const std::size_t around = open(ir::written_name(function_.name), function_.at, false);
        for (const ir::VariableId each : function_.inputs) variable(each);
        for (const ir::VariableId each : function_.outputs) variable(each);
        draw(function_.body);
        frame_ = around;
        // A value may be read above the statement that makes it, and come from one that does, too.
        std::size_t known = 0;
        do {
            known = size();
            flow(function_.body);
        } while (size() != known);
    }

  private:
    using Nodes = std::set<std::size_t>;

    /// Returns the frame around it.
    std::size_t open(const std::string& text, Position place, bool stacked) {
        graph_.frames.push_back({text, line_label(place), frame_, stacked});
        return std::exchange(frame_, graph_.frames.size() - 1);
    }
    std::size_t node(const std::string& text, Position place, Graph::Shape shape) {
        graph_.nodes.push_back({text, line_label(place), frame_, shape});
        return graph_.nodes.size() - 1;
    }

    // ---- what is drawn
    void variable(ir::VariableId id) {
        if (id == ir::no_variable) return;
        const ir::Variable& is = function_.variables[id];
        const std::string name = name_in_script(sources_, is);
        if (name.empty()) return;
        const bool is_array = is.type.is(Kind::array) || is.type.is(Kind::bag);
        of_[id] = {node(name + " " + is.type.text(), is.at,
                        is_array ? Graph::Shape::stack : Graph::Shape::ellipse)};
        named_.insert(id);
    }
    void draw(const ir::Block& is) {
        for (const ir::VariableId each : is.variables) variable(each);
        for (const ir::Statement& each : is.statements)
            in_order(each, [&](const auto& one) { draw(one); });
    }
    /// Visits what is more than its blocks, and else these.
    template <class Visit>
    static void in_order(const ir::Statement& statement, Visit visit) {
        std::visit(
            [&](const auto& is) {
                using Is = std::decay_t<decltype(is)>;
                if constexpr (std::is_same_v<Is, ir::Branch> || std::is_same_v<Is, ir::Wait>)
                    ir::for_each_block(statement, visit);
                else
                    visit(is);
            },
            statement.is);
    }
    void draw(const ir::Instruction& is) {
        const bool is_call =
            is.op == ir::Op::call || is.op == ir::Op::leaf || is.op == ir::Op::leaf_now;
        const bool is_action =
            is.op == ir::Op::compute && std::ranges::all_of(is.outs, [](const ir::Operand& each) {
                return each.type.is(Kind::void_);
            });
        if (is_call || is_action)
            drawn_[&is] = node(ir::written_name(is.callee), is.at, Graph::Shape::box);
    }
    void stacked(const std::string& text, Position at, const std::vector<ir::VariableId>& own,
                 const ir::Block& body) {
        const std::size_t around = open(text, at, true);
        for (const ir::VariableId each : own) variable(each);
        draw(body);
        frame_ = around;
    }
    void draw(const ir::Foreach& is) { stacked("foreach", is.at, {is.element, is.key}, is.body); }
    void draw(const ir::RangeLoop& is) {
        stacked("foreach", is.at, {is.counter, is.index}, is.body);
    }
    void draw(const ir::CarriedLoop& is) { stacked("for", is.at, is.carried, is.body); }

    // ---- from where values come
    [[nodiscard]] std::size_t size() const {
        std::size_t sum = graph_.edges.size();
        for (const auto& [variable, nodes] : of_) sum += nodes.size();
        return sum;
    }
    void add(const ir::Operand& operand, Nodes& to) const {
        if (operand.is_variable())
            if (const auto found = of_.find(operand.variable); found != of_.end())
                to.insert(found->second.begin(), found->second.end());
        for (const ir::Operand& key : operand.path) add(key, to);
    }
    [[nodiscard]] Nodes nodes_of(const std::vector<ir::Operand>& operands) const {
        Nodes all;
        for (const ir::Operand& each : operands) add(each, all);
        return all;
    }
    void connect(const Nodes& from, std::size_t to) {
        for (const std::size_t each : from)
            if (each != to) graph_.edges.insert({each, to});
    }
    void flow(const Nodes& from, ir::VariableId to) {
        if (to == ir::no_variable) return;
        if (named_.contains(to))
            connect(from, *of_[to].begin());
        else
            of_[to].insert(from.begin(), from.end());
    }
    void flow(const ir::Block& is) {
        for (const ir::Statement& each : is.statements)
            in_order(each, [&](const auto& one) { flow(one); });
    }
    void flow(const ir::Instruction& is) {
        Nodes from = nodes_of(is.ins);
        if (const auto drawn = drawn_.find(&is); drawn != drawn_.end()) {
            connect(from, drawn->second);
            from = {drawn->second};
        }
        for (const ir::Operand& each : is.outs)
            if (each.is_variable()) flow(from, each.variable);
        if (is.op == ir::Op::next && !loops_.empty())
            for (std::size_t i = 0; i < is.ins.size(); ++i)
                flow(nodes_of({is.ins[i]}), loops_.back()->carried[i]);
    }
    void flow(const ir::Foreach& is) {
        const Nodes from = nodes_of({is.array});
        flow(from, is.element);
        flow(from, is.key);
        flow(is.body);
    }
    void flow(const ir::RangeLoop& is) {
        flow(nodes_of({is.begin, is.end, is.step}), is.counter);
        flow(is.body);
    }
    void flow(const ir::CarriedLoop& is) {
        for (std::size_t i = 0; i < is.carried.size(); ++i)
            flow(nodes_of({is.initial[i]}), is.carried[i]);
        loops_.push_back(&is);
        flow(is.body);
        loops_.pop_back();
    }

    const ir::Function& function_;
    const Sources& sources_;
    Graph& graph_;
    std::size_t frame_ = Graph::none;
    std::map<ir::VariableId, Nodes> of_;  // the nodes that a variable's value comes from
    std::set<ir::VariableId> named_;      // those that are nodes
    std::map<const ir::Instruction*, std::size_t> drawn_;
    std::vector<const ir::CarriedLoop*> loops_;
};

}  // namespace

std::string name_in_script(const Sources& sources, const ir::Variable& variable) {
    const Position at = variable.at;
    const std::string_view line = sources.line(at);
    const std::string name = variable.name.substr(0, variable.name.find('.'));
    if (at.column == 0 || at.column > line.size()) return {};
    const std::string_view rest = line.substr(at.column - 1);
    const bool goes_on = rest.size() > name.size() && in_name(rest[name.size()]);
    return rest.starts_with(name) && !goes_on ? name : "";
}

Graph graph_of(const ir::Program& program, const Sources& sources) {
    Graph graph;
    graph.title = sources.name(0);
    graph.notes = {
        "What the script computes from what: arrays and other variables, calls, and the "
        "loops that make many of them."};
    const ir::ProgramIndex index(program);
    for (const ir::Function& each : program.functions)
        if (index.leaf(each.name) == nullptr && each.name.find('@') == std::string::npos)
            FunctionGraph(each, sources, graph).run();
    return graph;
}

Graph graph_of(const RunResult& run, const std::string& title) {
    Graph graph;
    graph.title = title;
    double longest = 0;
    for (const CallRecord& each : run.calls) longest = std::max(longest, each.ended - each.began);
    for (std::size_t i = 0; i < run.calls.size(); ++i) {
        const CallRecord& is = run.calls[i];
        const double took = is.ended - is.began;
        graph.nodes.push_back({is.function, is.place + "\n" + duration_text(took), Graph::none,
                               Graph::Shape::box, longest > 0 ? took / longest : 0, is.failed});
        for (const std::size_t each : is.after) graph.edges.insert({each, i});
    }
    graph.notes = {std::to_string(run.calls.size()) +
                   " calls ran, one after the other; the stronger the colour, the longer one took, "
                   "up to " +
                   duration_text(longest) + ". Each lies below those whose results it needed."};
    if (run.calls_left_out != 0)
        graph.notes.push_back(std::to_string(run.calls_left_out) +
                              " further calls are not drawn; run a smaller case to see all.");
    return graph;
}

}  // namespace refrain::script
