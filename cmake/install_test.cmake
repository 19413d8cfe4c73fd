# Installs PRODUCTS (with commas between them) from the build tree BINARY_DIR into an empty PREFIX: what an earlier run left
# there must not help.
file(REMOVE_RECURSE ${PREFIX})
string(REPLACE "," ";" products ${PRODUCTS})
foreach(product ${products})
    execute_process(COMMAND ${CMAKE_COMMAND} --install ${BINARY_DIR} --prefix ${PREFIX} --component ${product}
                    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
