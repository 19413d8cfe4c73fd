#include "sizes/sized_call.hpp"

#include "generate/call_text.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "sizes/said_values.hpp"

namespace refrain::proxy {
namespace {

constexpr std::size_t elements_max = 64;  // of an array, each with a formula of its own

/// An argument of one execution of the call, if it counts there.
struct Seen {
    const Visit* visit;
    const Event* event;
    Argument argument;
    std::int64_t me, size;
};

class CallFitter {
  public:
    CallFitter(const std::map<std::int64_t, std::int64_t>& grids, Findings& findings)
        : grids_(grids), findings_(findings) {}

    SizedCall fit(const std::vector<Visit>& visits) {
        SizedCall& call = call_;
        call.event.function = visits[0].event().function;
        std::vector<std::vector<Seen>> by_argument;
        for (const Visit& visit : visits) {
            const Event& event = visit.event();
            const std::vector<Role> all = roles(event);
            std::int64_t me = visit.setting.rank, size = visit.setting.ranks, root = -1;
            for (std::size_t i = 0; i + 1 < all.size(); ++i)
                if (all[i] == Role::me) me = event.values[i], size = event.values[i + 1];
            const std::vector<Argument> arguments = arguments_of(event);
            for (const Argument& argument : arguments)
                if (argument.parameter != nullptr && argument.parameter->kind == Kind::root_)
                    root = event.values[argument.begin];
            by_argument.resize(arguments.size());
            for (std::size_t i = 0; i < arguments.size(); ++i) {
                const bool counts = arguments[i].parameter == nullptr ||
                                    !arguments[i].parameter->root_only || root == me;
                const bool unused =
                    arguments[i].count != 0 &&
                    is_unused(all[arguments[i].begin], event.values[arguments[i].begin]);
                if (counts && !unused)
                    by_argument[i].push_back({&visit, &event, arguments[i], me, size});
            }
        }
        const Event& example = visits[0].event();
        const std::vector<Argument> arguments = arguments_of(example);
        for (std::size_t i = 0; i < by_argument.size(); ++i) {
            if (by_argument[i].empty())  // counts nowhere
                call.event.values.insert(
                    call.event.values.end(),
                    example.values.begin() + static_cast<std::ptrdiff_t>(arguments[i].begin),
                    example.values.begin() +
                        static_cast<std::ptrdiff_t>(arguments[i].begin + arguments[i].count));
            else
                fit_argument(by_argument[i]);
        }
        call.work = fit_work(visits);
        return std::move(call);
    }

  private:
    std::string argument_name(const Argument& argument) const {
        return "MPI_" + std::string(info(call_.event.function).name) + ", argument " +
               argument.parameter->name;
    }

    void fit_argument(const std::vector<Seen>& seen) {
        const Argument& argument = seen[0].argument;
        const std::vector<Role> all = roles(*seen[0].event);
        const std::size_t said = said_values(argument);
        if (said != 0 && all[argument.begin] == Role::length) {
            const bool same = std::all_of(seen.begin(), seen.end(), [&](const Seen& each) {
                return each.argument.count == argument.count;
            });
            if (!same || argument.count > elements_max) return fit_array(seen);
        }
        for (std::size_t k = 0; k < argument.count; ++k) {
            const Role role = all[argument.begin + k];
            const std::int64_t value = seen[0].event->values[argument.begin + k];
            const bool plain =
                k >= said || role == Role::length || role == Role::me || role == Role::size;
            if (plain) {
                call_.event.values.push_back(value);
            } else if (role == Role::rank) {
                std::vector<PartnerSample> samples;
                for (const Seen& each : seen) samples.push_back(partner_sample(each, k));
                add_partner(fit_partner(samples, grid_dims(*seen[0].event)), samples, argument);
            } else {
                std::vector<NumberSample> samples;
                for (const Seen& each : seen)
                    samples.push_back(
                        {each.visit->setting, each.event->values[each.argument.begin + k]});
                auto number = fit_number(samples);
                if (std::string_view(argument.parameter->name) == "dims")
                    if (const auto side = even_side(samples, argument.count - 1, k - 1))
                        number = side;
                if (number && !number->constant() && !may_follow_formula(role)) number.reset();
                add_number(number, samples, argument);
            }
        }
    }

    /// The side of the most even grid, if that is what a grid's dimensions are.
    static std::optional<Number> even_side(const std::vector<NumberSample>& samples,
                                           std::size_t dims, std::size_t axis) {
        if (dims < 2 || dims > 3) return std::nullopt;
        const Term side{Term::Kind::side, static_cast<std::uint8_t>(dims),
                        static_cast<std::uint8_t>(axis)};
        const bool holds = std::all_of(
            samples.begin(), samples.end(),
            [&](const NumberSample& each) { return side.value(each.setting) == each.value; });
        const bool same_ranks =
            std::all_of(samples.begin(), samples.end(), [&](const NumberSample& each) {
                return each.setting.ranks == samples[0].setting.ranks;
            });
        if (!holds || same_ranks) return std::nullopt;
        return Number{{{1, side}}, {}};
    }

