#include "property/random_task.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "property/elements.hpp"

namespace refrain::property {
namespace {

constexpr int task_functions = task_kinds * (rank_max + 1);

template <class Visit>
auto with_operator(Operator op, Visit&& visit) {
    switch (op) {
        case Operator::sum:
            break;
        case Operator::minimum:
            return visit(std::type_identity<Minimum>{});
        case Operator::maximum:
            return visit(std::type_identity<Maximum>{});
        case Operator::bit_xor:
            return visit(std::type_identity<BitXor>{});
        case Operator::lanes:
            return visit(std::type_identity<Lanes>{});
    }
    return visit(std::type_identity<Sum>{});
}

/// One execution of a point task.
class RandomTask {
  public:
    RandomTask(const BoundLaunch& bound, const runtime::TaskFrame& frame)
        : bound_(bound),
          frame_(frame),
          point_(bound.launch.index ? frame.point : Coordinates{}),
          index_(bound.launch.index
                     ? static_cast<int>(data::linear_index(bound.launch.domain, frame.point))
                     : 0) {}

    void run() {
        bound_.runs[static_cast<std::size_t>(index_)].fetch_add(1, std::memory_order_relaxed);
        const std::uint64_t key = read_all();
        if (bound_.dawdles) dawdle(key);
        if (bound_.launch.throws_at == index_) return fail(key);
        for (std::size_t i = 0; i < bound_.arguments.size(); ++i)
            if (overwrites(privilege(i))) write(i, key);
        for (std::size_t i = 0; i < bound_.arguments.size(); ++i)
            if (privilege(i) == Privilege::reduce) reduce(i, key);
        if (bound_.launch.result >= 0) ::new (frame_.result) std::int64_t(result_of(key));
    }

  private:
    [[nodiscard]] Privilege privilege(std::size_t i) const {
        return bound_.arguments[i].requirement.privilege;
    }
    [[nodiscard]] const ValueRange& range(std::size_t i) const { return bound_.arguments[i].range; }
    template <class T>
    [[nodiscard]] View<T, 3> view(std::size_t i) const {
        const runtime::TaskArgument& a = frame_.arguments[i];
        return {a.elements, *a.bounds, *a.subset};
    }
    [[nodiscard]] int element(std::size_t i, const Point<3>& p) const {
        const Space& space = bound_.arguments[i].space;
        return static_cast<int>(data::linear_index(space.bounds, data::coordinates_of(p)));
    }

    [[nodiscard]] std::uint64_t read_all() const {
        std::uint64_t key = key_of_task(bound_.launch, point_);
        for (std::size_t i = 0; i < bound_.launch.futures.size(); ++i)
            key = with_future(key, *static_cast<const std::int64_t*>(frame_.futures[i]));
        for (std::size_t i = 0; i < bound_.arguments.size(); ++i) {
            if (!reads(privilege(i))) continue;
            key += with_element_type(range(i),
                                     [&]<class T>(std::type_identity<T>) { return read<T>(i); });
        }
        return key;
    }
    template <class T>
    [[nodiscard]] std::uint64_t read(std::size_t i) const {
        std::uint64_t sum = 0;
        const auto values = view<const T>(i);
        for (const Point<3>& p : values.points())
            sum += part_of_key(i, element(i, p), ElementOf<T>::word(values[p]));
        return sum;
    }

    void write(std::size_t i, std::uint64_t key) const {
        with_element_type(range(i), [&]<class T>(std::type_identity<T>) { write_as<T>(i, key); });
    }
    template <class T>
    void write_as(std::size_t i, std::uint64_t key) const {
        const auto values = view<T>(i);
        for (const Point<3>& p : values.points()) {
            const std::uint64_t hash = value_at(key, i, element(i, p));
            if (privilege(i) == Privilege::read_write && !is_touched(hash)) continue;
            values[p] = ElementOf<T>::from(bits_from(range(i), hash));
        }
    }

