# The page of a report in a real browser. Skipped, with a message, where there is none.

function(refrain_page_test name)
    add_test(NAME report.${name} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/report/browser/check_page ${ARGN})
    set_tests_properties(report.${name} PROPERTIES LABELS browser TIMEOUT 300 SKIP_RETURN_CODE 77 RUN_SERIAL TRUE)
endfunction()

if(REFRAIN_EXAMPLES)
    refrain_page_test(a_page_of_a_real_run_loads_and_its_controls_work --run $<TARGET_FILE:channel_flow> --mode auto
                      --repetitions 1 --steps 300)
    refrain_page_test(a_page_of_mined_traces_loads_and_its_controls_work --run $<TARGET_FILE:channel_flow> --mode auto
                      --repetitions 1 --steps 60 --refrain:recogniser=mined)
endif()
refrain_page_test(a_page_from_a_log_loads_and_its_controls_work --stream $<TARGET_FILE:refrain_command>)
refrain_page_test(a_page_of_mined_traces_from_a_log_loads_and_its_controls_work --mined --stream
                  $<TARGET_FILE:refrain_command>)
refrain_page_test(a_page_that_is_broken_is_found --self-test --stream $<TARGET_FILE:refrain_command>)
