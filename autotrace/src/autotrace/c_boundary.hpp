#pragma once

#include "refrain/autotrace.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string_view>

/// What the C interfaces have in common: no exception leaves them.
namespace refrain::autotrace::detail {

inline void write_message(std::string_view text, char* message, std::size_t message_bytes) {
    if (message == nullptr || message_bytes == 0) return;
    const std::size_t count = std::min(text.size(), message_bytes - 1);
    std::memcpy(message, text.data(), count);
    message[count] = '\0';
}

/// Runs `action` on what `object` points to, and says how it ended.
template <class Action>
refrain_autotrace_status guarded(const void* object, Action action) {
    if (object == nullptr) return REFRAIN_AUTOTRACE_BAD_ARGUMENT;
    try {
        action();
        return REFRAIN_AUTOTRACE_OK;
    } catch (const std::bad_alloc&) {
        return REFRAIN_AUTOTRACE_NO_MEMORY;
    } catch (...) {
        return REFRAIN_AUTOTRACE_HOST_FAILED;
    }
}

/// Runs `make`, which makes something out of options; what is wrong with these goes to `message`.
template <class Make>
refrain_autotrace_status guarded_making(const char* what, char* message, std::size_t message_bytes,
                                        Make make) {
    try {
        make();
        return REFRAIN_AUTOTRACE_OK;
    } catch (const std::invalid_argument& error) {
        write_message(error.what(), message, message_bytes);
        return REFRAIN_AUTOTRACE_BAD_ARGUMENT;
    } catch (const std::bad_alloc&) {
        write_message(what, message, message_bytes);
        return REFRAIN_AUTOTRACE_NO_MEMORY;
    }
}

}  // namespace refrain::autotrace::detail
