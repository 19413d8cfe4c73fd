# Tests `refrain script` with both examples: cmake -DREFRAIN=path -DROOT=path -DENSEMBLE=folder -DFOLDER=writable -P this.

function(expect_run name code output error)
    expect_program("${name}" ${code} "${output}" "${error}" ${REFRAIN} script ${ARGN})
    set(out "${out}" PARENT_SCOPE)
    set(err "${err}" PARENT_SCOPE)
endfunction()

function(expect_program name code output error)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${FOLDER}
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
    set(out "${out}" PARENT_SCOPE)
    set(err "${err}" PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY ${FOLDER}/tree)
file(WRITE ${FOLDER}/tree/a.cpp "one\ntwo\nthree\n")
file(WRITE ${FOLDER}/tree/b.hpp "one\n")
file(WRITE ${FOLDER}/hello.swift "import sys;\ntrace(\"hello\", argv(\"name\", \"you\"));\n")
file(WRITE ${FOLDER}/bad.swift "int x = 1;\nx = 2;\n")
file(WRITE ${FOLDER}/syntax.swift "int x = ;\n")
file(WRITE ${FOLDER}/fails.swift "app (void o) no() { \"false\" }\nno();\n")
file(REMOVE ${FOLDER}/run.html)

expect_run("hello" 0 "^trace: hello,you\n$" "" run hello.swift)
expect_run("engines in processes" 0 "^trace: hello,you\n$" "" run hello.swift -n 2 --processes)
expect_run("an argument of the script" 0 "^trace: hello,me\n$" "" run hello.swift --name=me)
expect_run("an argument behind --" 0 "^trace: hello,me\n$" "" run hello.swift -- --name=me)
expect_run("an option that is nearly one of ours" 0 "" "WARN '--work=3' goes to the script" run hello.swift --work=3)
expect_run("a misspelled option" 0 "" "WARN '--retires=3' goes to the script; did you mean --retries" run hello.swift --retires=3)
expect_run("an argument of the script that is like an option" 0 "" "^$" run hello.swift --case=3)
expect_run("a trace" 0 "" "wrote trace.json" run hello.swift --trace trace.json --force)
expect_run("a script that is refused" 4 "" "bad.swift:2:1: 'x' is assigned a second time.*bad.swift:1:5" run bad.swift)
expect_run("a syntax error" 3 "" "syntax.swift:1:9: expected an expression" check syntax.swift)
expect_run("messages for editors" 4 "^{\"messages\":.{\"file\":\"bad.swift\",\"line\":2,\"column\":1,\"endColumn\":2,\"severity\":\"error\".*\"line\":1,\"column\":5" "^$" check bad.swift --json)
expect_run("nothing for editors" 0 "^{\"messages\":..}\n$" "^$" check hello.swift --json)
expect_run("messages for editors and for people" 2 "^$" "--json prints nothing else" check hello.swift --json --code)
expect_run("a folder" 2 "" "cannot read the script '.': it is a folder" check .)
expect_run("an app that fails" 1 "" "error: fails.swift:1.*ended with status 1.*command: false" run fails.swift)
expect_run("a missing script" 2 "" "cannot read the script 'none.swift'" run none.swift)
expect_run("intermediate code" 0 "function main" "" check hello.swift --code)
expect_run("a graph" 0 "^digraph \"hello.swift\" {" "^$" graph hello.swift)
expect_run("a graph as a page" 0 "^$" "^wrote hello.html" graph hello.swift -o hello.html --force)
expect_run("the graph of a run" 0 "^digraph .*trace.nhello.swift:2.n[0-9]" "^trace: hello,me\n$"
           graph hello.swift --run --name=me)
