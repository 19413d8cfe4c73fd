#pragma once

#include "data/storage_pool.hpp"
#include "observe/observer.hpp"
#include "observe/progress_line.hpp"
#include "refrain/options.hpp"
#include "runtime/pipeline.hpp"

#include "machine/worker_binding.hpp"

namespace refrain::runtime {

/// What the stages are to do, from the program's options.
///
/// Precondition: Options::checked().
[[nodiscard]] data::StoragePoolOptions pool_options(const Options& options);
[[nodiscard]] machine::BindingWish binding_wish(Binding bind);
[[nodiscard]] observe::Observer::Options observer_options(const Options& options);
/// `observer`, `progress_line`: null if nobody asks for them.
[[nodiscard]] Pipeline::Options pipeline_options(const Options& options,
                                                 observe::Observer* observer,
                                                 observe::ProgressLine* progress_line);

/// Whether repetition is found without traces of the program's own, and whether by the inline recogniser.
[[nodiscard]] bool is_traced_by_itself(const Options& options);
[[nodiscard]] bool is_inline(const Options& options);

}  // namespace refrain::runtime
