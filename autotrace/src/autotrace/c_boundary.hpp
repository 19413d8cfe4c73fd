#pragma once

#include "refrain/autotrace.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>

/// Shared by the C interfaces: turns exceptions into status codes.
namespace refrain::autotrace::detail {

/// Thrown where a function of the host returns what it must not.
struct BadArgument {};

inline void write_message(std::string_view text, char* message, std::size_t message_bytes) {
    if (message == nullptr || message_bytes == 0) return;
    const std::size_t count = std::min(text.size(), message_bytes - 1);
    std::memcpy(message, text.data(), count);
    message[count] = '\0';
}

/// Runs `action` if `object` is not null, and returns its status.
template <class Action>
refrain_autotrace_status guarded(const void* object, Action action) {
    if (object == nullptr) return REFRAIN_AUTOTRACE_BAD_ARGUMENT;
    try {
        action();
        return REFRAIN_AUTOTRACE_OK;
    } catch (const BadArgument&) {
        return REFRAIN_AUTOTRACE_BAD_ARGUMENT;
    } catch (const std::bad_alloc&) {
        return REFRAIN_AUTOTRACE_NO_MEMORY;
    } catch (...) {
        return REFRAIN_AUTOTRACE_HOST_FAILED;
    }
}

/// Runs `create`, which creates an object from options, and writes the reason of a failure to
/// `message`.
template <class Create>
refrain_autotrace_status guarded_create(const char* no_memory, char* message,
                                        std::size_t message_bytes, Create create) {
    try {
        create();
        return REFRAIN_AUTOTRACE_OK;
    } catch (const std::invalid_argument& error) {
        write_message(error.what(), message, message_bytes);
        return REFRAIN_AUTOTRACE_BAD_ARGUMENT;
    } catch (const std::bad_alloc&) {
        write_message(no_memory, message, message_bytes);
        return REFRAIN_AUTOTRACE_NO_MEMORY;
    } catch (const std::exception& error) {
        write_message(error.what(), message, message_bytes);
        return REFRAIN_AUTOTRACE_FAILED;
    } catch (...) {
        write_message("an exception that is no std::exception", message, message_bytes);
        return REFRAIN_AUTOTRACE_FAILED;
    }
}

}  // namespace refrain::autotrace::detail
