# What `cmake --install` leaves behind for each product: the library refrain-<product>, its headers, its commands, and
# two descriptions of it, for CMake and for pkg-config:
#
#     find_package(refrain REQUIRED)                               # all that is installed
#     target_link_libraries(program PRIVATE refrain::refrain)      # the runtime
#     target_link_libraries(host PRIVATE refrain::autotrace)       # automatic tracing alone
#
#     find_package(refrain-autotrace REQUIRED)                     # one product, and what it uses
#
#     c++ program.cpp $(pkg-config --cflags --libs refrain-runtime)
#
# <product>/tests/install builds such programs against an installed copy.

include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY REFRAIN_LIBRARIES)

function(refrain_install_library product)
    set(target refrain-${product})
    set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/${target})
    get_target_property(description ${target} REFRAIN_DESCRIPTION)
    get_target_property(uses ${target} REFRAIN_USES)
    install(TARGETS ${target} EXPORT ${target}-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${product})
    install(EXPORT ${target}-targets NAMESPACE refrain:: DESTINATION ${package_dir} COMPONENT ${product})
    if(EXISTS ${PROJECT_SOURCE_DIR}/${product}/include)
        install(DIRECTORY ${PROJECT_SOURCE_DIR}/${product}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
                COMPONENT ${product} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
    endif()
    set(find_used "")
    set(requires "")
    foreach(used ${uses})
        string(APPEND find_used "find_dependency(refrain-${used})\n")
        list(APPEND requires refrain-${used})
    endforeach()
    list(JOIN requires ", " requires)
    get_target_property(libs ${target} REFRAIN_LIBS)
    if(libs)
        set(libs " ${libs}")
    else()
        set(libs "")
    endif()
    configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/product-config.cmake.in
                                  ${PROJECT_BINARY_DIR}/${target}-config.cmake INSTALL_DESTINATION ${package_dir})
    write_basic_package_version_file(${PROJECT_BINARY_DIR}/${target}-config-version.cmake COMPATIBILITY SameMinorVersion)
    install(FILES ${PROJECT_BINARY_DIR}/${target}-config.cmake ${PROJECT_BINARY_DIR}/${target}-config-version.cmake
            DESTINATION ${package_dir} COMPONENT ${product})
    # The folder is given relative to the file itself, so that an installed copy can be moved.
    file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/product.pc.in ${PROJECT_BINARY_DIR}/${target}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${target}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${product})
endfunction()

if(PROJECT_IS_TOP_LEVEL)
    foreach(product ${libraries})
        refrain_install_library(${product})
    endforeach()
    set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/refrain)
    configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/refrain-config.cmake.in
                                  ${PROJECT_BINARY_DIR}/refrain-config.cmake INSTALL_DESTINATION ${package_dir})
    write_basic_package_version_file(${PROJECT_BINARY_DIR}/refrain-config-version.cmake COMPATIBILITY SameMinorVersion)
    install(FILES ${PROJECT_BINARY_DIR}/refrain-config.cmake ${PROJECT_BINARY_DIR}/refrain-config-version.cmake
            DESTINATION ${package_dir} COMPONENT common)
    install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT common)
endif()
