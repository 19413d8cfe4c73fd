#include "stores/solver.hpp"

#include <algorithm>
#include <numeric>

#include "stores/view_table.hpp"

namespace refrain::array {

namespace {

/// a * factor, at most `most`; both are at least 0.
Extent scaled(Extent a, Extent factor, Extent most) noexcept {
    Extent product = 0;
    return __builtin_mul_overflow(a, factor, &product) ? most : std::min(product, most);
}

bool are_division(const Extents& shape, const std::vector<IndexBox>& boxes) {
    Extent left = 1;
    for (const Extent extent : shape) left *= extent;
    for (std::size_t a = 0; a < boxes.size(); ++a) {
        Extent volume = 1;
        for (int d = 0; d < shape.size(); ++d)
            volume *= std::max<Extent>(boxes[a].hi[d] - boxes[a].lo[d], 0);
        left -= volume;
        for (std::size_t b = 0; b < a && volume > 0; ++b) {
            bool apart = false;
            for (int d = 0; d < shape.size(); ++d)
                apart = apart || boxes[a].hi[d] <= boxes[b].lo[d] ||
                        boxes[b].hi[d] <= boxes[a].lo[d] || boxes[b].hi[d] <= boxes[b].lo[d];
            if (!apart) return false;
        }
    }
    return left == 0;
}

}  // namespace

bool Tiling::is_whole_along(std::uint32_t dims) const noexcept {
    for (const IndexBox& box : boxes) {
        if (box.is_empty()) continue;
        for (int d = 0; d < shape.size(); ++d) {
            if ((dims >> d & 1) != 0 && (box.lo[d] != 0 || box.hi[d] != shape[d])) return false;
        }
    }
    return true;
}

std::optional<int> Tiling::cut_dimension() const noexcept {
    std::optional<int> found;
    for (int d = 0; d < shape.size(); ++d) {
        if (is_whole_along(std::uint32_t{1} << d)) continue;
        if (found.has_value()) return std::nullopt;
        found = d;
    }
    return found;
}

const Tiling* TilingTable::intern(const Extents& shape, std::vector<IndexBox> boxes) {
    std::uint64_t hash = hash_of(3, shape);
    for (const IndexBox& box : boxes) hash = hash_of(hash_of(hash, box.lo), box.hi);
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto it = first; it != last; ++it) {
        if (it->second->shape == shape && it->second->boxes == boxes) return it->second.get();
    }
    const bool divides = are_division(shape, boxes);
    auto made = std::make_shared<const Tiling>(shape, std::move(boxes), made_++, divides);
    return by_hash_.emplace(hash, std::move(made))->second.get();
}

void TilingTable::forget_unused() {
    std::erase_if(by_hash_, [](const auto& entry) { return entry.second.use_count() == 1; });
}

const Tiling* TilingTable::fresh(const Extents& shape, std::uint32_t unsplit, int tiles,
                                 int preferred) {
    const auto can_cut = [&](int d) { return (unsplit >> d & 1) == 0 && shape[d] >= tiles; };
    int axis = preferred >= 0 && can_cut(preferred) ? preferred : -1;
    for (int d = 0; d < shape.size() && axis < 0; ++d) {
        if (can_cut(d)) axis = d;
    }
    std::vector<IndexBox> boxes;
    for (int tile = 0; tile < tiles; ++tile) {
        IndexBox box{Extents(shape.size(), 0), shape};
        if (axis >= 0) {
            box.lo[axis] = first_of_part(shape[axis], tiles, tile);
            box.hi[axis] = first_of_part(shape[axis], tiles, tile + 1);
        } else if (tile > 0) {
            box.hi = box.lo;
        }
        boxes.push_back(std::move(box));
    }
    return intern(shape, std::move(boxes));
}

int Problem::add(std::string name, const Extents& shape, std::int64_t bytes, const Tiling* key) {
    arguments_.push_back({std::move(name), shape, bytes, key});
    return static_cast<int>(arguments_.size()) - 1;
}
void Problem::align(int a, int b, int line) {
    constraints_.push_back({Kind::align, a, b, line, {}, {}, {}});
}
void Problem::broadcast(int a, std::uint32_t dims) {
    arguments_[static_cast<std::size_t>(a)].unsplit |= dims;
}
void Problem::scale(int a, int b, const Extents& factors, int line) {
    constraints_.push_back({Kind::scale, a, b, line, factors, {}, {}});
}
void Problem::bloat(int a, int b, const Extents& low, const Extents& high, int line) {
    constraints_.push_back({Kind::bloat, a, b, line, low, high, {}});
}
void Problem::image(int pointers, int target, Image image, int line) {
    constraints_.push_back({Kind::image, pointers, target, line, {}, {}, std::move(image)});
}

void Problem::refuse(const Constraint& constraint, const std::string& why) const {
    static const char* const names[] = {"align", "scale", "bloat", "image"};
    const Argument& from = arguments_[static_cast<std::size_t>(constraint.from)];
    const Argument& to = arguments_[static_cast<std::size_t>(constraint.to)];
    throw ArrayError(
        ErrorKind::value,
        std::string(names[static_cast<std::size_t>(constraint.kind)]) + "('" + from.name +
            "' of shape " + from.shape.text() + ", '" + to.name + "' of shape " + to.shape.text() +
            ")" + (constraint.line > 0 ? " in line " + std::to_string(constraint.line) : "") +
            ": " + why);
}

