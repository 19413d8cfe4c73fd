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

# GCC reads the header of all snippets as it was compiled once; another compiler reads its text.
set(compile_fail_include ${PROJECT_SOURCE_DIR}/common/include ${PROJECT_SOURCE_DIR}/runtime/include
                         ${PROJECT_SOURCE_DIR}/runtime/tests)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(compile_fail_header ${CMAKE_CURRENT_BINARY_DIR}/compile_fail_header)
    file(MAKE_DIRECTORY ${compile_fail_header}/compile_fail)
    set(include ${compile_fail_include})
    list(TRANSFORM include PREPEND -I)
    add_custom_command(OUTPUT ${compile_fail_header}/compile_fail/program.hpp.gch
                       DEPENDS ${CMAKE_CURRENT_LIST_DIR}/program.hpp DEPFILE ${compile_fail_header}/program.d
                       COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -w -x c++-header ${include}
                               ${CMAKE_CURRENT_LIST_DIR}/program.hpp -MD -MF ${compile_fail_header}/program.d
                               -MT ${compile_fail_header}/compile_fail/program.hpp.gch
                               -o ${compile_fail_header}/compile_fail/program.hpp.gch
                       VERBATIM)
    add_custom_target(compile_fail_header ALL DEPENDS ${compile_fail_header}/compile_fail/program.hpp.gch)
    list(PREPEND compile_fail_include ${compile_fail_header})
endif()

function(refrain_compile_fail_test source)
    get_filename_component(name ${source} NAME_WE)
    add_test(NAME compile_fail.${name}
             COMMAND ${CMAKE_COMMAND} -DCOMPILER=${CMAKE_CXX_COMPILER} -DSOURCE=${source}
                     "-DINCLUDE=${compile_fail_include}"
                     -P ${PROJECT_SOURCE_DIR}/runtime/tests/compile_fail/compile.cmake)
    set_tests_properties(compile_fail.${name} PROPERTIES LABELS compile_fail TIMEOUT 120)
endfunction()

file(GLOB snippets CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
foreach(snippet ${snippets})
    refrain_compile_fail_test(${snippet})
endforeach()
