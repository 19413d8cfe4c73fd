#include "sizes/rank_forms.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "sizes/findings.hpp"

namespace refrain::proxy {
namespace {

class FormChooser {
  public:
    explicit FormChooser(Members& members) : members_(members) {}

    RankForms choose() {
        std::vector<std::size_t> form(members_.all.size());
        std::vector<const Member*> first;
        for (std::size_t i = 0; i < members_.all.size(); ++i) {
            std::size_t k = 0;
            while (k < first.size() && !same_form(first[k]->steps, members_.all[i].steps)) ++k;
            if (k == first.size()) first.push_back(&members_.all[i]);
            form[i] = k;
        }
        using Kind = RankFeature::Kind;
        std::vector<std::vector<RankFeature>> candidates = {
            {},
            {{Kind::first}},
            {{Kind::last}},
            {{Kind::first}, {Kind::last}},
            {{Kind::odd}},
            {{Kind::odd}, {Kind::first}, {Kind::last}}};
        for (int dims = 2; dims <= 3; ++dims) {
            std::vector<RankFeature> edges;
            for (int axis = 0; axis < dims; ++axis) {
                edges.push_back({Kind::low_edge, dims, axis});
                edges.push_back({Kind::high_edge, dims, axis});
            }
            for (int axis = 0; axis < dims; ++axis)
                candidates.push_back({{Kind::low_edge, dims, axis}, {Kind::high_edge, dims, axis}});
            candidates.push_back(edges);
            edges.push_back({Kind::first});
            candidates.push_back(edges);
        }
        for (const std::vector<RankFeature>& features : candidates)
            if (take(features, form, first.size())) return std::move(forms_);
        explain_forms(form, first);
    }

    std::optional<RankForms> split(const std::vector<RankFeature>& features) {
        std::vector<std::size_t> form(members_.all.size());
        for (std::size_t i = 0; i < members_.all.size(); ++i)
            form[i] = key_of(features, members_.all[i].setting);
        // Ranks of one key must make the same calls.
        std::map<std::size_t, const Member*> first;
        const bool fits =
            std::all_of(members_.all.begin(), members_.all.end(), [&](const Member& each) {
                const Member* const other =
                    first.try_emplace(key_of(features, each.setting), &each).first->second;
                return same_form(each.steps, other->steps);
            });
        if (!fits || !take(features, form, std::size_t{1} << features.size())) return std::nullopt;
        std::erase_if(forms_.members, [](const auto& members) { return members.empty(); });
        std::erase_if(forms_.keys, [](const auto& keys) { return keys.empty(); });
        return std::move(forms_);
    }

  private:
    bool take(const std::vector<RankFeature>& features, const std::vector<std::size_t>& form,
              std::size_t count) {
        std::map<unsigned, std::size_t> known;
        for (std::size_t i = 0; i < members_.all.size(); ++i) {
            const unsigned key = key_of(features, members_.all[i].setting);
            if (known.try_emplace(key, form[i]).first->second != form[i]) return false;
        }
        forms_.features = features;
        forms_.keys.assign(count, {});
        for (const auto& [key, which] : known) forms_.keys[which].push_back(key);
        forms_.members.assign(count, {});
        for (std::size_t i = 0; i < members_.all.size(); ++i)
            forms_.members[form[i]].push_back(&members_.all[i]);
        return true;
    }

    /// Where the calls of two members part, as far as loops go.
    [[noreturn]] void explain_forms(const std::vector<std::size_t>& form,
                                    const std::vector<const Member*>& first) {
        std::string text =
            "which calls a rank makes, and which of them in loops, follows neither from its place "
            "in a row or grid nor from whether it is odd; there are " +
            std::to_string(first.size()) + " forms: ";
        std::set<std::size_t> shown;
        for (std::size_t i = 0; i < members_.all.size() && shown.size() < 4; ++i)
            if (shown.insert(form[i]).second)
                text += (shown.size() == 1 ? "" : "; ") + setting_words(members_.all[i].setting) +
                        " makes " + std::to_string(members_.all[i].events.size()) + " calls" +
                        first_difference(*first[0], members_.all[i]);
        throw std::runtime_error(text);
    }

    std::string first_difference(const Member& a, const Member& b) const {
        const std::vector<Step>*left = &a.steps, *right = &b.steps;
        while (true) {
            std::size_t i = 0;
            while (i < left->size() && i < right->size() &&
                   same_form({&(*left)[i], 1}, {&(*right)[i], 1}))
                ++i;
            if (i == left->size() || i == right->size()) return {};
            const Step &x = (*left)[i], &y = (*right)[i];
            if (x.is_loop() && y.is_loop()) {
                left = &x.body;
                right = &y.body;
                continue;
            }
            const auto name = [&](const Step& step) {
                const Step* at = &step;
                while (at->is_loop()) at = &at->body[0];
                return (step.is_loop() ? "a loop from MPI_" : "MPI_") +
                       std::string(info(members_.functions[at->symbol]).name);
            };
            return ", with " + name(y) + " where others have " + name(x);
        }
    }

    Members& members_;
    RankForms forms_;
};

}  // namespace

RankForms choose_forms(Members& members) {
    return FormChooser(members).choose();
}

std::optional<RankForms> split_forms(Members& members, const std::vector<RankFeature>& features) {
    return FormChooser(members).split(features);
}

}  // namespace refrain::proxy
