#include "property/launch_door.hpp"

namespace refrain::property {
namespace {

// Explicit template instantiations may name private members; the friend functions that they define
// are callable from here.
template <class Tag, auto Member>
struct Door {
    friend constexpr auto member(Tag) { return Member; }
};
struct Submit {
    friend constexpr auto member(Submit);
};
struct NewFuture {
    friend constexpr auto member(NewFuture);
};
template struct Door<Submit, &Runtime::submit>;
template struct Door<NewFuture, &Runtime::new_future>;

}  // namespace

void submit(Runtime& runtime, const runtime::LaunchDescription& launch) {
    (runtime.*member(Submit{}))(launch);
}

regions::FutureState* new_future(Runtime& runtime, std::size_t value_bytes, std::size_t count) {
    const data::Box domain{.lo = {0, 0, 0}, .hi = {static_cast<std::int64_t>(count), 1, 1}};
    return (runtime.*member(NewFuture{}))(LaunchSite("a random launch"), domain, 1, value_bytes);
}

}  // namespace refrain::property
