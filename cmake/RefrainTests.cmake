# refrain_tests(FOLDER [ONE_THREAD] [USES LIBRARY...]): one test program, test_<folder>, of the sources FOLDER/*_test.cpp.
# The thread sanitizer has no part in those of one thread.

function(refrain_tests folder)
    cmake_parse_arguments(TEST "ONE_THREAD" "" "USES" ${ARGN})
    if(TEST_ONE_THREAD AND REFRAIN_SANITIZE MATCHES "thread")
        return()
    endif()
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*_test.cpp)
    refrain_test_program(test_${folder} SOURCES ${sources} USES ${TEST_USES})
    target_include_directories(test_${folder} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/common/tests)
endfunction()

# refrain_test_program(NAME SOURCES ... USES ... [LABELS ...]): each test of it is a test of CTest; with sanitizers, each
# eighth of its tests.
function(refrain_test_program name)
    cmake_parse_arguments(TEST "" "" "SOURCES;USES;LABELS" ${ARGN})
    find_package(GTest REQUIRED)
    include(GoogleTest)
    add_executable(${name} ${TEST_SOURCES})
    target_link_libraries(${name} PRIVATE refrain_flags ${TEST_USES} GTest::gtest_main)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ${REFRAIN_UNITY_TESTS} UNITY_BUILD_BATCH_SIZE 12
                                             RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    # Tests are compiled often and run once: most of what -O3 takes is not worth it for them.
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    refrain_compile_quickly(${name})
    # Suites whose names end in Slow are left out of the builds with sanitizers (.ci/run).
    if(REFRAIN_SANITIZE)
        refrain_test_program_in_parts(${name} "${TEST_LABELS}")
        return()
    endif()
    # Parameters have names, given where a suite is instantiated; CMake would append their values, as bytes.
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES TEST_FILTER -*Slow.*
                         PROPERTIES TIMEOUT 300 LABELS "${TEST_LABELS}")
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES TEST_FILTER *Slow.*
                         PROPERTIES TIMEOUT 1200 LABELS "slow;${TEST_LABELS}")
endfunction()

# A program with a sanitizer takes longer to start than most tests take. Eight parts: enough for several cores.
function(refrain_test_program_in_parts name labels)
    foreach(part RANGE 7)
        add_test(NAME ${name}.${part} COMMAND ${name} --gtest_filter=-*Slow.*)
        set_tests_properties(${name}.${part} PROPERTIES ENVIRONMENT "GTEST_TOTAL_SHARDS=8;GTEST_SHARD_INDEX=${part}"
                                                        TIMEOUT 1200 LABELS "${labels}")
    endforeach()
endfunction()

# refrain_compile_quickly(TARGET): without optimisation if with sanitizers. For code that runs little: clang takes three times
# as long at -O1.
function(refrain_compile_quickly target)
    if(REFRAIN_SANITIZE)
        target_compile_options(${target} PRIVATE -O0)
    endif()
endfunction()

# refrain_document_programs(SOURCES...): programs that documents show (tools/check_snippets), named as their files.
set_property(GLOBAL PROPERTY REFRAIN_DOCUMENT_PROGRAMS ${PROJECT_BINARY_DIR}/document_programs)
function(refrain_document_programs)
    foreach(source ${ARGN})
        get_filename_component(name ${source} NAME_WE)
        add_executable(docs_${name} ${source})
        set_target_properties(docs_${name} PROPERTIES OUTPUT_NAME ${name}
                                                      RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/document_programs)
        target_link_libraries(docs_${name} PRIVATE refrain-runtime refrain_flags)
    endforeach()
endfunction()
