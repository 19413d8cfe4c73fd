# Resident memory of a long run. 10^8 operations: flat_memory --mode adversarial --operations 100000000

add_executable(flat_memory ${CMAKE_CURRENT_LIST_DIR}/flat_memory.cpp)
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