expect_run("the graph of a run that fails" 1 "color=red" "ended with status 1" graph fails.swift --run)
expect_run("a graph of another kind" 2 "" "takes FILE.html, FILE.svg or FILE.dot, not 'x.png'" graph hello.swift -o x.png)
find_program(dot dot)
if(dot)
    expect_run("a graph as SVG" 0 "^$" "^wrote hello.svg" graph hello.swift -o hello.svg --force)
    file(READ ${FOLDER}/hello.svg svg)
    if(NOT svg MATCHES "<svg.*trace")
        message(SEND_ERROR "no SVG was written: ${svg}")
    endif()
else()
    expect_run("SVG without dot" 2 "" "install the package graphviz" graph hello.swift -o hello.svg --force)
endif()
expect_run("the sources of a tree" 0 "2 files, 4 lines; the longest:\n *3 a.cpp" ""
           run ${ROOT}/script/examples/sources/sources.swift -n 2 --root=tree)
expect_run("the ensemble" 0 "parameter 1\n  j=1 not promising\n.*j=4 model=3: -0.855342" "wrote run.html"
           run ${ENSEMBLE}/ensemble.swift -n 2 --report run.html)
set(by_threads "${out}")
expect_run("the ensemble, by the interpreter" 0 "" "" run ${ENSEMBLE}/ensemble.swift --sequential)
if(NOT out STREQUAL by_threads)
    message(SEND_ERROR "threads and interpreter print different results:\n${by_threads}\n${out}")
endif()
expect_run("the ensemble, compiled" 0 "" "wrote ensemble.tic" compile ${ENSEMBLE}/ensemble.swift -o ensemble.tic)
expect_run("the compiled ensemble" 0 "" "" run ensemble.tic)
if(NOT out STREQUAL by_threads)
    message(SEND_ERROR "the compiled ensemble prints different results:\n${by_threads}\n${out}")
endif()
expect_run("explain" 0 "hello.swift:2: trace.*\n    [0-9] tasks? at O0" "" explain hello.swift)
file(READ ${FOLDER}/run.html page)
if(NOT page MATCHES "\"function\":\"simulate\"")
    message(SEND_ERROR "the report does not name simulate")
endif()

# ---- records, kept results, resumed runs
file(REMOVE_RECURSE ${FOLDER}/.refrain ${FOLDER}/kept ${FOLDER}/ready ${FOLDER}/ran.txt ${FOLDER}/made.txt)
file(WRITE ${FOLDER}/resumed.swift "app (file o) made() { \"sh\" \"-c\" \"echo x >> ran.txt; cat ran.txt\" @stdout=o }\n"
     "app (void o) last(file i) { \"test\" \"-e\" \"ready\" }\nfile f<\"made.txt\"> = made();\nlast(f);\n")
expect_run("a dry run" 0 "sh -c .* >made.txt\ntest -e ready\n" "" run resumed.swift --dry-run)
expect_run("a run to be resumed" 1 "" "recorded in .refrain/runs/.*--resume" run resumed.swift)
file(WRITE ${FOLDER}/ready "")
expect_run("a resumed run" 0 "" "" run resumed.swift --resume)
file(READ ${FOLDER}/ran.txt ran)
if(NOT ran STREQUAL "x\n")
    message(SEND_ERROR "a resumed run repeats what has ended: ${ran}")
endif()
expect_run("log" 0 "made +1 +1 +0.*failed.*last.*app 'last' ended with status 1" "" log)
expect_run("log --state" 0 "cached +[0-9.]+ s +resumed.swift:1" "" log --state cached)
expect_run("log --list" 0 "resumed.swift: 4 tasks, ended well" "" log --list)
expect_run("a cache is filled" 0 "" "" run resumed.swift --cache kept --no-record)
expect_run("a cache is used" 0 "" "" run resumed.swift --cache kept)
expect_run("log --why-ran" 0 "it did not run: its result is known" "" log --why-ran)
expect_run("a wrap with an open quote" 2 "" "--wrap: 'nice '{cmd}' leaves a quote open" run hello.swift --wrap "nice '{cmd}")
expect_run("a wrap without a command" 2 "" "--wrap takes a text with {cmd} in it, not 'nice'" run hello.swift --wrap nice)
expect_program("output on a full disk" 2 "" "refrain script: not all of the output could be written"
               sh -c "'${REFRAIN}' script run hello.swift > /dev/full")
