# Tests `refrain mine` and `refrain report`: cmake -DREFRAIN=path -DFOLDER=writable -P this.

function(expect_run name code output error)
    execute_process(COMMAND ${REFRAIN} ${ARGN} INPUT_FILE ${FOLDER}/stream.txt
                    RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err)
    if(NOT result EQUAL code)
        message(SEND_ERROR "${name}: status ${result}, expected ${code}\n${out}${err}")
    endif()
    if(NOT out MATCHES "${output}")
        message(SEND_ERROR "${name}: output lacks '${output}':\n${out}")
    endif()
    if(NOT err MATCHES "${error}")
        message(SEND_ERROR "${name}: errors lack '${error}':\n${err}")
    endif()
endfunction()

file(MAKE_DIRECTORY ${FOLDER})
set(stream "")
foreach(iteration RANGE 400)
    string(APPEND stream "1\n2\n0x3\n4\n5\n6\n7\n")
endforeach()
file(WRITE ${FOLDER}/stream.txt "${stream}")
file(WRITE ${FOLDER}/malformed.txt "1\n2\nthree\n")
file(REMOVE ${FOLDER}/result.json)

expect_run("no arguments" 0 "mine +Show what automatic tracing finds" "")
expect_run("help" 0 "--min-trace-length" "" mine --help)
expect_run("standard input" 0 "coverage" "" mine)
expect_run("file" 0 "coverage" "" mine ${FOLDER}/stream.txt)
expect_run("JSON" 0 "coverage" "" mine ${FOLDER}/stream.txt --json ${FOLDER}/result.json)
expect_run("JSON to standard output" 0 "^{.*\"held_back_mean\"" "" mine --json -)
expect_run("the artifact's options" 0 "replayed" "" mine --min-trace-length 10
           --max-trace-length 100 --batchsize 1000 --multi-scale-factor 100)
expect_run("small batch" 0 "replayed" "" mine --batch-size 100)
expect_run("inline" 0 "first replay +18 .*       7 +2796 " "" mine --recogniser=inline)
expect_run("inline, JSON" 0 "^{.*\"loops\"" "" mine --recogniser=inline --json -)
expect_run("grammar" 0 "^R0 = R1.400 R2 7\nR1 = R2 7\nR2 = 1 2 3 4 5 6\n$" "" mine --grammar)
expect_run("malformed line, grammar" 2 "" "malformed.txt:3" mine --grammar ${FOLDER}/malformed.txt)
expect_run("unknown recogniser" 2 "" "--recogniser.*outline" mine --recogniser=outline)
expect_run("malformed line, inline" 2 "" "malformed.txt:3" mine --recogniser=inline
           ${FOLDER}/malformed.txt)
expect_run("malformed line" 2 "" "malformed.txt:3: 'three' is not an operation"
           mine ${FOLDER}/malformed.txt)
expect_run("missing file" 2 "" "cannot read '.*/none.txt'" mine ${FOLDER}/none.txt)
expect_run("unwritable JSON" 2 "" "option --json: cannot write" mine --json ${FOLDER}/no/such)
expect_run("page" 0 "wrote .*/stream.txt.html" "" report ${FOLDER}/stream.txt)
expect_run("page by name" 0 "wrote .*/page.html" "" report ${FOLDER}/stream.txt -o ${FOLDER}/page.html)
expect_run("page by the other recogniser" 0 "wrote" "" report --recogniser=mined ${FOLDER}/stream.txt
           -o ${FOLDER}/mined.html)
expect_run("page by no recogniser" 2 "" "--recogniser.*outline" report --recogniser=outline
           ${FOLDER}/stream.txt)
expect_run("page of nothing" 2 "" "LOG is required" report)
expect_run("page of a missing log" 2 "" "cannot read '.*/none.txt'" report ${FOLDER}/none.txt)
expect_run("unwritable page" 2 "" "option --output: cannot write" report ${FOLDER}/stream.txt -o
           ${FOLDER}/no/such)
expect_run("page of a malformed line" 2 "" "malformed.txt:3" report ${FOLDER}/malformed.txt)
expect_run("unknown option" 2 "" "--frobnicate" mine --frobnicate)
expect_run("unknown command" 2 "" "mime" mime)
expect_run("bad value" 2 "" "--min-trace-length" mine --min-trace-length five)
expect_run("values that do not fit" 2 "" "trace_length_max.* is 3, less than" mine
           --max-trace-length 3)

# Each page was made by the right recogniser.
foreach(page stream.txt page mined)
    file(READ ${FOLDER}/${page}.html text)
    set(expected true)
    if(page STREQUAL mined)
        set(expected false)
    endif()
    if(NOT text MATCHES "\"fromPrecedents\":${expected}")
        message(SEND_ERROR "${page}.html: fromPrecedents is not ${expected}")
    endif()
endforeach()

file(READ ${FOLDER}/result.json json)
string(JSON operations GET ${json} operations)
if(NOT operations EQUAL 2807)
    message(SEND_ERROR "JSON: ${operations} operations, expected 2807")
endif()
