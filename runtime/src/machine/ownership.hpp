#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "machine/cores.hpp"

/// Whether the machine is a process's own, so that its workers may be bound without being asked to.
namespace refrain::machine {

/// The processors that the calling thread may run on, ascending; empty if the system does not tell.
[[nodiscard]] std::vector<unsigned> allowed_processors();

/// What a process can know about its share of the machine.
struct Surroundings {
    std::string launcher = {};   // an environment variable of what started it as one of several
    bool has_quota = false;      // it may use less time than its processors have
    std::size_t allowed = 0;     // processors that it may run on
    std::size_t processors = 0;  // that are online

    /// Of this process. Cheap: it reads the environment and a few small files.
    [[nodiscard]] static Surroundings of_this_process();
};

/// The name of the first variable by which launchers of MPI programs and of jobs tell a process its
/// number; empty if none is set.
[[nodiscard]] std::string launcher_variable(
    const std::function<const char*(const char* name)>& variable);

/// Why a process with `workers` workers does not own the machine, as far as its surroundings tell;
/// empty: nothing speaks against it.
///
/// {.allowed = 8, .processors = 16}, 8 workers -> "the process may run on 8 of 16 processors"
[[nodiscard]] std::string reason_not_owner(const Surroundings& surroundings, std::size_t workers);

/// The same as far as the cores tell: a program that asks for fewer workers than there are cores
/// leaves the others to other programs, and one with more than there are processors shares them
/// with itself.
[[nodiscard]] std::string reason_not_owner(const std::vector<Core>& cores, std::size_t workers);

}  // namespace refrain::machine
