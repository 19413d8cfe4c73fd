# Resident memory of a long loop. 10^8 operations: flat_memory --mode automatic --operations 100000000

add_executable(flat_memory ${CMAKE_CURRENT_LIST_DIR}/flat_memory.cpp)
target_link_libraries(flat_memory PRIVATE refrain_flags refrain_runtime)

foreach(mode untraced automatic)
    add_test(NAME memory.flat_over_a_million_operations.${mode} COMMAND flat_memory --mode ${mode})
    set_tests_properties(memory.flat_over_a_million_operations.${mode} PROPERTIES LABELS slow TIMEOUT 300)
endforeach()
