#include "property/typed_launch.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace refrain::property {
namespace {

using Numbers = Region<std::int64_t, 1>;
using Pieces = Partition<1, 1>;

/// One execution of a point task, over typed views. A future is a plain number.
class TypedTask {
  public:
    TypedTask(const BoundLaunch& bound, const Coordinates& point)
        : bound_(bound),
          key_(key_of_task(bound.launch, point)),
          index_(bound.launch.index
                     ? static_cast<int>(data::linear_index(bound.launch.domain, point))
                     : 0) {}

    template <class... Arguments>
    std::int64_t run(const Arguments&... arguments) {
        bound_.runs[static_cast<std::size_t>(index_)].fetch_add(1, std::memory_order_relaxed);
        (add_future(arguments), ...);
        std::size_t next = 0;
        (read(next++, arguments), ...);
        if (bound_.launch.throws_at == index_)
            throw std::runtime_error("planned failure of point " + std::to_string(index_));
        next = 0;
        (write(next++, arguments), ...);
        next = 0;
        (reduce(next++, arguments), ...);
        return result_of(key_);
    }

  private:
    void add_future(std::int64_t value) { key_ = with_future(key_, value); }
    template <class Other>
    void add_future(const Other&) {}
    /// Numbers come after all views, so the arguments before are as many as the requirements.
    void read(std::size_t, std::int64_t) {}
    void write(std::size_t, std::int64_t) const {}
    void reduce(std::size_t, std::int64_t) const {}

    [[nodiscard]] Privilege privilege(std::size_t i) const {
        return bound_.arguments[i].requirement.privilege;
    }
    [[nodiscard]] int element(std::size_t i, Point<1> p) const {
        return static_cast<int>(p[0] - bound_.arguments[i].space.bounds.lo[0]);
    }
    [[nodiscard]] std::int64_t value(std::uint64_t hash, std::size_t i) const {
        return static_cast<std::int64_t>(bits_from(bound_.arguments[i].range, hash));
    }

    template <class T>
    void read(std::size_t i, const View<T, 1>& values) {
        if (!reads(privilege(i))) return;
        for (const Point<1> p : values.points())
            key_ += part_of_key(i, element(i, p), static_cast<std::uint64_t>(values[p]));
    }
    void read(std::size_t, const ReduceView<Sum, std::int64_t, 1>&) {}

    void write(std::size_t i, const View<std::int64_t, 1>& values) const {
        for (const Point<1> p : values.points()) {
            const std::uint64_t hash = value_at(key_, i, element(i, p));
            if (privilege(i) == Privilege::read_write && !is_touched(hash)) continue;
            values[p] = value(hash, i);
        }
    }
    template <class Other>
    void write(std::size_t, const Other&) const {}

    void reduce(std::size_t i, const ReduceView<Sum, std::int64_t, 1>& into) const {
        for (const Point<1> p : into.points()) {
            const std::uint64_t hash = value_at(key_, i, element(i, p));
            if (is_touched(hash)) into.reduce(p, value(hash, i));
        }
    }
    template <class Other>
    void reduce(std::size_t, const Other&) const {}

    const BoundLaunch& bound_;
    std::uint64_t key_;
    int index_;
};

/// Without state: what it runs is a scalar argument.
struct PointTask {
    template <class... Views>
    void operator()(Point<1> point, const BoundLaunch* bound, const Views&... views) const {
        TypedTask(*bound, data::coordinates_of(point)).run(views...);
    }
};
/// With a capture that is more than bytes.
struct SingleTask {
    Closure closure;
    template <class... Arguments>
    std::int64_t operator()(const Arguments&... arguments) {
        return TypedTask(closure.launch(), {}).run(arguments...);
    }
};

struct Call {
    Runtime& runtime;
    LaunchSite site;
    const BoundLaunch& bound;
    const LaunchHandles& handles;

    [[nodiscard]] const Numbers& region(std::size_t i) const {
        return std::get<Numbers>(*handles.regions[i]);
    }
    [[nodiscard]] const Pieces& pieces(std::size_t i) const {
        return std::get<Pieces>(*handles.partitions[i]);
    }
};

enum class Subset { whole, own, next };

constexpr std::uint64_t shape_of(Privilege privilege, Subset subset) {
    return 1 + static_cast<std::uint64_t>(privilege) + 4 * static_cast<std::uint64_t>(subset);
}
/// The shape of a launch as a number: of each requirement, of the futures, and of the domain.
class Shape {
  public:
    constexpr Shape(bool is_index, std::size_t futures)
        : word_(futures << 1 | (is_index ? 1U : 0U)) {}
    constexpr Shape& operator<<(std::uint64_t requirement) {
        word_ = word_ << 4 | requirement;
        ++requirements_;
        return *this;
    }
    friend constexpr bool operator==(Shape a, Shape b) = default;

