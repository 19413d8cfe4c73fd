# Installs the build tree BINARY_DIR into an empty PREFIX: what an earlier run left there must not help.
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BINARY_DIR} --prefix ${PREFIX} COMMAND_ERROR_IS_FATAL ANY)
