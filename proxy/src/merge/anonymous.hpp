#pragma once

#include "merge/recording.hpp"

#include <string>
#include <vector>

namespace refrain::proxy {

/// Removes what names something: the command, folders and places of calls, words that the program gave MPI.
/// Tags are numbered anew, from 0 in the order of the events. What was done, and how much, stays.
///
/// The calls and their order stay, so that a proxy of the result is equal to it.
void make_anonymous(Recording& recording);

/// The words that the program gave MPI, or that say where it called: what make_anonymous replaces. None are left afterwards.
[[nodiscard]] std::vector<std::string> words_of_program(const Recording& recording);

}  // namespace refrain::proxy
