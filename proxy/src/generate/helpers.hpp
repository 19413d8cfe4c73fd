#pragma once

#include <set>
#include <string>

namespace refrain::proxy {

/// Adds what the functions of the frame need of each other.
void add_needs(std::set<std::string>& used);
/// Definitions of the functions that are used, each behind those that it needs. `checks`: they tell check_text what is done.
/// `threads`: several call at once, and what calls return and nobody reads is each one's own.
[[nodiscard]] std::string helpers_text(const std::set<std::string>& used, bool checks,
                                       bool threads);

}  // namespace refrain::proxy
