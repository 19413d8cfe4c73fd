#include "refrain/view.hpp"

#include "data/message.hpp"
#include "refrain/error.hpp"

namespace refrain::data {

void refuse_point(const Coordinates& point, const BoxSet& subset, int rank) {
    throw UsageError(message("view: point ", point_text(point.data(), rank),
                             " is not in the subset ", short_text(subset, rank),
                             " that the task was launched on; launch it on a subset that contains "
                             "the point, such as a halo, or stay within domain()"));
}

void refuse_span(const Box& piece, const BoxSet& subset, const Box& region, int rank) {
    throw UsageError(message("view: ", to_string(piece, rank), " of subset ",
                             short_text(subset, rank), " is not contiguous in a region of bounds ",
                             to_string(region, rank),
                             "; take spans of single rows, or of each of rects()"));
}

}  // namespace refrain::data
