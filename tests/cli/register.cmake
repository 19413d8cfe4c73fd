# The command `refrain`: its parts, and the program as a user calls it.
find_package(nlohmann_json REQUIRED)
refrain_tests(cli USES refrain_cli nlohmann_json::nlohmann_json)
add_test(NAME cli.the_command_does_what_its_help_says
         COMMAND ${CMAKE_COMMAND} -DREFRAIN=$<TARGET_FILE:refrain_command>
                 -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/cli
                 -P ${CMAKE_CURRENT_SOURCE_DIR}/cli/check_command.cmake)
