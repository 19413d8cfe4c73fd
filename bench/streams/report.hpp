#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "streams/measurement.hpp"

namespace streams {

/// What one recogniser made of all streams.
struct Section {
    const Recogniser* recogniser = nullptr;
    struct Row {
        std::string stream;
        std::string what;
        Outcome outcome;
    };
    std::vector<Row> rows;
};

/// The table for people, row by row as they come.
void print_heading(const Recogniser& recogniser);
void print_row(const Section::Row& row);
void print_explanation();

/// {"mined": {"period_1": {...}, ...}}
[[nodiscard]] nlohmann::ordered_json json_of(const std::vector<Section>& sections);

}  // namespace streams
