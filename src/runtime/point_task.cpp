#include "runtime/point_task.hpp"

#include "runtime/fold_order.hpp"
#include "runtime/operation.hpp"

#include <array>
#include <memory>

namespace refrain::runtime {
namespace {

constexpr std::size_t partial_inline_bytes = 256;  // a scalar reduction needs no block

/// The private partial results of one point.
class Partials {
  public:
    Partials() = default;
    Partials(const Partials&) = delete;
    Partials& operator=(const Partials&) = delete;
    Partials(Partials&&) = delete;
    Partials& operator=(Partials&&) = delete;
    ~Partials() = default;

    /// Identities for all elements of the argument's subset.
    void* open(const Argument& argument, const data::BoxSet& subset) {
        const auto count = static_cast<std::size_t>(subset.bounds().volume());
        const std::size_t bytes = count * argument.reduction->element_bytes;
        void* partial = nullptr;
        if (bytes <= partial_inline_bytes - used_ && argument.order == nullptr) {
            partial = inline_.data() + used_;
            used_ += (bytes + 63) & ~std::size_t{63};
        } else {
            partial = argument.storage->pool().allocate(bytes);
        }
        argument.reduction->initialise(partial, count);
        return partial;
    }
    /// Folds, or drops, and gives the memory back.
    void close(const Argument& argument, std::uint32_t point, void* partial,
               const data::BoxSet& subset, bool succeeded) {
        const auto count = static_cast<std::size_t>(subset.bounds().volume());
        const std::size_t bytes = count * argument.reduction->element_bytes;
        if (argument.order != nullptr && succeeded)
            return argument.order->deposit(point, argument.part, partial);
        if (argument.order != nullptr) argument.order->deposit(point, argument.part, nullptr);
        if (succeeded)
            argument.storage->fold(*argument.reduction, partial, subset.bounds(), subset);
        if (!is_inline(partial)) argument.storage->pool().release(partial, bytes);
    }

  private:
    [[nodiscard]] bool is_inline(const void* partial) const {
        return partial >= inline_.data() && partial < inline_.data() + inline_.size();
    }
    alignas(64) std::array<std::byte, partial_inline_bytes> inline_;
    std::size_t used_ = 0;
};

[[nodiscard]] data::Coordinates point_of(const Operation& operation, std::uint32_t point) {
    if (operation.one_dimensional)
        return {operation.domain.lo[0] + point, operation.domain.lo[1], operation.domain.lo[2]};
    return data::point_at(operation.domain, point);
}

TaskFrame frame_for(Operation& operation, std::uint32_t point, const TaskArgument* arguments) {
    return {arguments, operation.closure, operation.future_values.data(),
            operation.result_values + std::size_t{operation.result_bytes} * point,
            point_of(operation, point)};
}

[[gnu::always_inline]] inline void resolve(const Argument& argument, std::uint32_t point,
                                           TaskArgument& resolved) {
    const data::BoxSet& subset = argument.footprint->subsets[point];
    resolved = {argument.storage->ensure(), &argument.storage->bounds(), &subset};
}

/// Operations with reductions or very many arguments.
void call_general(Operation& operation, std::uint32_t point) {
    const std::size_t count = operation.arguments.size();
    std::array<TaskArgument, arguments_inline_max> few;
    std::unique_ptr<TaskArgument[]> many;
    if (count > few.size()) many = std::make_unique<TaskArgument[]>(count);
    TaskArgument* resolved = many != nullptr ? many.get() : few.data();
    Partials partials;
    std::size_t opened = 0;
    const auto close_all = [&](bool succeeded) {
        for (std::size_t i = 0; i < opened; ++i)
            if (operation.arguments[i].reduction != nullptr)
                partials.close(operation.arguments[i], point, resolved[i].elements,
                               *resolved[i].subset, succeeded);
    };
    try {
        for (; opened < count; ++opened) {
            const Argument& argument = operation.arguments[opened];
            resolve(argument, point, resolved[opened]);
            if (argument.reduction == nullptr) continue;
            const data::BoxSet& subset = *resolved[opened].subset;
            resolved[opened] = {partials.open(argument, subset), &subset.bounds(), &subset};
        }
        operation.function(frame_for(operation, point, resolved));
    } catch (...) {
        close_all(false);
        for (std::size_t i = opened; i < count; ++i)  // no memory for these
            if (operation.arguments[i].order != nullptr)
                operation.arguments[i].order->deposit(point, operation.arguments[i].part, nullptr);
        throw;
    }
    close_all(true);
}

void call(Operation& operation, std::uint32_t point) {
    std::array<TaskArgument, arguments_inline_max> resolved;
    for (std::size_t i = 0; i < operation.arguments.size(); ++i)
        resolve(operation.arguments[i], point, resolved[i]);
    operation.function(frame_for(operation, point, resolved.data()));
}

[[gnu::cold]] void fail(Operation& operation) noexcept {
    Failure* failure = make_failure(operation.number, operation.site);
    const void* first = nullptr;
    if (operation.bundles[0].cause.compare_exchange_strong(
            first, failure, std::memory_order_acq_rel, std::memory_order_acquire))
        return;
    if (static_cast<const Failure*>(first)->operation == operation.number)
        delete failure;  // another point of the same launch failed first: one is told of
    else
        operation.late_failures->add(failure);
}

}  // namespace

bool run_point(graph::Node& node, std::uint32_t point, std::uint32_t) noexcept {
    auto& operation = static_cast<Operation&>(node);
    try {
        if (operation.is_general)
            call_general(operation, point);
        else
            call(operation, point);
        return true;
    } catch (...) {
        fail(operation);
        return false;
    }
}

bool skip_point(graph::Node& node, std::uint32_t point, std::uint32_t) noexcept {
    for (const Argument& argument : static_cast<Operation&>(node).arguments)
        if (argument.order != nullptr) argument.order->deposit(point, argument.part, nullptr);
    return false;
}

bool run_nothing(graph::Node&, std::uint32_t, std::uint32_t) noexcept {
    return true;
}

}  // namespace refrain::runtime
