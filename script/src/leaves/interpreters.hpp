#pragma once

#include "ir/program.hpp"
#include "library/services.hpp"
#include "processes/helper_process.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace refrain::script {

/// The interpreters of other languages of a run: a process for each worker that evaluates some, so that the lock of one
/// interpreter holds up nobody else, and a crash ends one call.
///
/// Threads: any.
class Interpreters {
  public:
    explicit Interpreters(processes::HelperSource& source) : source_(source) {}

    /// Starts one of each that the program needs, for `worker`, so that what is not installed is known before the run.
    /// Errors: ScriptError that names the package.
    void prepare(const ir::Program& program, std::uint32_t worker);
    /// Errors: as of Services::evaluate.
    [[nodiscard]] std::string evaluate(const ForeignCode& code, const Services& services);

  private:
    struct Slot : processes::HelperSlot {
        bool knows_rank = false;  // the helper
    };
    void start_assume_locked(Slot& slot, ForeignCode::Language language);
    [[nodiscard]] Slot& slot(ForeignCode::Language language, std::uint32_t worker);

    processes::HelperSource& source_;
    std::mutex mutex_;
    std::map<std::pair<ForeignCode::Language, std::uint32_t>, Slot> slots_;
};

}  // namespace refrain::script
