# refrain-autotrace: the rooms autotrace/, strings/ and base/ in one static library that links
# alone, for other runtimes. Its headers are refrain/autotrace.hpp and refrain/autotrace.h.
set(refrain_autotrace_sources)
foreach(room base strings autotrace)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*.cpp)
    list(APPEND refrain_autotrace_sources ${sources})
endforeach()

add_library(refrain-autotrace STATIC ${refrain_autotrace_sources})
add_library(refrain::autotrace ALIAS refrain-autotrace)
set_target_properties(refrain-autotrace PROPERTIES EXPORT_NAME autotrace)
target_compile_features(refrain-autotrace PUBLIC cxx_std_20)
target_include_directories(
    refrain-autotrace
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(refrain-autotrace PUBLIC Threads::Threads
                                        PRIVATE $<BUILD_INTERFACE:refrain_flags>)
