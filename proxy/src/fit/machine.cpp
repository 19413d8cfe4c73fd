#include "fit/machine.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "fit/nnls.hpp"

namespace refrain::proxy {
namespace {

using nlohmann::json;

constexpr int version = 8;  // 8: what teams cost

std::string row_name(std::size_t row) {
    return row == seconds_row ? "seconds" : metric_names[row];
}

/// Blocks as columns, each row divided by its largest value.
Matrix normalised(const Machine& machine, std::size_t without = quantity_count) {
    Matrix matrix;
    Quantities most{};
    for (const MeasuredBlock& block : machine.blocks)
        for (std::size_t row = 0; row < quantity_count; ++row)
            most[row] = std::max(most[row], block.each[row]);
    for (std::size_t row = 0; row < quantity_count; ++row)
        if (row != without) ++matrix.rows;
    for (const MeasuredBlock& block : machine.blocks)
        for (std::size_t row = 0; row < quantity_count; ++row)
            if (row != without)
                matrix.values.push_back(most[row] > 0 ? block.each[row] / most[row] : 0);
    return matrix;
}

json to_json(const Quantities& quantities) {
    json object = json::object();
    for (std::size_t row = 0; row < quantity_count; ++row) object[row_name(row)] = quantities[row];
    return object;
}

Quantities to_quantities(const json& object) {
    Quantities quantities{};
    for (std::size_t row = 0; row < quantity_count; ++row)
        quantities[row] = object.at(row_name(row)).get<double>();
    return quantities;
}

}  // namespace

Steering steering(const Machine& machine) {
    Steering result;
    result.rank = rank_of(normalised(machine));
    for (std::size_t row = 0; row < quantity_count; ++row)
        (rank_of(normalised(machine, row)) < result.rank ? result.steered : result.not_steered)
            .push_back(row_name(row));
    return result;
}

std::string write_json(const Machine& machine) {
    json blocks = json::array();
    for (const MeasuredBlock& block : machine.blocks)
        blocks.push_back({{"name", block.name}, {"each", to_json(block.each)}});
    const Steering steers = steering(machine);
    const json whole = {{"version", version},
                        {"source", source_names[static_cast<std::size_t>(machine.source)]},
                        {"block_kind", name_of(machine.block_kind)},
                        {"machine", machine.name},
                        {"compiler", machine.compiler},
                        {"rank", steers.rank},
                        {"steered", steers.steered},
                        {"not_steered", steers.not_steered},
                        {"not_additive", machine.not_additive},
                        {"entry", to_json(machine.entry)},
                        {"share", to_json(machine.share)},
                        {"wait", to_json(machine.wait)},
                        {"team_part", to_json(machine.team_part)},
                        {"team_begin", to_json(machine.team_begin)},
                        {"blocks", blocks}};
    return whole.dump(1) + "\n";
}

Machine read_machine(const std::string& text, const std::string& name) {
    Machine machine;
    try {
        const json whole = json::parse(text);
        const int read = whole.at("version");
        if (read != version)
            throw std::runtime_error("'" + name + "' is of version " + std::to_string(read) +
                                     ", and this program reads " + std::to_string(version) +
                                     "; calibrate again");
        const std::string words = whole.at("block_kind");
        const std::optional<BlockKind> kind = block_kind_named(words);
        if (!kind)
            throw std::runtime_error("'" + name + "' has blocks of a kind '" + words +
                                     "', and this program knows " + block_kind_names[0] + " and " +
                                     block_kind_names[1] + "; calibrate again");
        machine.block_kind = *kind;
        const auto source = std::find(source_names.begin(), source_names.end(),
                                      whole.at("source").get<std::string>());
        if (source == source_names.end())
            throw std::runtime_error("'" + name +
                                     "' has an unknown source of figures; calibrate again");
        machine.source = static_cast<Source>(source - source_names.begin());
        machine.name = whole.at("machine");
        machine.compiler = whole.at("compiler");
        machine.not_additive = whole.at("not_additive").get<std::vector<std::string>>();
        machine.entry = to_quantities(whole.at("entry"));
        machine.share = to_quantities(whole.at("share"));
        machine.wait = to_quantities(whole.at("wait"));
        machine.team_part = to_quantities(whole.at("team_part"));
        machine.team_begin = to_quantities(whole.at("team_begin"));
        for (const json& block : whole.at("blocks"))
            machine.blocks.push_back({block.at("name"), to_quantities(block.at("each"))});
        if (machine.blocks.empty())
            throw std::runtime_error("'" + name + "' names no block; calibrate again");
    } catch (const json::exception& problem) {
        throw std::runtime_error("'" + name +
                                 "' is no file of refrain proxy calibrate: " + problem.what());
    }
    return machine;
}

}  // namespace refrain::proxy