expect_run("a policy that there is not" 2 "" "failures" run hello.swift --failures=none)

# ---- apps that make what they cannot, and say too much
file(WRITE ${FOLDER}/odd.swift
     "app (file o) one() { \"echo\" \"one\" @stdout=o }\n"
     "app (void o) says(int i) { \"sh\" \"-c\" \"head -c 100000 /dev/zero | tr '\\\\0' x >&2; exit 3\" }\n"
     "file a<\"/proc/none/a\"> = one();\nfile b<\"\"> = one();\nforeach i in [1:3] { says(i); }\n")
expect_run("odd apps" 1 "^$" "one: a file that it makes is mapped to an empty name" run odd.swift --no-record)
if(NOT err MATCHES "one: cannot make the folder '/proc/none': No such file" OR NOT err MATCHES "xxx [.][.][.]\n  .3 tasks")
    message(SEND_ERROR "odd apps: ${err}")
endif()
string(LENGTH "${err}" length)
if(length GREATER 5000)
    message(SEND_ERROR "odd apps: a message of ${length} characters")
endif()

# ---- interrupts: the second one kills what runs, which would never end
file(WRITE ${FOLDER}/interrupts.swift
     "app (void o) interrupts() { \"sh\" \"-c\" \"while :; do kill -INT $PPID; sleep 0.05; done\" }\n"
     "app (void o) later() { \"touch\" \"later\" }\ninterrupts() => later();\n")
file(REMOVE ${FOLDER}/later ${FOLDER}/interrupts.dot)
expect_run("two interrupts" 130 "" "interrupt again to kill it.*killed.*did not end: interrupts.swift:1" run interrupts.swift)
expect_run("two interrupts while a run is drawn" 130 "" "killed.*wrote interrupts.dot"
           graph interrupts.swift --run -o interrupts.dot)
if(EXISTS ${FOLDER}/later)
    message(SEND_ERROR "what had not begun when the run was interrupted has run")
endif()
file(READ ${FOLDER}/interrupts.dot drawn)
if(NOT drawn MATCHES "interrupts.swift:1")
    message(SEND_ERROR "graph --run does not draw what ran before the interrupt:\n${drawn}")
endif()

# ---- the run is killed: what it has started is, too
include(${CMAKE_CURRENT_LIST_DIR}/../programs/expect_gone.cmake)
file(WRITE ${FOLDER}/killed.swift
     "app (void o) kills() { \"sh\" \"-c\" \"trap '' TERM; echo $$ > app.pid; sleep 1000 & echo $! > its.pid; kill -KILL $PPID; wait; sleep 1000\" }\nkills();\n")
foreach(way "" --processes)
    file(REMOVE ${FOLDER}/app.pid ${FOLDER}/its.pid)
    execute_process(COMMAND ${REFRAIN} script run killed.swift ${way} WORKING_DIRECTORY ${FOLDER}
                    RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET TIMEOUT 30)
    expect_gone("a run that is killed, ${way}" ${FOLDER}/app.pid)
    expect_gone("a run that is killed, a child of its app, ${way}" ${FOLDER}/its.pid)
endforeach()

# Each step kills the run once, when it has made its output: it runs again, and no other does. The record is torn, too.
file(REMOVE_RECURSE ${FOLDER}/.refrain ${FOLDER}/steps ${FOLDER}/dead1 ${FOLDER}/dead2 ${FOLDER}/dead3 ${FOLDER}/dead4)
file(WRITE ${FOLDER}/first.txt "begun\n")
file(WRITE ${FOLDER}/resumes.swift "import files;\napp (file o) step(file i, int n) {\n"
     "  \"sh\" \"-c\" \"echo $2 >> steps; cat $0 > $1; echo $2 >> $1; mkdir dead$2 2> none && kill -KILL $PPID; true\" i o n\n}\n"
     "file a<\"a.txt\"> = step(input(\"first.txt\"), 1);\nfile b = step(a, 2);\n"
     "file c<\"c.txt\"> = step(b, 3);\nfile d<\"d.txt\"> = step(c, 4);\n")
