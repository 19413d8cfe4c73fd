#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace refrain::base {

/// A callable object that is lent for the length of a call: a function pointer and a context, no memory.
///
///     void help_until(FunctionRef<bool()> done);
///     help_until([&] { return number < oldest; });      // the lambda lives until help_until returns
template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
  public:
    template <class Callable>
    static constexpr bool fits = std::is_object_v<std::remove_reference_t<Callable>> &&
                                 !std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef> &&
                                 std::is_invocable_r_v<Result, Callable&, Arguments...>;

    template <class Callable, class = std::enable_if_t<fits<Callable>>>
    FunctionRef(Callable&& callable) noexcept
        : context_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
          call_([](void* context, Arguments... arguments) -> Result {
              return (*static_cast<std::remove_reference_t<Callable>*>(context))(
                  std::forward<Arguments>(arguments)...);
          }) {}

    Result operator()(Arguments... arguments) const {
        return call_(context_, std::forward<Arguments>(arguments)...);
    }

  private:
    void* context_;
    Result (*call_)(void*, Arguments...);
};

}  // namespace refrain::base
