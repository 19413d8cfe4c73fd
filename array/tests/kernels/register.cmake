# Layouts and kernels beside NumPy, where Debian's python3 has it: a library of C functions that a test calls.

if(NOT REFRAIN_SANITIZE)
    add_library(array_probe SHARED ${CMAKE_CURRENT_LIST_DIR}/probe.cpp)
    target_link_libraries(array_probe PRIVATE refrain_flags refrain_kernels)
    # Python's loader makes the pointers to function arguments; C functions have no header.
    target_compile_options(array_probe PRIVATE -Wno-missing-declarations)
    add_test(NAME kernels.against_numpy
             COMMAND /usr/bin/python3 ${CMAKE_CURRENT_LIST_DIR}/against_numpy.py $<TARGET_FILE:array_probe>)
    # Functions on machines with older vectors.
    foreach(loops avx2 portable)
        add_test(NAME kernels.functions_${loops}
                 COMMAND /usr/bin/python3 ${CMAKE_CURRENT_LIST_DIR}/against_numpy.py $<TARGET_FILE:array_probe> Functions)
        set_tests_properties(kernels.functions_${loops} PROPERTIES ENVIRONMENT REFRAIN_ARRAY_LOOPS=${loops})
    endforeach()
    set_tests_properties(kernels.against_numpy kernels.functions_avx2 kernels.functions_portable PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
endif()