foreach(again "" --resume --resume --resume)
    execute_process(COMMAND ${REFRAIN} script run resumes.swift ${again} WORKING_DIRECTORY ${FOLDER}
                    RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET TIMEOUT 60)
endforeach()
file(GLOB torn ${FOLDER}/.refrain/runs/*/results.log)
file(APPEND ${torn} "torn")
expect_run("a run that was killed four times" 0 "^$" "was torn: 4 bytes were cut" run resumes.swift --resume)
file(READ ${FOLDER}/steps steps)
file(READ ${FOLDER}/d.txt made)
if(NOT steps STREQUAL "1\n1\n2\n2\n3\n3\n4\n4\n" OR NOT made STREQUAL "begun\n1\n2\n3\n4\n")
    message(SEND_ERROR "a run that was killed four times: ${steps}${made}")
endif()

# ---- under mpirun
expect_program("--processes under mpirun" 2 "" "--processes is for one process, and mpirun has started 2"
               ${CMAKE_COMMAND} -E env OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2
               ${REFRAIN} script run hello.swift --processes)

# ---- compiled scripts, and the names of the original
get_filename_component(bin ${REFRAIN} DIRECTORY)
file(REMOVE ${FOLDER}/ranks.log ${FOLDER}/hello.tic ${FOLDER}/bad.tic ${FOLDER}/kept.tic ${FOLDER}/out-0.txt)
file(WRITE ${FOLDER}/fails.swift "app (void o) no() { \"false\" }\nno();\n")
file(WRITE ${FOLDER}/ranks.swift "trace(turbine_workers(), adlb_servers());\n# a comment\n")
file(WRITE ${FOLDER}/waits.swift "int x;\nif (1 == 2) { x = 1; }\ntrace(x);\n")
file(WRITE ${FOLDER}/old.tic "package require turbine\n")
expect_run("compile" 0 "" "wrote hello.tic" compile hello.swift)
expect_run("a compiled script" 0 "^trace: hello,me\n$" "" run hello.tic --name=me)
expect_run("a compiled script does not replace a script" 2 "" "cannot write .bad.swift." compile hello.swift -o bad.swift)
expect_program("stc" 0 "" "" ${bin}/stc -O 3 -A name=you hello.swift kept.tic)
expect_program("turbine" 0 "^.0. trace: hello,you\n$" "" ${bin}/turbine -l -n 2 kept.tic)
expect_program("an argument given again" 1 "Swift: the argument --name=me was given" "" ${bin}/turbine kept.tic --name=me)
expect_program("stc, a syntax error" 3 "" "syntax.swift:1:9: expected an expression" ${bin}/stc syntax.swift)
expect_program("stc, a second assignment" 4 "" "bad.swift:2:1" ${bin}/stc bad.swift)
if(EXISTS ${FOLDER}/bad.tic)
    message(SEND_ERROR "stc leaves a file at an error")
endif()
expect_program("stc, no file" 2 "" "not readable: none.swift" ${bin}/stc none.swift)
expect_program("stc, an unknown pass" 5 "" "Invalid compiler option none" ${bin}/stc -f none hello.swift)
expect_program("stc, an unknown option" 6 "" "invalid option: -z" ${bin}/stc -z hello.swift)
file(WRITE ${FOLDER}/macros.swift "#define SAY(x) trace(x)\n#ifdef DEEP\nSAY(DEEP);\n#endif\n")
expect_program("stc -E" 0 "^\n\ntrace.7.;\n" "" ${bin}/stc -D DEEP=7 -E macros.swift)
expect_program("stc -D" 0 "" "" ${bin}/stc -D DEEP=7 macros.swift)
expect_program("macros" 0 "^trace: 7\n$" "" ${bin}/turbine macros.tic)
expect_program("stc -p -C" 0 "" "" ${bin}/stc -p -C ranks.ic ranks.swift)
file(READ ${FOLDER}/ranks.ic code)
if(NOT code MATCHES "function main")
    message(SEND_ERROR "stc -C writes no intermediate code:\n${code}")
endif()
expect_program("servers are counted" 0 "^trace: 3,2\nADLB Total Elapsed Time: [0-9.]+\n$" ""
               ${CMAKE_COMMAND} -E env ADLB_SERVERS=2 ADLB_PRINT_TIME=1 ${bin}/turbine -n 5 ranks.tic)
expect_program("a file per rank" 0 "^$" "" ${bin}/turbine -e TURBINE_STDOUT=out-@r.txt -n 2 ranks.tic)
file(READ ${FOLDER}/out-0.txt printed)
if(NOT printed STREQUAL "trace: 1,1\n")
    message(SEND_ERROR "TURBINE_STDOUT is not heeded: ${printed}")
endif()
foreach(option -c -C)
    expect_program("turbine ${option}" 1 "^$" "there is no file of settings" ${bin}/turbine ${option})
endforeach()
foreach(setting FLUSH=no_flush FLUSH=always_flush INDEX_MAX=1048576)
    expect_program("TURBINE_XPT_${setting}" 0 "^trace: 1\n$" "^$"
                   ${CMAKE_COMMAND} -E env TURBINE_XPT_${setting} ${bin}/swift-t -E "trace(1)\;")
endforeach()
expect_program("no way to flush" 1 "^$" "TURBINE_XPT_FLUSH is no_flush, periodic_flush or always_flush, not 'often'"
               ${CMAKE_COMMAND} -E env TURBINE_XPT_FLUSH=often ${bin}/swift-t -E "trace(1)\;")
foreach(size big 1k -1)
    expect_program("the size of an index: '${size}'" 1 "^$" "TURBINE_XPT_INDEX_MAX is no number: '${size}'"
                   ${CMAKE_COMMAND} -E env TURBINE_XPT_INDEX_MAX=${size} ${bin}/swift-t -E "trace(1)\;")
endforeach()
expect_program("no worker left" 1 "" "leave no worker" ${bin}/turbine -n 1 ranks.tic)
expect_program("turbine, a script" 1 "" "Given a Swift script: ranks.swift" ${bin}/turbine ranks.swift)
expect_program("turbine, of the original" 1 "" "was not compiled by Refrain" ${bin}/turbine old.tic)
expect_program("swift-t" 0 "^trace: hello,me\n$" "" ${bin}/swift-t -n 3 hello.swift --name=me)
expect_program("swift-t -E" 0 "^.0. trace: 3\n$" "" ${bin}/swift-t -t l -i math -E "trace(1 + 2)\;")
expect_program("swift-t, a failure" 1 "Swift: fails.swift:1.*ended with status 1" "" ${bin}/swift-t fails.swift)
expect_program("swift-t, waiting work" 1 "WAITING WORK: 1\n" "" ${bin}/swift-t -O0 waits.swift)
expect_program("what is left" 1 "UNSET VARIABLE DETECTED: <d0.[0-9]+>:x\n" ""
               ${CMAKE_COMMAND} -E env ADLB_REPORT_LEAKS=1 ${bin}/swift-t -O0 waits.swift)
expect_program("counters, behind a delayed app" 0 "COUNTER: Task=[1-9][0-9]*\nCOUNTER: Create=.*COUNTER: RefCount=" ""
               ${CMAKE_COMMAND} -E env ADLB_PERF_COUNTERS=1 TURBINE_APP_DELAY=0.001 ${bin}/swift-t -O0 -E
               "app (void o) yes() { \"true\" } yes() => trace(argv_contains(\"x\"))\;" -i sys)
expect_program("a log by ranks in a file" 0 "^hi\ntrace: 1\n$" "^$"
               ${CMAKE_COMMAND} -E env TURBINE_LOG=1 TURBINE_LOG_FILE=ranks.log TURBINE_LOG_RANKS=1 ${bin}/swift-t -E
               "app (void o) hi() { \"echo\" \"hi\" } hi() => trace(1)\;")
file(READ ${FOLDER}/ranks.log logged)
if(NOT logged MATCHES "^.0.shell: echo hi\n$")
    message(SEND_ERROR "TURBINE_LOG_FILE and TURBINE_LOG_RANKS are not heeded: ${logged}")
endif()
expect_program("a variable that is passed on" 0 "^trace: 1\n$" "" ${bin}/swift-t -e HOME -E "trace(1)\;")
expect_program("stc -E into a file" 0 "^$" "" ${bin}/stc -D DEEP=7 -E -o macros.txt macros.swift)
file(READ ${FOLDER}/macros.txt made)
if(NOT made MATCHES "trace.7.;")
    message(SEND_ERROR "stc -E -o writes: ${made}")
endif()
file(WRITE ${FOLDER}/ranks.v2 "trace(2);\n")
expect_program("stc, a script of another kind" 0 "" "" ${bin}/stc ranks.v2)
expect_program("its compiled script" 0 "^trace: 2\n$" "" ${bin}/turbine ranks.v2.tic)
expect_program("the log" 0 "^shell: echo hi\n" "" ${CMAKE_COMMAND} -E env TURBINE_LOG=1 ${bin}/swift-t -E
               "app (void o) hi() { \"echo\" \"hi\" } hi() => trace(1)\;")
foreach(variable TURBINE_APP_DELAY TURBINE_APP_BACKOFF)
    expect_program("${variable} in words" 1 "" "${variable} is no number: 'abc'" ${CMAKE_COMMAND} -E env ${variable}=abc
                   ${bin}/swift-t -E "trace(1)\;")
    expect_program("${variable} for others" 0 "^trace: hello,you\n$" "" ${CMAKE_COMMAND} -E env ${variable}=abc
                   ${REFRAIN} script run hello.swift)
endforeach()
expect_program("swift-t, a refusal" 4 "" "bad.swift:2:1" ${bin}/swift-t bad.swift)
file(REMOVE ${FOLDER}/a.xpt)
file(WRITE ${FOLDER}/xpt.swift "@checkpoint app (void o) once(int i) { \"echo\" \"called\" i }\nonce(1) => trace(\"over\");\n")
foreach(time first second)
    expect_program("checkpoints, the ${time} run" 0 "called 1\ntrace: over\n$" "^$"
                   ${CMAKE_COMMAND} -E env TURBINE_XPT_FILE=a.xpt ${bin}/swift-t xpt.swift)
    if(time STREQUAL first)
        file(REMOVE ${FOLDER}/b.xpt)
        file(RENAME ${FOLDER}/a.xpt ${FOLDER}/b.xpt)
    endif()
endforeach()
expect_program("a checkpoint is reloaded, and not called" 0 "^trace: over\n$" "^$"
               ${CMAKE_COMMAND} -E env TURBINE_XPT_RELOAD=b.xpt:a.xpt ${bin}/swift-t xpt.swift)
expect_program("a checkpoint that is not there" 1 "Swift: there is no checkpoint file 'none.xpt'" "^$"
               ${CMAKE_COMMAND} -E env TURBINE_XPT_RELOAD=none.xpt ${bin}/swift-t xpt.swift)
# As on a full disk: files may not become longer than a few blocks, of 512 or 1,024 bytes.
file(WRITE ${FOLDER}/full.swift "@checkpoint app (void o) once(int i) { \"true\" i }\nforeach i in [1:40] { once(i); }\n")
expect_program("checkpoints on a full disk" 0 "^$" "WARN a checkpoint is not written: cannot write 'full.xpt': File too large"
               sh -c "trap '' XFSZ && rm -f full.xpt && ${bin}/stc full.swift && ulimit -f 2 && TURBINE_XPT_FILE=full.xpt ${bin}/turbine full.tic")
