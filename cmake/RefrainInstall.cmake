# What `cmake --install` leaves behind: the program refrain, the public headers, the rooms as static
# libraries, and a package:
#
#     find_package(refrain REQUIRED)
#     target_link_libraries(program PRIVATE refrain::refrain)      # the runtime
#     target_link_libraries(host PRIVATE refrain::autotrace)       # automatic tracing alone
#
# tests/install builds such a program against an installed copy.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/refrain)
get_property(room_targets GLOBAL PROPERTY REFRAIN_ROOM_TARGETS)

set_target_properties(refrain-autotrace PROPERTIES EXPORT_NAME autotrace POSITION_INDEPENDENT_CODE ON)

install(TARGETS ${room_targets} refrain refrain-autotrace EXPORT refrain-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS refrain_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT refrain-targets NAMESPACE refrain:: DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/refrain DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/refrain-config.cmake.in
                              ${PROJECT_BINARY_DIR}/refrain-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/refrain-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/refrain-config.cmake
              ${PROJECT_BINARY_DIR}/refrain-config-version.cmake DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
