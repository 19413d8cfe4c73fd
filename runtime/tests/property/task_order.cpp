#include "property/task_order.hpp"

#include <map>

#include "property/oracle.hpp"

namespace refrain::property {
namespace {

/// An access of a task or of the host to a region.
struct Use {
    int region;
    Privilege privilege;
    Operator op;
    Elements elements;
};

/// A point task, a fence, or a statement that makes the host wait.
struct Vertex {
    std::size_t statement;
    int point = 0;
    bool is_host = false;
    bool is_fence = false;  // ordered after all earlier and before all later vertices
    std::vector<Use> uses{};
    std::vector<int> futures{};
    int result = -1;
    std::uint64_t operation = 0;
};

/// The transitive order of vertices. Bit u of row v: u precedes v.
class Order {
  public:
    explicit Order(std::size_t vertices)
        : words_((vertices + 63) / 64), bits_(vertices * words_, 0) {}

    /// Adds that u, with all its predecessors, precedes v. Row u must be complete.
    void add(std::size_t u, std::size_t v) {
        for (std::size_t w = 0; w < words_; ++w) bits_[v * words_ + w] |= bits_[u * words_ + w];
        bits_[v * words_ + u / 64] |= std::uint64_t{1} << (u % 64);
    }
    [[nodiscard]] bool precedes(std::size_t u, std::size_t v) const {
        return (bits_[v * words_ + u / 64] >> (u % 64) & 1) != 0;
    }

  private:
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

bool conflict(const Use& a, const Use& b) {
    if (a.region != b.region || (a.elements & b.elements) == 0) return false;
    if (a.privilege != b.privilege) return true;
    return a.privilege != Privilege::read && (a.privilege != Privilege::reduce || a.op != b.op);
}

bool must_precede(const Vertex& u, const Vertex& v) {
    if (v.is_fence || u.is_fence || u.is_host) return true;
    for (const int future : v.futures)
        if (future == u.result) return true;
    for (const Use& a : u.uses)
        for (const Use& b : v.uses)
            if (conflict(a, b)) return true;
    return false;
}

/// Collects the vertices of a program.
class Collector {
  public:
    Collector(const Program& program, const Execution& run)
        : program_(program), run_(run), oracle_(program) {}

    std::vector<Vertex> collect() {
        for (std::size_t i = 0; i < program_.statements.size(); ++i) {
            const Statement& statement = program_.statements[i];
            if (!statement.refused) add(i, statement);
            oracle_.execute(statement);
        }
        return std::move(vertices_);
    }

  private:
    void add(std::size_t i, const Statement& statement) {
        const auto& what = statement.what;
        if (const auto* launch = std::get_if<Launch>(&what)) add_tasks(i, *launch);
        if (const auto* fill = std::get_if<Fill>(&what)) add_tasks(i, oracle_.launch_of(*fill));
        if (const auto* read = std::get_if<HostRead>(&what)) add_host(i, {use_of(read->region)});
        if (const auto* open = std::get_if<OpenView>(&what)) add_host(i, {use_of(open->region)});
        if (const auto* write = std::get_if<HostWrite>(&what)) {
            Use use = use_of(write->region);
            use.privilege = Privilege::write;
            add_host(i, {use});
        }
        if (const auto* create = std::get_if<CreatePartition>(&what);
            create && create->pointers >= 0)
            add_host(i, {use_of(create->pointers)});
        if (const auto* get = std::get_if<GetFuture>(&what)) {
            add_host(i, {});
            vertices_.back().futures = {get->future};
        }
        if (std::holds_alternative<WaitAll>(what)) {
            add_host(i, {});
            vertices_.back().is_fence = true;
        }
        if (std::holds_alternative<Fence>(what)) {
            Vertex fence{.statement = i, .is_fence = true};
            fence.operation = run_.observed[i].operation;
            vertices_.push_back(fence);
        }
    }
    [[nodiscard]] Use use_of(int region) const {
        return {region, Privilege::read, Operator::sum,
                oracle_.space(oracle_.regions.at(region).space).all()};
    }
    void add_host(std::size_t i, std::vector<Use> uses) {
        vertices_.push_back({.statement = i, .is_host = true, .uses = std::move(uses)});
    }
    void add_tasks(std::size_t i, const Launch& launch) {
        for (int point = 0; point < point_count(launch); ++point) {
            const Coordinates at =
                launch.index ? data::point_at(launch.domain, point) : Coordinates{};
            Vertex vertex{.statement = i, .point = point};
            vertex.futures = launch.futures;
            vertex.result = launch.result;
            vertex.operation = run_.observed[i].operation;
            for (const Requirement& r : launch.requirements)
                vertex.uses.push_back({r.region, r.privilege, r.op, oracle_.subset(launch, r, at)});
            vertices_.push_back(std::move(vertex));
        }
    }

    const Program& program_;
    const Execution& run_;
    Oracle oracle_;
    std::vector<Vertex> vertices_;
};

Order order_by_definition(const std::vector<Vertex>& vertices) {
    Order order(vertices.size());
    for (std::size_t v = 0; v < vertices.size(); ++v)
        for (std::size_t u = v; u-- > 0;)
            if (vertices[u].statement != vertices[v].statement && !order.precedes(u, v) &&
                must_precede(vertices[u], vertices[v]))
                order.add(u, v);
    return order;
}

/// The order that follows from the runtime's dependences and from the host's waits.
Order order_by_runtime(const std::vector<Vertex>& vertices, const Execution& run) {
    std::map<std::pair<std::uint64_t, int>, std::size_t> vertex_of;
    for (std::size_t v = 0; v < vertices.size(); ++v)
        if (!vertices[v].is_host) vertex_of[{vertices[v].operation, vertices[v].point}] = v;
    std::vector<std::vector<std::size_t>> before(vertices.size());
    for (const Dependence& d : run.dependences) {
        const auto u = vertex_of.find({d.source_operation, static_cast<int>(d.source_point)});
        const auto v = vertex_of.find({d.target_operation, static_cast<int>(d.target_point)});
        if (u != vertex_of.end() && v != vertex_of.end()) before[v->second].push_back(u->second);
    }
    Order order(vertices.size());
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        for (const std::size_t u : before[v]) order.add(u, v);
        for (std::size_t u = v; u-- > 0;)
            if ((vertices[u].is_host || vertices[v].is_host) && !order.precedes(u, v) &&
                vertices[u].statement != vertices[v].statement &&
                must_precede(vertices[u], vertices[v]))
                order.add(u, v);
    }
    return order;
}

std::string name(const Vertex& vertex) {
    return "statement " + std::to_string(vertex.statement) + " point " +
           std::to_string(vertex.point);
}

}  // namespace

std::string order_difference(const Program& program, const Execution& run) {
    const std::vector<Vertex> vertices = Collector(program, run).collect();
    const Order defined = order_by_definition(vertices);
    const Order found = order_by_runtime(vertices, run);
    for (std::size_t v = 0; v < vertices.size(); ++v)
        for (std::size_t u = v; u-- > 0;) {
            if (defined.precedes(u, v) == found.precedes(u, v)) continue;
            return name(vertices[v]) +
                   (defined.precedes(u, v) ? " must wait for " : " waits without need for ") +
                   name(vertices[u]);
        }
    return "";
}

}  // namespace refrain::property