  private:
    std::uint64_t word_;
    int requirements_ = 0;
};

template <Privilege P, class... Places>
auto argument_on(const Numbers& region, const Places&... subset) {
    if constexpr (P == Privilege::read)
        return read(region, subset...);
    else if constexpr (P == Privilege::write)
        return write(region, subset...);
    else if constexpr (P == Privilege::read_write)
        return read_write(region, subset...);
    else
        return refrain::reduce<Sum>(region, subset...);
}

template <Privilege P, Subset S>
struct Part {
    static constexpr std::uint64_t shape = shape_of(P, S);
    static auto of_point(const Call& call, std::size_t i) {
        const auto next = [](Point<1> p) { return Point<1>(p[0] + 1); };
        if constexpr (S == Subset::whole)
            return argument_on<P>(call.region(i));
        else if constexpr (S == Subset::own)
            return argument_on<P>(call.region(i), call.pieces(i));
        else
            return argument_on<P>(call.region(i), call.pieces(i), next);
    }
    static auto of_task(const Call& call, std::size_t i) {
        if constexpr (S == Subset::whole)
            return argument_on<P>(call.region(i));
        else
            return argument_on<P>(call.region(i), call.pieces(i),
                                  Point<1>(call.bound.launch.requirements[i].colour[0]));
    }
};

using Result = Future<std::int64_t>;

template <class... Parts, std::size_t... I>
Result launch_points(const Call& call, std::index_sequence<I...>) {
    call.runtime.launch(call.site, data::rect_of<1>(call.bound.launch.domain), PointTask{},
                        &call.bound, Parts::of_point(call, I)...);
    return {};
}
template <std::size_t Futures, class... Parts, std::size_t... I>
Result launch_task(const Call& call, std::index_sequence<I...>) {
    SingleTask task{Closure(call.bound)};
    if constexpr (Futures == 0)
        return call.runtime.launch(call.site, std::move(task), Parts::of_task(call, I)...);
    else
        return call.runtime.launch(call.site, std::move(task), Parts::of_task(call, I)...,
                                   call.handles.futures[0]->single);
}

struct TypedDoor {
    Shape shape;
    Result (*launch)(const Call& call);
};
template <class... Parts>
constexpr TypedDoor of_points() {
    Shape shape(true, 0);
    static_cast<void>((shape << ... << Parts::shape));
    return {shape, [](const Call& call) {
                return launch_points<Parts...>(call, std::index_sequence_for<Parts...>{});
            }};
}
template <std::size_t Futures, class... Parts>
constexpr TypedDoor of_task() {
    Shape shape(false, Futures);
    static_cast<void>((shape << ... << Parts::shape));
    return {shape, [](const Call& call) {
                return launch_task<Futures, Parts...>(call, std::index_sequence_for<Parts...>{});
            }};
}

constexpr std::array typed_doors = {
    of_points<Part<Privilege::write, Subset::own>>(),
    of_points<Part<Privilege::read_write, Subset::own>>(),
    of_points<Part<Privilege::reduce, Subset::own>>(),
    of_points<Part<Privilege::read, Subset::whole>, Part<Privilege::write, Subset::own>>(),
    of_points<Part<Privilege::read, Subset::own>, Part<Privilege::write, Subset::own>>(),
    of_points<Part<Privilege::read, Subset::own>, Part<Privilege::read_write, Subset::own>>(),
    of_points<Part<Privilege::read, Subset::own>, Part<Privilege::read, Subset::own>,
              Part<Privilege::write, Subset::own>>(),
    of_points<Part<Privilege::read, Subset::own>, Part<Privilege::read, Subset::own>,
              Part<Privilege::read_write, Subset::own>>(),
    of_points<Part<Privilege::read, Subset::next>, Part<Privilege::read_write, Subset::own>>(),
    of_points<Part<Privilege::read, Subset::own>, Part<Privilege::reduce, Subset::whole>>(),
    of_task<0, Part<Privilege::write, Subset::whole>>(),
    of_task<0, Part<Privilege::read_write, Subset::own>>(),
    of_task<0, Part<Privilege::read, Subset::own>, Part<Privilege::reduce, Subset::own>>(),
    of_task<1>(),
    of_task<1, Part<Privilege::read, Subset::whole>>(),
};

std::optional<Shape> shape_of(const BoundLaunch& bound, const LaunchHandles& handles) {
    const Launch& launch = bound.launch;
    const auto is_single = [](const AnyFuture* future) { return !future->is_map; };
    if ((launch.index && (launch.domain_rank != 1 || launch.result >= 0)) ||
        !std::all_of(handles.futures.begin(), handles.futures.end(), is_single))
        return std::nullopt;
    Shape shape(launch.index, launch.futures.size());
    for (std::size_t i = 0; i < launch.requirements.size(); ++i) {
        const Requirement& r = launch.requirements[i];
        if (!std::holds_alternative<Numbers>(*handles.regions[i]) ||
            (r.partition >= 0 && !std::holds_alternative<Pieces>(*handles.partitions[i])) ||
            (r.privilege == Privilege::reduce && r.op != Operator::sum))
            return std::nullopt;
        if (r.partition < 0)
            shape << shape_of(r.privilege, Subset::whole);
        else if (!launch.index || r.projection == Projection::same)
            shape << shape_of(r.privilege, Subset::own);
        else if (r.projection == Projection::next)
            shape << shape_of(r.privilege, Subset::next);
        else
            return std::nullopt;
    }
    return shape;
}

}  // namespace

std::optional<Result> launch_typed(Runtime& runtime, LaunchSite site, const BoundLaunch& bound,
                                   const LaunchHandles& handles) {
    const std::optional<Shape> shape = shape_of(bound, handles);
    if (!shape || handles.regions.size() > 4) return std::nullopt;
    const auto* door = std::find_if(typed_doors.begin(), typed_doors.end(),
                                    [&](const TypedDoor& d) { return d.shape == *shape; });
    if (door == typed_doors.end()) return std::nullopt;
    return door->launch(Call{runtime, site, bound, handles});
}

}  // namespace refrain::property
