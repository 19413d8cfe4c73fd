# The checkers of the source tree, and the tests that they can find something.

find_package(Python3 COMPONENTS Interpreter REQUIRED)

function(refrain_tool_test name)
    add_test(NAME tools.${name} COMMAND ${Python3_EXECUTABLE} ${ARGN})
    set_tests_properties(tools.${name} PROPERTIES LABELS tools TIMEOUT 60)
endfunction()

refrain_tool_test(arrows_between_rooms_point_down ${PROJECT_SOURCE_DIR}/tools/check_arrows)
refrain_tool_test(arrows_that_point_up_are_found ${PROJECT_SOURCE_DIR}/tools/check_arrows --self-test)
refrain_tool_test(links_in_documents_lead_somewhere ${PROJECT_SOURCE_DIR}/tools/check_links)
refrain_tool_test(dead_links_are_found ${PROJECT_SOURCE_DIR}/tools/check_links --self-test)

add_test(NAME tools.every_script_explains_itself COMMAND bash ${PROJECT_SOURCE_DIR}/tests/tools/explain.sh)
set_tests_properties(tools.every_script_explains_itself PROPERTIES LABELS tools TIMEOUT 60)
