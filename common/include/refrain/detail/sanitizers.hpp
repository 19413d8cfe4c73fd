/// Which sanitizer this is compiled with, by g++ or clang: REFRAIN_ADDRESS_SANITIZER and
/// REFRAIN_THREAD_SANITIZER are defined, or not.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define REFRAIN_ADDRESS_SANITIZER 1
#endif
#if defined(__SANITIZE_THREAD__)
#define REFRAIN_THREAD_SANITIZER 1
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define REFRAIN_ADDRESS_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer)
#define REFRAIN_THREAD_SANITIZER 1
#endif
#endif
