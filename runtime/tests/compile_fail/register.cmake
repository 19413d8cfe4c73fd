# Tests of programs that must not compile, each with a correction that must.
#
# A snippet is a file whose first line gives a phrase of the compiler's message:
#
#     // says: a fixed colour is for single tasks
#     #include "compile_fail/program.hpp"
#     void program() {
#     #ifdef WRONG
#         ...
#     #else
#         ...
#     #endif
#     }
#
# ` | ` separates alternatives for different compilers. The test has the name of the file.

function(refrain_compile_fail_test source)
    get_filename_component(name ${source} NAME_WE)
    add_test(NAME compile_fail.${name}
             COMMAND ${CMAKE_COMMAND} -DCOMPILER=${CMAKE_CXX_COMPILER} -DSOURCE=${source}
                     "-DINCLUDE=${PROJECT_SOURCE_DIR}/common/include;${PROJECT_SOURCE_DIR}/runtime/include"
                     -DTESTS=${PROJECT_SOURCE_DIR}/runtime/tests
                     -P ${PROJECT_SOURCE_DIR}/runtime/tests/compile_fail/compile.cmake)
    set_tests_properties(compile_fail.${name} PROPERTIES LABELS compile_fail TIMEOUT 120)
endfunction()

file(GLOB snippets CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
foreach(snippet ${snippets})
    refrain_compile_fail_test(${snippet})
endforeach()
