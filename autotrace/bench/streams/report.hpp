#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "streams/measurement.hpp"

namespace streams {

/// The outcomes of one stream, in the order of recognisers().
struct Row {
    std::string stream;
    std::string what;
    std::vector<Outcome> outcomes;
};

/// Prints the table; each row has a line per recogniser.
void print_heading();
void print_row(const Row& row);
void print_explanation();

/// {"mined": {"period_1": {...}, ...}, "inline": {...}}
[[nodiscard]] nlohmann::ordered_json json_of(const std::vector<Row>& rows);

}  // namespace streams
