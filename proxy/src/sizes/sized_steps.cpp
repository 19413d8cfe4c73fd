#include "sizes/sized_steps.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

namespace refrain::proxy {
namespace {

constexpr std::uint64_t unrolled_max = 64;  // iterations that are told apart

/// A step of all members of a form.
struct Node {
    std::vector<Node> body;
    std::vector<NumberSample> counts;  // of a loop
    std::vector<Visit> visits;         // of a call
};
using Path = std::vector<std::size_t>;

/// The steps of all members of a form, and what was found for them.
struct Attempt {
    std::vector<std::vector<Step>> steps;  // by member
    std::vector<SizedStep> fitted;
    Findings findings;
    std::vector<Path> loops;  // innermost loops with a call that follows no formula
};

class StepFitter {
  public:
    explicit StepFitter(const std::map<std::int64_t, std::int64_t>& grids) : grids_(grids) {}

    std::vector<SizedStep> fit(const std::vector<Member*>& members, Findings& findings) {
        Attempt best;
        for (const Member* const member : members) best.steps.push_back(member->steps);
        try_steps(members, best);
        std::set<Path> hopeless;
        while (!best.findings.problems.empty()) {
            const auto loop =
                std::find_if(best.loops.begin(), best.loops.end(),
                             [&](const Path& path) { return !hopeless.contains(path); });
            if (loop == best.loops.end()) break;
            const Path path = *loop;
            if (!tell_iterations_apart(members, path, best)) hopeless.insert(path);
        }
        findings.add(best.findings);
        return std::move(best.fitted);
    }

  private:
    void try_steps(const std::vector<Member*>& members, Attempt& attempt) {
        std::vector<Node> nodes = empty_nodes(attempt.steps[0]);
        for (std::size_t i = 0; i < members.size(); ++i) {
            std::size_t cursor = 0;
            Setting setting = members[i]->setting;
            walk(nodes, attempt.steps[i], *members[i], cursor, setting, 0);
        }
        Path path;
        attempt.findings = {};
        attempt.loops.clear();
        attempt.fitted = fit_nodes(nodes, path, attempt);
    }

    /// Makes each 2, 3, ... iterations of a loop one, so that a call of each may say something else: as few as leave the
    /// fewest calls without a formula. Returns whether that helps.
    bool tell_iterations_apart(const std::vector<Member*>& members, const Path& path,
                               Attempt& best) {
        std::uint64_t common = 0;
        for (const std::vector<Step>& steps : best.steps)
            common = common_count(steps, path, common);
        std::optional<Attempt> better;
        for (std::uint64_t factor = 2; factor <= std::min(common, unrolled_max); ++factor) {
            if (common % factor != 0) continue;
            Attempt next;
            next.steps = best.steps;
            for (std::vector<Step>& steps : next.steps) unroll_at(steps, path, factor);
            try_steps(members, next);
            if (next.findings.problems.size() < (better ? *better : best).findings.problems.size())
                better = std::move(next);
            if (better && better->findings.problems.empty()) break;
        }
        if (!better) return false;
        best = std::move(*better);
        return true;
    }

    /// The greatest number that divides `common` and how often the loop is made.
    static std::uint64_t common_count(const std::vector<Step>& steps, const Path& path,
                                      std::uint64_t common) {
        const std::vector<Step>* at = &steps;
        for (std::size_t depth = 0; depth + 1 < path.size(); ++depth) at = &(*at)[path[depth]].body;
        return std::gcd(common, (*at)[path.back()].count);
    }

    static std::vector<Node> empty_nodes(const std::vector<Step>& steps) {
        std::vector<Node> nodes(steps.size());
        for (std::size_t i = 0; i < steps.size(); ++i) nodes[i].body = empty_nodes(steps[i].body);
        return nodes;
    }

    static void walk(std::vector<Node>& nodes, const std::vector<Step>& steps, const Member& member,
                     std::size_t& cursor, Setting& setting, std::size_t depth) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (!steps[i].is_loop()) {
                nodes[i].visits.push_back({&member, cursor++, setting});
                continue;
            }
            if (depth == loop_depth_max)
                throw std::runtime_error("loops are nested more than " +
                                         std::to_string(loop_depth_max) + " deep");
            nodes[i].counts.push_back({setting, static_cast<std::int64_t>(steps[i].count)});
            for (std::uint64_t k = 0; k < steps[i].count; ++k) {
                setting.loops[depth] = static_cast<std::int64_t>(k);
                walk(nodes[i].body, steps[i].body, member, cursor, setting, depth + 1);
            }
            setting.loops[depth] = 0;
        }
    }

    static void unroll_at(std::vector<Step>& steps, std::span<const std::size_t> path,
                          std::uint64_t factor) {
        Step& step = steps[path[0]];
        if (path.size() > 1) return unroll_at(step.body, path.subspan(1), factor);
        std::vector<Step> all;
        for (std::uint64_t i = 0; i < factor; ++i)
            all.insert(all.end(), step.body.begin(), step.body.end());
        step.count /= factor;
        step.body = std::move(all);
    }

    std::vector<SizedStep> fit_nodes(const std::vector<Node>& nodes, Path& path, Attempt& attempt) {
        std::vector<SizedStep> steps;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            path.push_back(i);
            SizedStep step;
            const std::size_t known = attempt.findings.problems.size();
            if (nodes[i].body.empty()) {
                step.call = fit_call(nodes[i].visits, grids_, attempt.findings);
            } else {
                step.body = fit_nodes(nodes[i].body, path, attempt);
                if (attempt.findings.problems.size() > known) attempt.loops.push_back(path);
                fit_times(nodes[i], step, attempt.findings);
            }
            steps.push_back(std::move(step));
            path.pop_back();
        }
        return steps;
    }

    static void fit_times(const Node& node, SizedStep& step, Findings& findings) {
        const auto times = fit_number(node.counts);
        if (times)
            step.times = *times;
        else
            findings.problems.push_back("how often a loop of " + std::to_string(node.body.size()) +
                                        " steps from " + first_call(node) +
                                        " on is made: " + samples_words(node.counts));
        findings.has_grid = findings.has_grid || step.times.has_grid();
    }

    static std::string first_call(const Node& node) {
        const Node* at = &node;
        while (!at->body.empty()) at = &at->body[0];
        return "MPI_" + std::string(info(at->visits[0].event().function).name);
    }

    const std::map<std::int64_t, std::int64_t>& grids_;
};

}  // namespace

std::vector<SizedStep> fit_steps(const std::vector<Member*>& members,
                                 const std::map<std::int64_t, std::int64_t>& grids,
                                 Findings& findings) {
    return StepFitter(grids).fit(members, findings);
}

}  // namespace refrain::proxy
