#include "runtime/operation.hpp"

#include "regions/fold_order.hpp"

namespace refrain::runtime {

void Operation::release_owned() noexcept {
    if (result != nullptr) release(result);
    for (regions::FutureState* future : futures()) release(future);
    if (destroy_closure != nullptr) destroy_closure(closure);
    for (const Argument& argument : arguments())
        if (argument.part == 0) delete argument.order;
}

}  // namespace refrain::runtime
