# The programs, called through `refrain`.
if(TARGET refrain_command_refrain)
    add_test(NAME commands.mine_and_report_do_what_their_help_says
             COMMAND ${CMAKE_COMMAND} -DREFRAIN=$<TARGET_FILE:refrain_command_refrain>
                     -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/commands
                     -P ${CMAKE_CURRENT_SOURCE_DIR}/commands/check_command.cmake)

    include(${PROJECT_SOURCE_DIR}/cmake/RefrainPageTests.cmake)
    set(refrain $<TARGET_FILE:refrain_command_refrain>)
    refrain_page_test(a_page_from_a_log_loads_and_its_controls_work --log ${refrain})
    refrain_page_test(a_page_of_mined_traces_from_a_log_loads_and_its_controls_work --mined --log ${refrain})
    refrain_page_test(a_page_from_a_log_of_nothing_loads --size nothing --log ${refrain})
    refrain_page_test(a_page_from_a_big_log_loads_and_its_controls_work --size big --log ${refrain})
    refrain_page_test(a_page_of_mined_traces_from_a_big_log_loads_and_its_controls_work --size big --mined --log ${refrain})
endif()
