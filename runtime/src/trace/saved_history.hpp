#pragma once

#include "refrain/detail/box_set.hpp"
#include "refrain/privilege.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace refrain::trace {

/// What a run launched, in words that mean the same in every run of its program: tasks by where
/// their code lies in the program, subsets by the elements in them, regions by their last use
/// (description.hpp).
///
///     write(A), then twice: read(A), write(B)      operations  0  task 0, [footprint 0, new]
///                                                              1  task 1, [footprint 1, 1 ago: 0], ...
///                                                              2  task 1, [footprint 1, 2 ago: 0], ...
///                                                  sequence    0 1 2
///
/// Nothing is said of what operations wait for. Whoever reads it launches the operations once more
/// without running them, and finds out (rehearsal.hpp): so there is nothing that a file could claim
/// and that could be wrong.
///
/// What decode() returns keeps these bounds, and so must what is encoded:
///   - indices name something there is; a footprint has a subset for each point of its operations;
///   - a link to an operation of the same part of the sequence, up to the last gap, leads to one of its
///     requirements; one within its own operation, to an earlier one;
///   - counts and coordinates are at most those in Limits, so that volumes do not overflow, and the
///     work of a reader is a multiple of the file's size.
struct SavedHistory {
    struct Limits {
        static constexpr std::size_t words = std::size_t{1} << 23;  // of a file
        static constexpr std::size_t points = 2048;                 // of an operation
        static constexpr std::size_t requirements = 256;            // of an operation
        static constexpr std::size_t boxes = std::size_t{1} << 20;  // of all footprints; or subsets
        // Of a footprint whose boxes do not lie on one line: where sets of them are combined, pieces
        // may be as many as the product of their numbers.
        static constexpr std::size_t spread_boxes = 2048;
        static constexpr std::int64_t coordinate = std::int64_t{1} << 40;
        static constexpr std::int64_t volume = std::int64_t{1} << 40;  // of a footprint's bounds
        static constexpr std::size_t name_bytes = 4096;
    };
    /// What tasks lie in: the program, or a library that it uses. Equal marks: one build of it.
    struct Module {
        std::string name;
        std::uint64_t mark = 0;
        friend bool operator==(const Module&, const Module&) = default;
    };
    struct Task {
        std::uint32_t module = 0;
        std::uint64_t offset = 0;
        friend bool operator==(const Task&, const Task&) = default;
    };
    struct Requirement {
        std::uint32_t footprint = 0;
        Privilege privilege = Privilege::read;
        std::uint16_t reduction = 0;
        std::uint64_t link = 0;  // as a Describer writes it
        friend bool operator==(const Requirement&, const Requirement&) = default;
    };
    struct Operation {
        std::uint32_t task = no_task;
        std::uint32_t points = 0;
        std::vector<Requirement> requirements;
        friend bool operator==(const Operation&, const Operation&) = default;
    };
    using Subsets = std::vector<data::BoxSet>;  // by point

    static constexpr std::uint32_t no_task = std::numeric_limits<std::uint32_t>::max();
    /// In the sequence: there were operations that are not told of.
    static constexpr std::uint32_t gap = std::numeric_limits<std::uint32_t>::max();

    std::uint64_t program = 0;  // the mark of the program
    std::vector<Module> modules;
    std::vector<Task> tasks;
    std::vector<Subsets> footprints;
    std::vector<Operation> operations;    // distinct ones
    std::vector<std::uint32_t> sequence;  // in the order in which they were launched

    friend bool operator==(const SavedHistory&, const SavedHistory&) = default;
};

/// Whether a footprint is within the limits.
[[nodiscard]] bool can_be_saved(std::span<const data::BoxSet> subsets);

/// As the words of a file, sealed by a checksum.
[[nodiscard]] std::vector<std::uint64_t> encode(const SavedHistory& history);

/// What was read, or why that is nothing.
struct DecodedHistory {
    SavedHistory history;
    std::string problem;  // "it is damaged"; empty: there is none
};
/// Reads what encode() wrote, in this version of Refrain and on a machine of this kind. Whatever the
/// words are, they are answered with a history that keeps its bounds, or with a problem.
///
/// Complexity:  a multiple of the words, but for boxes that are not on one line (Limits).
[[nodiscard]] DecodedHistory decode(std::span<const std::uint64_t> words);

/// The words with a checksum that fits what they say; for tests.
void seal(std::span<std::uint64_t> words);

}  // namespace refrain::trace
