# Compiles SOURCE with WRONG, which must fail with its phrase, and without, which must succeed.
#
#     cmake -DCOMPILER=... -DSOURCE=... -DINCLUDE=... -P compile.cmake

file(STRINGS ${SOURCE} first_line LIMIT_COUNT 1)
if(NOT first_line MATCHES "^// says: (.+)$")
    message(FATAL_ERROR "${SOURCE} does not begin with '// says: PHRASE'")
endif()
set(phrase "${CMAKE_MATCH_1}")
file(READ ${SOURCE} text)
if(NOT text MATCHES "#ifdef WRONG")
    message(FATAL_ERROR "${SOURCE} has no part for WRONG")
endif()

list(TRANSFORM INCLUDE PREPEND -I)
set(compile ${COMPILER} -std=c++20 -fsyntax-only ${INCLUDE})

execute_process(COMMAND ${compile} ${SOURCE} RESULT_VARIABLE status ERROR_VARIABLE output)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "the corrected program does not compile:\n${output}")
endif()

execute_process(COMMAND ${compile} -DWRONG ${SOURCE} RESULT_VARIABLE status ERROR_VARIABLE output)
if(status EQUAL 0)
    message(FATAL_ERROR "the wrong program compiles")
endif()
string(REPLACE " | " ";" phrases "${phrase}")  # alternatives for different compilers
foreach(alternative ${phrases})
    string(FIND "${output}" "${alternative}" found)
    if(NOT found EQUAL -1)
        return()
    endif()
endforeach()
message(FATAL_ERROR "the compiler does not say '${phrase}':\n${output}")
