#pragma once

#include "analysis/access_history.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// Streams of operations as the analysis sees them, with nothing around.
namespace states_bench {

using refrain::analysis::FootprintTable;
using refrain::analysis::RequirementShape;

struct Requirement {
    std::size_t region;
    RequirementShape shape;
};
struct Launch {
    std::vector<Requirement> requirements;
    std::vector<std::size_t> renewed_before{};  // regions that are made anew
};
struct Stream {
    std::string name;
    std::vector<refrain::data::Box> regions;
    std::vector<Launch> launches;
};

/// All streams, of about `launches` launches each.
[[nodiscard]] std::vector<Stream> all_streams(FootprintTable& footprints, std::size_t launches);

}  // namespace states_bench
