# Installs what was built into a folder of the build tree, and builds and runs the project beside this file against it.

set(prefix ${PROJECT_BINARY_DIR}/installed)
set(client_flags "")
if(REFRAIN_SANITIZE)
    set(client_flags "-fsanitize=${REFRAIN_SANITIZE}")
endif()

add_test(NAME install.the_build_can_be_installed
         COMMAND ${CMAKE_COMMAND} -DBINARY_DIR=${PROJECT_BINARY_DIR} -DPREFIX=${prefix}
                 -P ${CMAKE_CURRENT_LIST_DIR}/install.cmake)
set_tests_properties(install.the_build_can_be_installed PROPERTIES FIXTURES_SETUP refrain_installed LABELS install)

add_test(NAME install.a_separate_project_finds_builds_and_runs
         COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${CMAKE_CURRENT_LIST_DIR} ${PROJECT_BINARY_DIR}/install_client
                 --build-generator ${CMAKE_GENERATOR} --build-noclean
                 --build-options -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
                                 -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}
                                 -DCMAKE_CXX_FLAGS=${client_flags} -DCMAKE_C_FLAGS=${client_flags}
                                 -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}
                 --test-command ${CMAKE_CTEST_COMMAND} --output-on-failure)
set_tests_properties(install.a_separate_project_finds_builds_and_runs
                     PROPERTIES FIXTURES_REQUIRED refrain_installed LABELS install TIMEOUT 600)
