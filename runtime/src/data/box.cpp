#include "refrain/detail/box.hpp"

#include "data/message.hpp"
#include "refrain/error.hpp"

#include <limits>
#include <ostream>
#include <sstream>

namespace refrain::data {

void print_point(std::ostream& out, const std::int64_t* coordinates, int rank) {
    if (rank == 1) {
        out << coordinates[0];
        return;
    }
    for (int d = 0; d < rank; ++d) out << (d == 0 ? "(" : ",") << coordinates[d];
    out << ')';
}

std::string point_text(const std::int64_t* coordinates, int rank) {
    std::ostringstream out;
    print_point(out, coordinates, rank);
    return out.str();
}

void print_rect(std::ostream& out, const std::int64_t* lo, const std::int64_t* hi, int rank) {
    for (int d = 0; d < rank; ++d) {
        if (hi[d] <= lo[d]) {
            out << "empty";
            return;
        }
    }
    for (int d = 0; d < rank; ++d)
        out << (d == 0 ? "" : "x") << '[' << lo[d] << ',' << hi[d] << ')';
}

std::string rect_text(const std::int64_t* lo, const std::int64_t* hi, int rank) {
    std::ostringstream out;
    print_rect(out, lo, hi, rank);
    return out.str();
}

std::string to_string(const Box& box, int rank) {
    return rect_text(box.lo.data(), box.hi.data(), rank);
}

std::int64_t checked_volume(const Box& box, int rank, std::string_view operation,
                            std::string_view argument) {
    std::int64_t volume = 0;
    if (volume_fits(box, volume)) return volume;
    throw UsageError(message(operation, ": ", argument, " is ", to_string(box, rank),
                             ", more than ", std::numeric_limits<std::int64_t>::max(),
                             " points; use smaller extents"));
}

void checked_point(const std::int64_t* coordinates, int rank, std::string_view operation,
                   std::string_view argument) {
    for (int d = 0; d < rank; ++d) {
        if (coordinates[d] == std::numeric_limits<std::int64_t>::max()) {
            throw UsageError(
                message(operation, ": ", argument, " contains ", point_text(coordinates, rank),
                        ", and coordinates must be below ", coordinates[d], "; shift the points"));
        }
    }
}

}  // namespace refrain::data
