#pragma once

#include "events/event.hpp"

#include <map>
#include <variant>
#include <vector>

#include "sizes/findings.hpp"
#include "sizes/number.hpp"
#include "sizes/partner.hpp"
#include "sizes/sized_work.hpp"

namespace refrain::proxy {

/// Elements that follow a formula, as many as another one says.
struct SizedArray {
    Number length;
    std::variant<Number, Partner> element;
};
using Formula = std::variant<Number, Partner, SizedArray>;

/// A call whose values are the same everywhere but for those that stand for formulas (stand_in, array_stand_in).
struct SizedCall {
    Event event;
    std::vector<Formula> formulas;
    SizedWork work;  // before the call
};
/// The value of an event that stands for a formula. They are never consecutive.
[[nodiscard]] std::int64_t stand_in(std::size_t formula);
[[nodiscard]] std::int64_t array_stand_in(std::size_t formula);

/// One call of the proxy for all that is done there in all recordings; `grids`: dimensions by communicator.
[[nodiscard]] SizedCall fit_call(const std::vector<Visit>& visits,
                                 const std::map<std::int64_t, std::int64_t>& grids,
                                 Findings& findings);

}  // namespace refrain::proxy
