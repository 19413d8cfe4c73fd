#pragma once

#include "merge/recording.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace refrain::proxy {

/// What a rank spends time on, as a timeline colours it.
enum class Activity : std::uint8_t {
    computation,
    messages,  // sends and receives from rank to rank, and their probes
    waiting,   // Wait and Test of any kind
    collectives,
    windows,
    files,
    other,  // MPI_Init, communicators, datatypes, ...
};
inline constexpr std::array<const char*, 7> activity_names = {
    "computation", "messages", "waiting", "collective calls", "windows", "files", "other calls"};
[[nodiscard]] Activity activity_of(const Event& event);

/// A run folded by phase: the loops of the main rules of its ranks, and what lies between them. Of each, one turn over ranks.
///
///     10 x (Send, Recv), 3 x (Allreduce)   of ranks 0-3
///         "Init"                 1 turn     each rank a row: computation, Init
///         "10 x (Send, Recv)"   10 turns    each rank a row: computation, Send, computation, Recv
///         "3 x (Allreduce)"      3 turns    ...
///
/// A recording knows, for each rank, how long a call took on average and the work before it: a turn is made of these means.
/// So what is known to spread is the time of the ranks, not that of the turns.
///
///   - Loops of ranks that do different things are one phase where they come in the same order, above all those of as many turns.
///   - Not more than `loops_max` loops: of more, those that take longest. What others take is part of what lies between.
///   - Not more than `rows_max` rows, or little more: ranks in a row do the same, and it has their means. Where even that would
///     be too many, a row stands for ranks of which only the first is drawn.
///   - If all rows together would have more than `pieces_max` pieces, long turns are drawn coarser: each loop within them as a
///     single turn as long as all of its turns, then neighbouring pieces as one.
struct Timeline {
    static constexpr std::size_t loops_max = 16;
    static constexpr std::size_t rows_max = 64;
    static constexpr std::size_t pieces_max = 6000;
    static constexpr std::size_t row_pieces_min = 24;

    /// A piece of a turn, which all rows of one shape have.
    struct Piece {
        Activity activity = Activity::computation;
        std::uint32_t event = several;  // the call; of computation, the call behind it
        std::uint64_t count = 1;        // of calls or computations in the piece

        static constexpr std::uint32_t several = ~std::uint32_t{0};
    };
    /// What ranks that do the same do in a turn.
    using Shape = std::vector<Piece>;
    struct Row {
        RankSet ranks;
        bool first_only = false;  // drawn is the first of the ranks, and others do something else
        std::size_t shape = 0;
        std::vector<double> seconds;  // of each piece
    };
    struct Phase {
        std::string contents;  // "8 x Isend, Waitall"; of what lies between: "Init, Comm_rank"
        bool is_loop = false;
        std::uint64_t turns_least = 1, turns_most = 1;        // of a rank that passes it
        std::uint64_t calls = 0;                              // of all ranks and turns
        double seconds = 0;                                   // likewise
        RankSet ranks;                                        // that pass it
        double mean = 0, least = 0, most = 0, deviation = 0;  // seconds of one turn of a rank
        std::vector<Shape> shapes;
        std::vector<Row> rows;
    };

    std::vector<Phase> phases;
    std::string missing;  // why there are none; empty if there are
};

/// Complexity: of the ranks times the events, and of the runs of all main rules.
[[nodiscard]] Timeline timeline_of(const Recording& recording);

}  // namespace refrain::proxy
