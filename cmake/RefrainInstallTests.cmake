# refrain_install_test(PRODUCT): installs the product, with what it uses, into a folder of the build tree, and builds and
# runs the project <product>/tests/install against it, which knows nothing else of Refrain.

set(client_flags "")
if(REFRAIN_SANITIZE)
    set(client_flags "-fsanitize=${REFRAIN_SANITIZE}")
endif()
set(install_test_script ${CMAKE_CURRENT_LIST_DIR}/install_test.cmake)

# refrain_build_client(TEST SOURCE_DIR PREFIX COMMAND...): a project that finds what lies in PREFIX.
function(refrain_build_client test source prefix)
    string(MAKE_C_IDENTIFIER ${test} folder)
    add_test(NAME install.${test}
             COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${source} ${PROJECT_BINARY_DIR}/clients/${folder}
                     --build-generator ${CMAKE_GENERATOR} --build-noclean
                     --build-options -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}
                                     -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}
                                     -DCMAKE_CXX_FLAGS=${client_flags} -DCMAKE_C_FLAGS=${client_flags}
                                     -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}
                     --test-command ${ARGN})
    set_tests_properties(install.${test} PROPERTIES LABELS install TIMEOUT 600)
endfunction()

function(refrain_install_test product)
    set(prefix ${PROJECT_BINARY_DIR}/installed/${product})
    get_target_property(uses refrain-${product} REFRAIN_USES)
    list(JOIN uses "," uses)
    add_test(NAME install.${product}_can_be_installed
             COMMAND ${CMAKE_COMMAND} -DBINARY_DIR=${PROJECT_BINARY_DIR} -DPREFIX=${prefix} -DPRODUCTS=${product},${uses}
                     -P ${install_test_script})
    set_tests_properties(install.${product}_can_be_installed PROPERTIES FIXTURES_SETUP refrain_installed_${product}
                                                                        LABELS install)
    refrain_build_client(a_project_finds_${product}_builds_and_runs ${CMAKE_CURRENT_SOURCE_DIR}/install ${prefix}
                         ${CMAKE_CTEST_COMMAND} --output-on-failure)
    set_tests_properties(install.a_project_finds_${product}_builds_and_runs
                         PROPERTIES FIXTURES_REQUIRED refrain_installed_${product})
endfunction()