const Tiling* Problem::follow(TilingTable& table, const Constraint& constraint,
                              const Tiling& from) const {
    const Extents& shape = arguments_[static_cast<std::size_t>(constraint.to)].shape;
    if (constraint.kind == Kind::image) {
        std::vector<IndexBox> boxes = constraint.image(from);
        if (boxes.size() != from.boxes.size())
            refuse(constraint, "the image has " + std::to_string(boxes.size()) + " colours, not " +
                                   std::to_string(from.boxes.size()));
        return table.intern(shape, std::move(boxes));
    }
    std::vector<IndexBox> boxes;
    for (const IndexBox& box : from.boxes) {
        IndexBox result = box;
        const bool empty = box.is_empty();
        for (int d = 0; d < shape.size(); ++d) {
            if (empty) {
                result.lo[d] = result.hi[d] = 0;
            } else if (constraint.kind == Kind::scale) {
                result.lo[d] = scaled(box.lo[d], constraint.low[d], shape[d]);
                result.hi[d] = scaled(box.hi[d], constraint.low[d], shape[d]);
            } else {  // indices and numbers are at least 0, so their differences fit
                result.lo[d] = std::clamp<Extent>(box.lo[d] - constraint.low[d], 0, shape[d]);
                const Extent room = std::max<Extent>(shape[d] - box.hi[d], 0);
                result.hi[d] = std::min(box.hi[d], shape[d]) + std::min(constraint.high[d], room);
            }
        }
        boxes.push_back(std::move(result));
    }
    return table.intern(shape, std::move(boxes));
}

std::vector<const Tiling*> Problem::solve(TilingTable& table, int tiles) const {
    const std::size_t count = arguments_.size();
    std::vector<std::size_t> parent(count);
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    const auto root = [&](int argument) {
        auto at = static_cast<std::size_t>(argument);
        while (parent[at] != at) at = parent[at] = parent[parent[at]];
        return at;
    };
    for (const Constraint& constraint : constraints_) {
        const Extents& from = arguments_[static_cast<std::size_t>(constraint.from)].shape;
        const Extents& to = arguments_[static_cast<std::size_t>(constraint.to)].shape;
        if (constraint.kind == Kind::align) {
            if (!(from == to)) refuse(constraint, "aligned arguments have equal shapes");
            parent[root(constraint.to)] = root(constraint.from);
        } else if (constraint.kind != Kind::image) {
            if (from.size() != to.size()) refuse(constraint, "the ranks differ");
            if (constraint.low.size() != from.size() ||
                (constraint.kind == Kind::bloat && constraint.high.size() != from.size()))
                refuse(constraint, "it needs a number per dimension");
            for (const Extent number : constraint.low) {
                if (number < (constraint.kind == Kind::scale ? 1 : 0))
                    refuse(constraint, "the number " + std::to_string(number) + " is too small");
            }
            for (const Extent number : constraint.high) {
                if (number < 0)
                    refuse(constraint, "the number " + std::to_string(number) + " is too small");
            }
        }
    }
    std::vector<std::uint32_t> unsplit(count, 0);
    std::vector<const Constraint*> determined(count, nullptr);
    for (std::size_t a = 0; a < count; ++a)
        unsplit[root(static_cast<int>(a))] |= arguments_[a].unsplit;
    for (const Constraint& constraint : constraints_) {
        if (constraint.kind == Kind::align) continue;
        const std::size_t to = root(constraint.to);
        if (root(constraint.from) == to) refuse(constraint, "the arguments are also aligned");
        if (determined[to] == nullptr) determined[to] = &constraint;
    }

    // Classes in an order in which each comes after what determines it.
    std::vector<const Tiling*> solution(count, nullptr);  // by class
    const auto solve_class = [&](auto& self, std::size_t at, std::size_t depth) -> const Tiling* {
        if (solution[at] != nullptr) return solution[at];
        const Constraint* by = determined[at];
        if (by != nullptr) {
            if (depth > count) refuse(*by, "the constraints determine one another in a cycle");
            const Tiling* from = self(self, root(by->from), depth + 1);
            solution[at] = follow(table, *by, *from);
            if (!solution[at]->is_whole_along(unsplit[at]))
                refuse(*by, "the second would be cut along a dimension that is broadcast");
            return solution[at];
        }
        std::int64_t bytes = -1;
        int preferred = -1;
        bool is_shared = true;
        for (std::size_t a = 0; a < count; ++a) {
            const Argument& argument = arguments_[a];
            if (root(static_cast<int>(a)) != at) continue;
            is_shared = is_shared && argument.is_shared;
            if (preferred < 0) preferred = argument.preferred;
            if (argument.key == nullptr) continue;
            if (argument.bytes > bytes && argument.key->shape == argument.shape &&
                argument.key->boxes.size() == static_cast<std::size_t>(tiles) &&
                argument.key->divides && argument.key->is_whole_along(unsplit[at])) {
                bytes = argument.bytes;
                solution[at] = argument.key;
            }
        }
        const Extents& shape = arguments_[at].shape;
        const std::uint64_t every = (std::uint64_t{1} << shape.size()) - 1;
        if (is_shared && (unsplit[at] & every) == every)
            return solution[at] = table.whole(shape, tiles);
        if (solution[at] == nullptr)
            solution[at] = table.fresh(shape, unsplit[at], tiles, preferred);
        return solution[at];
    };
    std::vector<const Tiling*> result(count);
    for (std::size_t a = 0; a < count; ++a)
        result[a] = solve_class(solve_class, root(static_cast<int>(a)), 0);
    for (const Constraint& constraint : constraints_) {
        if (constraint.kind == Kind::align || determined[root(constraint.to)] == &constraint)
            continue;  // its class is what it says
        const Tiling* wanted =
            follow(table, constraint, *result[static_cast<std::size_t>(constraint.from)]);
        if (wanted != result[static_cast<std::size_t>(constraint.to)])
            refuse(constraint, "another constraint determines the second one differently");
    }
    return result;
}

}  // namespace refrain::array
