# check_headers: each header alone, with all warnings; not part of `all`.

file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src/*.hpp
     ${PROJECT_SOURCE_DIR}/include/refrain/*.hpp)
foreach(header ${headers})
    string(REGEX REPLACE "^(src|include)/" "" name ${header})
    string(MAKE_C_IDENTIFIER ${name} unit)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/check_headers/${unit}.cpp CONTENT "#include \"${name}\"\n")
    list(APPEND units ${PROJECT_BINARY_DIR}/check_headers/${unit}.cpp)
endforeach()

add_library(check_headers OBJECT EXCLUDE_FROM_ALL ${units})
target_link_libraries(check_headers PRIVATE refrain_flags Threads::Threads)
target_include_directories(check_headers PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
