# The program `refrain` with commands that are installed, missing, or failing.
add_test(NAME cli.refrain_runs_the_commands_that_are_installed
         COMMAND ${CMAKE_COMMAND} -DREFRAIN=$<TARGET_FILE:refrain_command_refrain> -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/cli
                 -P ${CMAKE_CURRENT_LIST_DIR}/check_dispatch.cmake)
