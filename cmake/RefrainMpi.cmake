# refrain_mpis_that_run(RESULT): which of openmpi and mpich start two ranks that find each other. Tests of the others are
# left out, with a message: MPICH 4.2.0 of Ubuntu 24.04 starts two programs of one rank each.

function(refrain_mpis_that_run result)
    if(NOT DEFINED REFRAIN_MPIS_THAT_RUN)
        set(found "")
        foreach(mpi openmpi mpich)
            find_program(REFRAIN_MPICC_${mpi} mpicc.${mpi})
            find_program(REFRAIN_MPIRUN_${mpi} mpirun.${mpi})
            if(NOT REFRAIN_MPICC_${mpi} OR NOT REFRAIN_MPIRUN_${mpi})
                continue()
            endif()
            refrain_try_mpi(${mpi} complaint)
            if(complaint)
                message(STATUS "${REFRAIN_MPIRUN_${mpi}} does not work, and no test uses it: ${complaint} "
                               "(it is tried again with cmake -U REFRAIN_MPIS_THAT_RUN)")
            else()
                list(APPEND found ${mpi})
            endif()
        endforeach()
        set(REFRAIN_MPIS_THAT_RUN "${found}" CACHE STRING "The MPIs that tests use")
        mark_as_advanced(REFRAIN_MPIS_THAT_RUN)
    endif()
    set(${result} "${REFRAIN_MPIS_THAT_RUN}" PARENT_SCOPE)
endfunction()

# Empty if two ranks of this MPI find each other.
function(refrain_try_mpi mpi result)
    set(program ${PROJECT_BINARY_DIR}/CMakeFiles/try_${mpi})
    file(WRITE ${program}.c "#include <mpi.h>\n#include <stdio.h>\nint main(int count, char** words) {\n    int ranks;\n"
                            "    MPI_Init(&count, &words);\n    MPI_Comm_size(MPI_COMM_WORLD, &ranks);\n"
                            "    printf(\"ranks=%d;\", ranks);\n    return MPI_Finalize();\n}\n")
    execute_process(COMMAND ${REFRAIN_MPICC_${mpi}} -o ${program} ${program}.c RESULT_VARIABLE status ERROR_VARIABLE error)
    if(NOT status EQUAL 0)
        set(${result} "it compiles no program: ${error}" PARENT_SCOPE)
        return()
    endif()
    execute_process(COMMAND ${CMAKE_COMMAND} -E env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
                            OMPI_MCA_rmaps_base_oversubscribe=1 ${REFRAIN_MPIRUN_${mpi}} -n 2 ${program}
                    RESULT_VARIABLE status OUTPUT_VARIABLE told ERROR_VARIABLE error TIMEOUT 60)
    if(NOT status EQUAL 0)
        set(${result} "two ranks end with '${status}': ${error}" PARENT_SCOPE)
    elseif(NOT told MATCHES "ranks=2")
        set(${result} "it starts two programs of one rank each (rebuild the package, or install another)" PARENT_SCOPE)
    else()
        set(${result} "" PARENT_SCOPE)
    endif()
endfunction()
