#include "overhead/static_graphs.hpp"

namespace overhead {

std::optional<Cost> tbb_static(const Config&) {
    return std::nullopt;
}

}  // namespace overhead
