# Random programs by an mpirun print what the interpreter prints: cmake -DREFRAIN=path -DWRITE=script_random_scripts
# -DMPIRUN=path -DFOLDER=writable -P this. Another batch: REFRAIN_SCRIPT_SEED=first REFRAIN_SCRIPT_PROGRAMS=count.

cmake_minimum_required(VERSION 3.22)
file(MAKE_DIRECTORY ${FOLDER})
set(ENV{OMPI_ALLOW_RUN_AS_ROOT} 1)  # containers run tests as root
set(ENV{OMPI_ALLOW_RUN_AS_ROOT_CONFIRM} 1)
set(ENV{OMPI_MCA_rmaps_base_oversubscribe} 1)
set(ENV{UCX_LOG_LEVEL} fatal)  # where /sys is missing, it says so on the output
set(ENV{ADLB_REPORT_LEAKS} 1)
set(first 1)
set(count 100)
if(DEFINED ENV{REFRAIN_SCRIPT_SEED})
    set(first $ENV{REFRAIN_SCRIPT_SEED})
endif()
if(DEFINED ENV{REFRAIN_SCRIPT_PROGRAMS})
    set(count $ENV{REFRAIN_SCRIPT_PROGRAMS})
endif()
execute_process(COMMAND ${WRITE} ${FOLDER} ${first} ${count} RESULT_VARIABLE result ERROR_VARIABLE err)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "no programs: ${result}\n${err}")
endif()
# How the run of a batch ends: a failure that nobody needs may go with dead code.
set(status_well 0)
set(status_failing "[01]")
foreach(run well/0 well/3 failing/3)
    get_filename_component(batch ${run} DIRECTORY)
    get_filename_component(level ${run} NAME)
    execute_process(COMMAND ${MPIRUN} -n 2 ${REFRAIN} script run ${batch}.swift -O${level} --no-record
                    WORKING_DIRECTORY ${FOLDER}
                    RESULT_VARIABLE result OUTPUT_FILE ${FOLDER}/${batch}.out ERROR_VARIABLE err TIMEOUT 60)
    foreach(text out lines)
        file(STRINGS ${FOLDER}/${batch}.${text} ${text})
        list(SORT ${text})
    endforeach()
    if(NOT out STREQUAL lines)
        message(SEND_ERROR "${FOLDER}/${batch}.swift, O${level}: other lines than the interpreter's\n${out}\n${err}")
    endif()
    if(NOT result MATCHES "^${status_${batch}}$" OR (batch STREQUAL "well" AND err MATCHES " DETECTED: "))
        message(SEND_ERROR "${FOLDER}/${batch}.swift, O${level}: status ${result}\n${err}")
    endif()
endforeach()
