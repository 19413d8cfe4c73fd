# The compiler: which versions, which warnings, sanitizers, a cache for what was compiled before, a quick linker.

if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
   OR (CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14))
    message(FATAL_ERROR "Refrain needs g++ 12 or clang 14 or newer, but ${CMAKE_CXX_COMPILER} is "
                        "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}; "
                        "name another one with -DCMAKE_CXX_COMPILER=...")
endif()

find_package(Threads REQUIRED)

if(PROJECT_IS_TOP_LEVEL)
    find_program(REFRAIN_CCACHE ccache DOC "Keeps what was compiled before, if it is there")
    if(REFRAIN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
        set(CMAKE_CXX_COMPILER_LAUNCHER ${REFRAIN_CCACHE})
        set(CMAKE_C_COMPILER_LAUNCHER ${REFRAIN_CCACHE})
    endif()
endif()

# What everything of ours is compiled with; nothing of it is installed.
add_library(refrain_flags INTERFACE)
target_compile_features(refrain_flags INTERFACE cxx_std_20)
target_compile_options(refrain_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                               -Wno-sign-conversion)
# Assertions name files as the repository does, wherever it lies.
target_compile_options(refrain_flags INTERFACE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # g++ 12 sees overlaps in `"text" + std::string` that are not there (its bug 105651).
    target_compile_options(refrain_flags INTERFACE -Wno-restrict)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(refrain_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wthread-safety>)
endif()
if(REFRAIN_SANITIZE)
    target_compile_options(refrain_flags INTERFACE -fsanitize=${REFRAIN_SANITIZE}
                                                   -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(refrain_flags INTERFACE -fsanitize=${REFRAIN_SANITIZE})
endif()
if(REFRAIN_INTERLEAVING)
    target_compile_definitions(refrain_flags INTERFACE REFRAIN_INTERLEAVING=1)
endif()