    void reduce(std::size_t i, std::uint64_t key) const {
        const Operator op = bound_.arguments[i].requirement.op;
        if (range(i).type == ElementType::real) {
            if (op == Operator::sum) reduce_as<Sum, double>(i, key);
            if (op == Operator::minimum) reduce_as<Minimum, double>(i, key);
            if (op == Operator::maximum) reduce_as<Maximum, double>(i, key);
            return;
        }
        if (range(i).type == ElementType::block)
            return with_operator(op, [&]<class Op>(std::type_identity<Op>) {
                reduce_as<EachWord<Op>, Block>(i, key);
            });
        with_operator(
            op, [&]<class Op>(std::type_identity<Op>) { reduce_as<Op, std::int64_t>(i, key); });
    }
    template <class Op, class T>
    void reduce_as(std::size_t i, std::uint64_t key) const {
        const runtime::TaskArgument& a = frame_.arguments[i];
        const ReduceView<Op, T, 3> into(a.elements, *a.bounds, *a.subset, nullptr, a.sparse);
        for (const Point<3>& p : into.points()) {
            const std::uint64_t hash = value_at(key, i, element(i, p));
            if (is_touched(hash)) into.reduce(p, ElementOf<T>::from(bits_from(range(i), hash)));
        }
    }

    /// Writes wrong values and throws, as a task that fails halfway; or returns, and the fold of what
    /// it reduced throws.
    void fail(std::uint64_t key) const {
        for (std::size_t i = 0; i < bound_.arguments.size(); ++i) {
            if (overwrites(privilege(i))) write(i, ~key);
            if (privilege(i) == Privilege::reduce) reduce(i, ~key);
        }
        if (bound_.launch.throws_in_fold && reduce_refused_value()) return;
        throw std::runtime_error("planned failure of point " + std::to_string(index_));
    }
    /// Whether there is an element to reduce with the operator that throws.
    [[nodiscard]] bool reduce_refused_value() const {
        for (std::size_t i = 0; i < bound_.arguments.size(); ++i) {
            if (privilege(i) != Privilege::reduce || range(i).type != ElementType::integer ||
                bound_.arguments[i].requirement.op != Operator::lanes)
                continue;
            const auto partial = view<std::int64_t>(i);
            for (const Point<3>& p : partial.points()) {
                partial[p] = Lanes::refused;  // not by the operator, which would throw here
                return true;
            }
        }
        return false;
    }

    static void dawdle(std::uint64_t key) {
        if (key % 8 == 0) std::this_thread::yield();
        if (key % 32 == 1)
            for (std::uint64_t i = 0; i < key % 4096; ++i)
                std::atomic_signal_fence(std::memory_order_seq_cst);
    }

    const BoundLaunch& bound_;
    const runtime::TaskFrame& frame_;
    Coordinates point_;
    int index_;
};

template <int Kind>
void run_kind(const runtime::TaskFrame& frame) {
    // The body depends on the kind, so that the linker cannot merge the functions.
    static std::atomic<int> uses{Kind};
    uses.store(Kind, std::memory_order_relaxed);
    RandomTask(static_cast<const Closure*>(frame.closure)->launch(), frame).run();
}

template <std::size_t... Kind>
constexpr auto all_kinds(std::index_sequence<Kind...>) {
    return std::array<runtime::TaskFunction, sizeof...(Kind)>{&run_kind<Kind>...};
}

}  // namespace

runtime::ClosureKind Closure::kind() {
    return {
        sizeof(Closure), alignof(Closure),
        [](void* to, void* from) { ::new (to) Closure(std::move(*static_cast<Closure*>(from))); },
        [](void* closure) { static_cast<Closure*>(closure)->~Closure(); }};
}

runtime::TaskFunction task_function(int kind, int domain_rank) {
    static constexpr auto functions = all_kinds(std::make_index_sequence<task_functions>{});
    return functions[static_cast<std::size_t>(kind + task_kinds * domain_rank)];
}

const char* task_name(int kind) {
    static constexpr std::array<const char*, task_kinds> names = {
        "ash", "beech",   "cedar", "damson", "elm",   "fir",    "gorse", "hazel",
        "ivy", "juniper", "kapok", "larch",  "maple", "nettle", "oak",   "pine"};
    return names[static_cast<std::size_t>(kind)];
}

const data::ReductionFunctions* reduction_functions(ElementType type, Operator op) {
    return with_operator(op,
                         [&]<class Op>(std::type_identity<Op>) -> const data::ReductionFunctions* {
                             if (type == ElementType::block)
                                 return &data::reduction_functions<EachWord<Op>, Block>();
                             if constexpr (ReductionOperator<Op, double>)
                                 if (type == ElementType::real)
                                     return &data::reduction_functions<Op, double>();
                             if (type == ElementType::real) return nullptr;
                             return &data::reduction_functions<Op, std::int64_t>();
                         });
}

}  // namespace refrain::property
