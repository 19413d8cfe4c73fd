# Included by the tests of runs by an mpirun: its environment, and how it is called.

file(MAKE_DIRECTORY ${FOLDER})
set(ENV{OMPI_ALLOW_RUN_AS_ROOT} 1)  # containers run tests as root
set(ENV{OMPI_ALLOW_RUN_AS_ROOT_CONFIRM} 1)
set(ENV{OMPI_MCA_rmaps_base_oversubscribe} 1)
set(ENV{UCX_LOG_LEVEL} fatal)  # where /sys is missing, it says so on the output

# Sets result, out and err. MPICH's mpirun may write to its own helper when that has ended already, and die of it: then it is
# called again. `run_by_ranks(2 program argument...)`.
macro(run_by_ranks ranks)
    foreach(try RANGE 1 5)
        execute_process(COMMAND ${MPIRUN} -n ${ranks} ${ARGN} WORKING_DIRECTORY ${FOLDER}
                        RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err TIMEOUT 60)
        if(NOT result STREQUAL "SIGPIPE")
            break()
        endif()
    endforeach()
endmacro()
