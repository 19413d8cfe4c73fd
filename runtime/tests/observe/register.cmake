include(${PROJECT_SOURCE_DIR}/cmake/RefrainPageTests.cmake)
if(REFRAIN_EXAMPLES)
    refrain_page_test(a_page_of_a_real_run_loads_and_its_controls_work --run $<TARGET_FILE:channel_flow> --mode auto
                      --repetitions 1 --steps 300)
    refrain_page_test(a_page_of_mined_traces_loads_and_its_controls_work --run $<TARGET_FILE:channel_flow> --mode auto
                      --repetitions 1 --steps 60 --refrain:recogniser=mined)
endif()
