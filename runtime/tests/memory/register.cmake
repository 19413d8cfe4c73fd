# Resident memory of a long run. 10^8 operations: flat_memory --mode adversarial --operations 100000000

add_executable(flat_memory ${CMAKE_CURRENT_LIST_DIR}/flat_memory.cpp)
target_include_directories(flat_memory PRIVATE ${CMAKE_CURRENT_LIST_DIR}/..)
target_link_libraries(flat_memory PRIVATE refrain_flags refrain_runtime)

function(flat_memory name mode operations)
    add_test(NAME memory.flat_over_${name}.${mode}
             COMMAND flat_memory --mode ${mode} --operations ${operations})
    set_tests_properties(memory.flat_over_${name}.${mode} PROPERTIES LABELS slow TIMEOUT 300)
endfunction()

flat_memory(a_million_operations untraced 1000000)
flat_memory(a_million_operations automatic 1000000)
flat_memory(a_million_operations mined 1000000)
flat_memory(four_million_operations adversarial 4000000)

# The same with a report, a timeline and a log.
add_executable(flat_report ${CMAKE_CURRENT_LIST_DIR}/flat_report.cpp)
target_include_directories(flat_report PRIVATE ${CMAKE_CURRENT_LIST_DIR}/..)
target_link_libraries(flat_report PRIVATE refrain_flags refrain_runtime)

# Half of it is warm-up. 10^8 operations: flat_report 100000000
add_test(NAME memory.flat_over_forty_million_operations_that_are_reported_on COMMAND flat_report 40000000)
set_tests_properties(memory.flat_over_forty_million_operations_that_are_reported_on PROPERTIES LABELS slow TIMEOUT 1200)
