# refrain_page_test(NAME ARGUMENTS...): opens a page in a real browser and works its controls; the arguments are those of
# common/tests/page/browser/check_page. Skipped, with a message, where there is no browser.

find_package(Python3 COMPONENTS Interpreter REQUIRED)

function(refrain_page_test name)
    add_test(NAME page.${name}
             COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/common/tests/page/browser/check_page ${ARGN})
    set_tests_properties(page.${name} PROPERTIES LABELS browser TIMEOUT 300 SKIP_RETURN_CODE 77 RUN_SERIAL TRUE)
endfunction()
