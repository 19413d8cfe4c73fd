#include "sizes/sized_model.hpp"

#include "generate/call_text.hpp"
#include "generate/generate.hpp"

#include <algorithm>
#include <stdexcept>

#include "sizes/rank_forms.hpp"

namespace refrain::proxy {
namespace {

constexpr std::size_t problems_shown = 8;

std::string problems_text(const std::vector<std::string>& problems) {
    std::string text;
    for (std::size_t i = 0; i < std::min(problems.size(), problems_shown); ++i)
        text += (i == 0 ? "" : "\n  ") + problems[i];
    if (problems.size() > problems_shown)
        text += "\n  and " + std::to_string(problems.size() - problems_shown) + " more";
    return text;
}

/// What the forms do, and what is found with them.
struct FittedForms {
    RankForms forms;
    std::vector<std::vector<SizedStep>> steps;  // by form
    Findings findings;
};

FittedForms fit_forms(RankForms forms, const Members& members) {
    FittedForms fitted{std::move(forms), {}, {}};
    for (const std::vector<Member*>& each : fitted.forms.members)
        fitted.steps.push_back(fit_steps(each, members.grids, fitted.findings));
    return fitted;
}

/// Ranks that make the same calls may still say different things: the first, the last, odd ones.
FittedForms fit_ranks(Members& members) {
    using Who = RankFeature::Kind;
    FittedForms fitted = fit_forms(choose_forms(members), members);
    if (fitted.findings.problems.empty()) return fitted;
    for (const std::vector<RankFeature>& features : {std::vector<RankFeature>{{Who::first}},
                                                     {{Who::last}},
                                                     {{Who::first}, {Who::last}},
                                                     {{Who::odd}}}) {
        std::optional<RankForms> forms = split_forms(members, features);
        if (!forms) continue;
        FittedForms split = fit_forms(std::move(*forms), members);
        if (split.findings.problems.empty()) return split;
    }
    throw std::runtime_error(problems_text(fitted.findings.problems));
}

/// On which numbers of ranks the recordings were made, and what follows from that.
void judge_ranks(const std::vector<SizedInput>& inputs, bool has_grid, SizedModel& model) {
    std::set<std::int64_t> ranks;
    for (const SizedInput& input : inputs) ranks.insert(input.recording->size());
    model.ranks.assign(ranks.begin(), ranks.end());
    model.same_ranks = ranks.size() == 1;
    const bool squares = std::all_of(ranks.begin(), ranks.end(), [](std::int64_t number) {
        return grid_side(number, 2, 0) == grid_side(number, 2, 1);
    });
    for (const RankFeature& feature : model.features) has_grid = has_grid || feature.dims != 0;
    model.squares_only = has_grid && squares;
}

SizedModel fit(const std::vector<SizedInput>& inputs, Detail detail) {
    SizedModel model;
    model.unused_tag = 32767;
    for (const SizedInput& input : inputs)
        model.unused_tag = std::min(model.unused_tag, unused_tag(*input.recording));
    model.size_default = inputs[0].size;
    model.has_sizes = inputs[0].size != 0;
    Members members = read_members(inputs, detail, model.unused_tag);
    FittedForms fitted = fit_ranks(members);
    model.texts = std::move(members.texts);
    model.features = std::move(fitted.forms.features);
    model.form_keys = std::move(fitted.forms.keys);
    model.forms = std::move(fitted.steps);
    model.notes = std::move(fitted.findings.notes);
    model.memory = fit_memory(inputs);
    judge_ranks(inputs, fitted.findings.has_grid, model);
    return model;
}

}  // namespace

SizedModel fit_sizes(const std::vector<SizedInput>& inputs) {
    try {
        return fit(inputs, Detail::tags);
    } catch (const std::runtime_error&) {
        return fit(inputs, Detail::plain);
    }
}

}  // namespace refrain::proxy
