# refrain_embed(TARGET HEADER NAMESPACE FILE...): makes text files part of a target. The file web/page.css becomes
#
#     extern const std::string_view page_css;
#
# in NAMESPACE; HEADER declares it. A file that changes is embedded again by the next build. This file is also the script that
# writes the C++ source: cmake -DOUTPUT=... -DHEADER=... -DNAMESPACE=... -DFILES=... -P RefrainEmbed.cmake

if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(REFRAIN_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

    function(refrain_embed target header namespace)
        set(files "")
        foreach(file ${ARGN})
            get_filename_component(path ${file} ABSOLUTE)
            list(APPEND files ${path})
        endforeach()
        set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded/${target}_files.cpp)
        add_custom_command(
            OUTPUT ${output}
            COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DHEADER=${header} -DNAMESPACE=${namespace} "-DFILES=${files}"
                    -P ${REFRAIN_EMBED_SCRIPT}
            DEPENDS ${files} ${REFRAIN_EMBED_SCRIPT}
            COMMENT "Embedding the files of ${target}"
            VERBATIM)
        target_sources(${target} PRIVATE ${output})
        add_custom_target(${target}_embedded DEPENDS ${output})
        add_dependencies(generated_sources ${target}_embedded)
    endfunction()
    return()
endif()

# An array of characters, not a string literal: no compiler limits its length, and nothing needs escaping.
set(source "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n")
foreach(file ${FILES})
    get_filename_component(name ${file} NAME)
    string(MAKE_C_IDENTIFIER ${name} name)
    file(READ ${file} bytes HEX)
    if(bytes STREQUAL "")
        message(FATAL_ERROR "${file} is empty")
    endif()
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND source "\nstatic constexpr char ${name}_bytes[] = {${bytes}};\n"
                         "const std::string_view ${name}(${name}_bytes, sizeof ${name}_bytes);\n")
endforeach()
file(WRITE ${OUTPUT} "${source}\n}  // namespace ${NAMESPACE}\n")
