# A product is a top-level folder, and a library refrain-<product> that installs alone. Inside, a room is a folder under
# src/, and a static library refrain_<room> that is not installed: tests link rooms, everybody else links products.
#
#     refrain_room(data USES base)                         in <product>/CMakeLists.txt, once per room, bottom to top;
#     refrain_library("What it is" ROOMS data)             then the library made of them;
#     refrain_parts()                                      then tests/, bench/, examples/, docs/, as far as asked for

include(GNUInstallDirs)
set(REFRAIN_BIN ${PROJECT_BINARY_DIR}/bin)  # where the commands are built

# refrain_add_products(PRODUCT...): adds the folders of those in REFRAIN_PRODUCTS, and of those that they use
# (REFRAIN_USES_<product>); of the latter the library and the commands only.
macro(refrain_add_products)
    set(refrain_selected ${REFRAIN_PRODUCTS})
    if(REFRAIN_PRODUCTS STREQUAL "all")
        set(refrain_selected ${ARGN})
    endif()
    set(refrain_needed ${refrain_selected})
    foreach(refrain_product ${refrain_selected})
        if(NOT "${ARGN}" MATCHES "(^|;)${refrain_product}(;|$)")
            message(FATAL_ERROR "REFRAIN_PRODUCTS names '${refrain_product}', but the products are: ${ARGN}")
        endif()
        list(APPEND refrain_needed ${REFRAIN_USES_${refrain_product}})
    endforeach()
    set(refrain_products "")
    foreach(refrain_product ${ARGN})
        if(refrain_product IN_LIST refrain_needed)
            list(APPEND refrain_products ${refrain_product})
            add_subdirectory(${refrain_product})
        endif()
    endforeach()
endmacro()

function(refrain_room name)
    cmake_parse_arguments(ROOM "" "" "USES" ${ARGN})
    set(source_dir ${CMAKE_CURRENT_SOURCE_DIR})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${source_dir}/src/${name}/*.cpp)
    if(sources)
        add_library(refrain_${name} STATIC ${sources})
        set(scope PUBLIC)
        target_link_libraries(refrain_${name} PRIVATE $<BUILD_INTERFACE:refrain_flags>)
        # Nobody replaces a function of a room in front of it, so that position-independent code may inline them.
        target_compile_options(refrain_${name} PRIVATE -fno-semantic-interposition)
        set_target_properties(refrain_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD ${REFRAIN_UNITY_ROOMS}
                                                         UNITY_BUILD_BATCH_SIZE 0)
    else()
        add_library(refrain_${name} INTERFACE)
        set(scope INTERFACE)
    endif()
    target_compile_features(refrain_${name} ${scope} cxx_std_20)
    target_include_directories(refrain_${name} ${scope} ${source_dir}/include ${source_dir}/src)
    target_link_libraries(refrain_${name} ${scope} Threads::Threads)
    foreach(used ${ROOM_USES})
        target_link_libraries(refrain_${name} ${scope} refrain_${used})
    endforeach()
endfunction()

# refrain_library(DESCRIPTION ROOMS ROOM...): the library of the product whose folder this is
function(refrain_library description)
    cmake_parse_arguments(LIBRARY "" "" "ROOMS" ${ARGN})
    set(target refrain-${refrain_product})
    set(objects "")
    foreach(room ${LIBRARY_ROOMS})
        get_target_property(type refrain_${room} TYPE)
        if(type STREQUAL "STATIC_LIBRARY")
            list(APPEND objects $<TARGET_OBJECTS:refrain_${room}>)
        endif()
    endforeach()
    add_library(${target} STATIC ${objects})
    add_library(refrain::${refrain_product} ALIAS ${target})
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX EXPORT_NAME ${refrain_product})
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
                                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${target} PUBLIC Threads::Threads)
    foreach(used ${REFRAIN_USES_${refrain_product}})
        target_link_libraries(${target} PUBLIC refrain-${used})
    endforeach()
    set_target_properties(${target} PROPERTIES REFRAIN_DESCRIPTION "${description}" REFRAIN_USES "${REFRAIN_USES_${refrain_product}}")
    set_property(GLOBAL APPEND PROPERTY REFRAIN_LIBRARIES ${refrain_product})
endfunction()

# refrain_command(NAME SOURCES... LINKS ...): the program refrain-NAME, which `refrain NAME` runs; `refrain` itself if
# the name is refrain.
function(refrain_command name)
    cmake_parse_arguments(COMMAND "" "" "SOURCES;LINKS" ${ARGN})
    set(program refrain-${name})
    if(name STREQUAL "refrain")
        set(program refrain)
    endif()
    add_executable(refrain_command_${name} ${COMMAND_SOURCES})
    set_target_properties(refrain_command_${name} PROPERTIES OUTPUT_NAME ${program} RUNTIME_OUTPUT_DIRECTORY ${REFRAIN_BIN})
    target_compile_definitions(refrain_command_${name} PRIVATE REFRAIN_VERSION="${PROJECT_VERSION}")
    target_link_libraries(refrain_command_${name} PRIVATE ${COMMAND_LINKS} refrain_flags)
    install(TARGETS refrain_command_${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${refrain_product})
endfunction()

# Tests, benchmarks, examples and documents of the product, as far as they are there and asked for.
macro(refrain_parts)
    set_property(DIRECTORY PROPERTY LABELS ${refrain_product})
    if(refrain_product IN_LIST refrain_selected)
        foreach(part examples tests docs bench)
            set(wanted REFRAIN_TESTS)
            if(part STREQUAL "examples")
                set(wanted REFRAIN_EXAMPLES)
            elseif(part STREQUAL "bench")
                set(wanted REFRAIN_BENCH)
            endif()
            if(${wanted} AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${part}/CMakeLists.txt)
                add_subdirectory(${part})
            endif()
        endforeach()
    endif()
endmacro()
