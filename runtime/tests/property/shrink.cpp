#include "property/shrink.hpp"

#include <algorithm>

#include "property/legality.hpp"

namespace refrain::property {
namespace {

constexpr int questions_max = 3000;

class Shrinker {
  public:
    Shrinker(const Program& program, const std::function<bool(const Program&)>& fails)
        : best_(program), fails_(fails) {}

    Program shrink() {
        std::size_t before = 0;
        do {
            before = size();
            drop_statements();
            for (std::size_t i = 0; i < best_.statements.size(); ++i) simplify(i);
        } while (size() < before && questions_ < questions_max);
        return best_;
    }

  private:
    void drop_statements();
    void simplify(std::size_t i);
    bool change_launch(std::size_t i, const std::function<void(Launch&)>& change);
    bool accept(const Program& changed);
    [[nodiscard]] std::size_t size() const;

    Program best_;
    const std::function<bool(const Program&)>& fails_;
    int questions_ = 0;
};

/// Requirements that use a partition.
std::size_t pieces(const Launch& launch) {
    return static_cast<std::size_t>(
        std::count_if(launch.requirements.begin(), launch.requirements.end(),
                      [](const Requirement& r) { return r.partition >= 0; }));
}

/// Counts statements, and the parts of launches.
std::size_t Shrinker::size() const {
    std::size_t sum = 0;
    for (const Statement& statement : best_.statements) {
        ++sum;
        if (const auto* launch = std::get_if<Launch>(&statement.what))
            sum += launch->requirements.size() + launch->futures.size() +
                   static_cast<std::size_t>(point_count(*launch)) +
                   (launch->result >= 0 ? 1U : 0U) + (launch->throws_at >= 0 ? 1U : 0U) +
                   pieces(*launch);
    }
    return sum;
}

bool Shrinker::accept(const Program& changed) {
    if (questions_ >= questions_max) return false;
    const Program candidate = repaired(changed);
    if (candidate.statements.size() > best_.statements.size()) return false;
    ++questions_;
    if (!fails_(candidate)) return false;
    best_ = candidate;
    return true;
}

void Shrinker::drop_statements() {
    for (std::size_t piece = best_.statements.size(); piece > 0; piece /= 2) {
        for (std::size_t end = best_.statements.size(); end > 0;) {
            end = std::min(end, best_.statements.size());
            const std::size_t begin = end > piece ? end - piece : 0;
            Program without = best_;
            without.statements.erase(
                without.statements.begin() + static_cast<std::ptrdiff_t>(begin),
                without.statements.begin() + static_cast<std::ptrdiff_t>(end));
            accept(without);
            end = begin;
        }
    }
}

bool Shrinker::change_launch(std::size_t i, const std::function<void(Launch&)>& change) {
    if (i >= best_.statements.size()) return false;
    Program changed = best_;
    auto* launch = std::get_if<Launch>(&changed.statements[i].what);
    if (launch == nullptr) return false;
    change(*launch);
    launch->throws_at = std::min(launch->throws_at, point_count(*launch) - 1);
    // A meaningless launch would be dropped; that was tried before.
    const std::size_t before = best_.statements.size();
    if (repaired(changed).statements.size() != before) return false;
    return accept(changed);
}

void Shrinker::simplify(std::size_t i) {
    const auto launch = [&] {
        return i < best_.statements.size() ? std::get_if<Launch>(&best_.statements[i].what)
                                           : nullptr;
    };
    if (launch() == nullptr) return;
    if (launch()->throws_at >= 0) change_launch(i, [](Launch& l) { l.throws_at = -1; });
    if (launch()->result >= 0) change_launch(i, [](Launch& l) { l.result = -1; });
    for (std::size_t f = launch()->futures.size(); f-- > 0;)
        change_launch(i, [&](Launch& l) {
            l.futures.erase(l.futures.begin() + static_cast<std::ptrdiff_t>(f));
        });
    for (std::size_t r = launch()->requirements.size(); r-- > 0;)
        change_launch(i, [&](Launch& l) {
            l.requirements.erase(l.requirements.begin() + static_cast<std::ptrdiff_t>(r));
        });
    for (std::size_t r = launch()->requirements.size(); r-- > 0;)
        if (launch()->requirements[r].partition >= 0)
            change_launch(i, [&](Launch& l) { l.requirements[r].partition = -1; });
    for (int d = 0; d < launch()->domain_rank; ++d) {
        const auto along = static_cast<std::size_t>(d);
        while (launch()->domain.extent(d) > 1 &&
               (change_launch(i, [&](Launch& l) { --l.domain.hi[along]; }) ||
                change_launch(i, [&](Launch& l) { ++l.domain.lo[along]; }))) {
        }
    }
}

}  // namespace

Program shrink(const Program& program, const std::function<bool(const Program&)>& fails) {
    return Shrinker(program, fails).shrink();
}

}  // namespace refrain::property