    /// Of the grid that the call's communicator is; 0 if it is none of 2 or 3 dimensions.
    [[nodiscard]] int grid_dims(const Event& event) const {
        const std::vector<std::int64_t> communicator = values_of(event, Kind::comm_);
        if (communicator.empty()) return 0;
        const auto known = grids_.find(communicator[0]);
        return known == grids_.end() || known->second < 2 || known->second > 3
                   ? 0
                   : static_cast<int>(known->second);
    }

    static PartnerSample partner_sample(const Seen& seen, std::size_t k) {
        return {seen.visit->setting, seen.me, seen.size,
                seen.event->values[seen.argument.begin + k]};
    }

    void add_number(const std::optional<Number>& number, const std::vector<NumberSample>& samples,
                    const Argument& argument) {
        if (!number)
            findings_.problems.push_back(argument_name(argument) + ": " + samples_words(samples));
        if (!number || number->constant()) {
            call_.event.values.push_back(number ? *number->constant() : samples[0].value);
            return;
        }
        findings_.has_grid = findings_.has_grid || number->has_grid();
        if (number->twin)
            findings_.notes.insert(argument_name(argument) + ": " + number->text() + ", or with " +
                                   number->twin->text());
        call_.event.values.push_back(stand_in(call_.formulas.size()));
        call_.formulas.emplace_back(*number);
    }

    void add_partner(const std::optional<Partner>& partner,
                     const std::vector<PartnerSample>& samples, const Argument& argument) {
        if (!partner)
            findings_.problems.push_back(argument_name(argument) + ": " + samples_words(samples));
        // One of MPI's codes, or a rank of its own.
        if (!partner || partner->kind == Partner::Kind::nobody) {
            call_.event.values.push_back(encode_rank(
                partner ? std::int64_t{rank_null} : samples[0].value, RankMode::absolute, 0, 1));
            return;
        }
        findings_.has_grid = findings_.has_grid || partner->has_grid();
        call_.event.values.push_back(4 * stand_in(call_.formulas.size()));
        call_.formulas.emplace_back(*partner);
    }

    /// An array whose length changes, or a long one.
    void fit_array(const std::vector<Seen>& seen) {
        const Argument& argument = seen[0].argument;
        Role role = Role::plain;
        std::vector<NumberSample> lengths, numbers;
        std::vector<PartnerSample> partners;
        for (const Seen& each : seen) {
            const auto count = static_cast<std::int64_t>(each.argument.count) - 1;
            lengths.push_back({each.visit->setting, count});
            if (count > 0) role = roles(*each.event)[each.argument.begin + 1];
            for (std::int64_t j = 0; j < count; ++j) {
                PartnerSample sample = partner_sample(each, static_cast<std::size_t>(j) + 1);
                sample.setting.element = j;
                numbers.push_back({sample.setting, sample.value});
                partners.push_back(sample);
            }
        }
        SizedArray array;
        const auto length = fit_number(lengths);
        if (length) array.length = *length;
        if (!length)
            findings_.problems.push_back(argument_name(argument) +
                                         ", its length: " + samples_words(lengths));
        bool found = false;
        if (role == Role::rank) {
            const auto partner = fit_partner(partners, grid_dims(*seen[0].event));
            if (partner) array.element = *partner, found = true;
        } else {
            const auto number = fit_number(numbers);
            found = number && (may_follow_formula(role) || number->constant());
            if (found) array.element = *number;
        }
        if (!found)
            findings_.problems.push_back(argument_name(argument) +
                                         ", an element: " + samples_words(numbers));
        call_.event.values.push_back(1);
        call_.event.values.push_back(array_stand_in(call_.formulas.size()));
        call_.formulas.emplace_back(std::move(array));
    }

    const std::map<std::int64_t, std::int64_t>& grids_;
    Findings& findings_;
    SizedCall call_;
};

}  // namespace

std::int64_t stand_in(std::size_t formula) {
    return stand_in_first + 2 * static_cast<std::int64_t>(formula);
}

std::int64_t array_stand_in(std::size_t formula) {
    return array_stand_in_first + 2 * static_cast<std::int64_t>(formula);
}

SizedCall fit_call(const std::vector<Visit>& visits,
                   const std::map<std::int64_t, std::int64_t>& grids, Findings& findings) {
    return CallFitter(grids, findings).fit(visits);
}

}  // namespace refrain::proxy
