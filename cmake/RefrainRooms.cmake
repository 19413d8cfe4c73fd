# A room is a folder under src/ and a static library refrain_<room>; its sources are found by name.

find_package(Threads REQUIRED)

if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
   OR (CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14))
    message(FATAL_ERROR "Refrain needs g++ 12 or clang 14 or newer, but ${CMAKE_CXX_COMPILER} is "
                        "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}; "
                        "name another one with -DCMAKE_CXX_COMPILER=...")
endif()

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

function(refrain_room name)
    cmake_parse_arguments(ROOM "" "" "USES" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
    if(sources)
        add_library(refrain_${name} STATIC ${sources})
        set(scope PUBLIC)
        target_link_libraries(refrain_${name} PRIVATE $<BUILD_INTERFACE:refrain_flags>)
        # Nobody replaces a function of a room in front of it, so that position-independent code may inline them.
        target_compile_options(refrain_${name} PRIVATE -fno-semantic-interposition)
    else()
        add_library(refrain_${name} INTERFACE)
        set(scope INTERFACE)
    endif()
    target_compile_features(refrain_${name} ${scope} cxx_std_20)
    target_include_directories(
        refrain_${name} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                 $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                                 $<INSTALL_INTERFACE:include>)
    target_link_libraries(refrain_${name} ${scope} Threads::Threads)
    set_target_properties(refrain_${name} PROPERTIES EXPORT_NAME room_${name}
                                                     POSITION_INDEPENDENT_CODE ON)
    set_property(GLOBAL APPEND PROPERTY REFRAIN_ROOM_TARGETS refrain_${name})
    foreach(used ${ROOM_USES})
        target_link_libraries(refrain_${name} ${scope} refrain_${used})
    endforeach()
endfunction()
