# Tests runs of `refrain script` by an mpirun: cmake -DREFRAIN=path -DMPIRUN=path -DFOLDER=writable -P this.

cmake_minimum_required(VERSION 3.22)

include(${CMAKE_CURRENT_LIST_DIR}/run_by_ranks.cmake)

# By threads, and by as many ranks as `ranks_tried` says: the same status, the same lines (in any order) and the errors that
# are expected.
function(expect_same name code error)
    execute_process(COMMAND ${REFRAIN} script run ${ARGN} --no-record -n 2 WORKING_DIRECTORY ${FOLDER}
                    RESULT_VARIABLE result OUTPUT_VARIABLE by_threads ERROR_VARIABLE err)
    foreach(ranks ${ranks_tried})
        set(command ${REFRAIN} script run ${ARGN} --no-record)
        run_by_ranks(${ranks} ${command})
        if(NOT result STREQUAL code)
            message(SEND_ERROR "${name}, ${ranks} ranks: status ${result}, expected ${code}\n${out}${err}")
        endif()
        if(NOT "${out}${err}" MATCHES "${error}")
            message(SEND_ERROR "${name}, ${ranks} ranks: output lacks '${error}':\n${out}${err}")
        endif()
        if(NOT code EQUAL 0)
            continue()
        endif()
        foreach(text out by_threads)
            string(REPLACE "\n" ";" ${text}_lines "${${text}}")
            list(SORT ${text}_lines)
        endforeach()
        if(NOT out_lines STREQUAL by_threads_lines)
            message(SEND_ERROR "${name}: ${ranks} ranks print\n${out}threads print\n${by_threads}")
        endif()
    endforeach()
endfunction()

file(WRITE ${FOLDER}/work.swift [[
import files; import stats; import string; import sys; import assert;
type point { int x; string name; }
(int o) fib(int n) { if (n < 2) { o = n; } else { o = fib(n - 1) + fib(n - 2); } }
app (file o) shown(string s) { "echo" s @stdout=o }
app (file o) sorted(file i) { "sort" i @stdout=o }
int A[];
foreach i in [1:60] { A[i] = fib(i %% 11); }
trace("sum", sum(A), size(A));
int B[][];
foreach i in [0:9] { foreach j in [0:9] { B[i][j] = i * j + A[j + 1]; } }
foreach row, i in B { trace("row", i, sum(row)); }
point p; p.x = A[7]; p.name = "seven"; trace(p.name, p.x);
for (int i = 0, int s = 0; i < 20; i = i + 1, s = s + A[i + 1]) { if (i == 19) { trace("last", s); } }
foreach i in [1:4] { file f = shown("line" + i); trace(trim(read(sorted(f)))); }
]])
file(WRITE ${FOLDER}/order.swift [[
import io; import sys;
(void o) say(int i) { printf("%i", i) => o = make_void(); }
say(1) => sleep(0.001) => say(2) => sleep(0.001) => say(3);
]])
file(WRITE ${FOLDER}/fails.swift [[
import assert;
app (void o) no() { "false" }
foreach i in [1:8] { assert(i > 0, "never"); }
no();
]])
file(WRITE ${FOLDER}/waits.swift "import sys;\nint x;\nif (argc() > 5) { x = 1; }\nint y = x + 1;\ntrace(y);\n")
file(WRITE ${FOLDER}/placed.swift [[
import files; import location; import string;
app (file o) rank() { "sh" "-c" "echo $ADLB_RANK_SELF" @stdout=o }
foreach i in [0:5] {
  trace(i, i %% 2 == string2int(trim(read(@location=location_from_rank(i %% 2) rank()))));
}
trace(size(hostmapList()));
]])
file(WRITE ${FOLDER}/twice.swift [[
import sys;
int A[];
A[toint("3")] = 1;
wait (A[3]) { A[3 + argc()] = 2; }  // else either may be the first
trace(A[3]);
]])
file(WRITE ${FOLDER}/bad.swift "int x = 1;\nx = 2;\n")
set(ranks_tried 2 4)
expect_same("a script of many kinds" 0 "sum," work.swift)
set(ranks_tried 3)
expect_same("calls with locations" 0 "trace: 5,1" placed.swift)
file(WRITE ${FOLDER}/updates.swift [[
updateable_float sum = 0.0;
foreach i in [1:50] { sum <incr> := itof(i); }
wait (sum) { trace("sum", sum); }
]])
expect_same("a variable that is updated by all" 0 "sum,1275.0" updates.swift)
file(WRITE ${FOLDER}/reads.swift [[
updateable_float x = 1.0;
float y = x;
x <incr> := y;
wait (x) { trace("last", x, y); }
updateable_float failed = 0.0;
foreach i in [1:3] { failed <incr> := itof(12 %/ (i - 2)); }
wait (failed) { trace("skipped", failed); }
]])
expect_same("a variable that is read before its last update, and one whose update fails" 1 "last,2.0,1.0" reads.swift)
# A task that one input fails has asked for another one, which is never assigned, on another rank: nothing is left of that.
file(WRITE ${FOLDER}/skipped.swift [[
(int o) twice(int x) { o = x * 2; }
int none[string];
foreach i in [0:5] {
  int x;
  if (argc() > 5) { x = twice(i); }
  int y = none["k"] + x;
  trace(y);
}
]])
set(ENV{ADLB_REPORT_LEAKS} 1)
foreach(level 0 2 3)
    run_by_ranks(3 ${REFRAIN} script run skipped.swift -O${level} --no-record)
    if(NOT result EQUAL 1 OR NOT err MATCHES "has no element" OR "${out}${err}" MATCHES " DETECTED: |WAITING")
        message(SEND_ERROR "a skipped task, O${level}: status ${result}\n${out}${err}")
    endif()
endforeach()
unset(ENV{ADLB_REPORT_LEAKS})
file(WRITE ${FOLDER}/launches.swift "import launch;\ntrace(@par=2 launch(\"true\", []));\n")
expect_same("a program of MPI that a rank starts" 0 "trace: 0" launches.swift)
set(ranks_tried 4)
expect_same("output in order" 0 "1\n2\n3\n" order.swift)
expect_same("an app that fails" 1 "ended with status 1" fails.swift)
expect_same("a run that a failure stops" 1 "ended with status 1" fails.swift --failures stop)
expect_same("a second write" 1 "twice.swift:4:[0-9]+: 'A.3.' is assigned a second time .first: line 3, second: line 4"
            twice.swift)
expect_same("work that waits" 1 "never assigned" waits.swift)
expect_same("a script that is refused" 4 "bad.swift:2:1" bad.swift)
set(late "test \"$OMPI_COMM_WORLD_RANK$PMI_RANK\" != 0 || sleep 2 && exec '${REFRAIN}' script run bad.swift")
run_by_ranks(3 sh -c "${late}")
if(NOT result EQUAL 4 OR NOT err MATCHES "bad.swift:2:1")
    message(SEND_ERROR "a script that is refused, rank 0 the last to see it: status ${result}\n${out}${err}")
endif()
run_by_ranks(2 ${REFRAIN} script run order.swift -n 3)
if(NOT err MATCHES "--workers says 3, but mpirun has started 2")
    message(SEND_ERROR "another number of workers is not refused: ${err}")
endif()
# turbine behind mpirun: the last rank is a server, which calls nothing.
get_filename_component(bin ${REFRAIN} DIRECTORY)
file(WRITE ${FOLDER}/served.swift [[
import files; import string;
app (file o) rank() { "sh" "-c" "echo $ADLB_RANK_SELF" @stdout=o }
foreach i in [1:12] { trace(i, turbine_workers(), adlb_servers(), string2int(trim(read(rank()))) < 2); }
]])
execute_process(COMMAND ${bin}/stc served.swift WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE result)
run_by_ranks(3 ${bin}/turbine served.tic)
string(REGEX MATCHALL "trace: [0-9]+,2,1,1\n" lines "${out}")
list(LENGTH lines count)
if(NOT result EQUAL 0 OR NOT count EQUAL 12)
    message(SEND_ERROR "turbine behind mpirun: status ${result}\n${out}${err}")
endif()
run_by_ranks(1 ${bin}/turbine served.tic)
if(result EQUAL 0 OR NOT "${out}${err}" MATCHES "1 processes, of which 1 are servers, leave no worker")
    message(SEND_ERROR "turbine without a worker: status ${result}\n${out}${err}")
endif()
# What the first rank of a node does before and after the run; all see their rank.
if(EXISTS ${bin}/../lib/refrain/script/refrain-script-tcl.so)
    file(WRITE ${FOLDER}/hooks.swift [[
import location;
(string o) seen(string n) "turbine" "0" [ "set <<o>> $::env(ADLB_RANK_<<n>>)" ];
foreach i in [0:2] { trace(i, @location=locationFromRank(i) seen("SELF"), @location=locationFromRank(i) seen("LEADER")); }
]])
    run_by_ranks(3 ${CMAKE_COMMAND} -E env "TURBINE_LEADER_HOOK_STARTUP=puts first" "TURBINE_LEADER_HOOK_SHUTDOWN=puts last"
                 ${REFRAIN} script run hooks.swift)
    if(NOT result EQUAL 0 OR NOT out MATCHES "^first\n(trace: (0,0|1,1|2,2),0\n)+last\n$")
        message(SEND_ERROR "hooks: status ${result}\n${out}${err}")
    endif()
endif()
# Teams of all sizes at once, beside other calls: each sums its ranks and the argument by MPI.
file(WRITE ${FOLDER}/teams.swift "import string; import sys;
@par (int o) team_sum(int x) \"native:${TEAM}\" \"1\" \"team_sum\";
int most = string2int(argv(\"most\"));
int A[];
foreach i in [1:16] { A[i] = @par=(1 + i %% most) team_sum(i); }
foreach i in [1:8] { sleep(0.001) => trace(\"beside\", i); }
foreach i in [1:16] { int n = 1 + i %% most; trace(i, A[i] - n * i - (n * (n - 1)) %/ 2); }
trace(@par=(argc() - 1 + most) team_sum(-1));
")
foreach(ranks 2 4)
    run_by_ranks(${ranks} ${REFRAIN} script run teams.swift --most=${ranks} --no-record)
    string(REGEX MATCHALL "trace: ([0-9]+,0|beside,[0-9]+)\n" lines "${out}")
    list(LENGTH lines count)
    if(NOT result EQUAL 1 OR NOT count EQUAL 24 OR NOT err MATCHES "teams.swift:2:14: team_sum: negative")
        message(SEND_ERROR "teams, ${ranks} ranks: status ${result}, ${count} lines\n${out}${err}")
    endif()
endforeach()
run_by_ranks(2 ${REFRAIN} script run teams.swift --most=3 --failures stop --no-record)
if(NOT result EQUAL 1 OR NOT err MATCHES "@par is 3, and 2 ranks make such calls")
    message(SEND_ERROR "a team that is too large: status ${result}\n${out}${err}")
endif()
# Where mpirun kills the ranks, or one of them is killed, what they have started ends, too. The app of rank 1 waits until that
# of rank 0 runs.
include(${CMAKE_CURRENT_LIST_DIR}/../programs/expect_gone.cmake)
file(WRITE ${FOLDER}/killed.sh [[
echo $$ > app$1.pid
until test -e app0.pid -a -e app1.pid; do sleep 0.05; done
test $1 = 0 && case $2 in
    rank) kill -KILL $PPID ;;
    once) kill -INT $(cat mpirun.pid) ;;
    twice) kill -INT $(cat mpirun.pid); sleep 0.5; kill -INT $(cat mpirun.pid) ;;
esac
sleep 1000
]])
file(WRITE ${FOLDER}/killed.swift [[
import location; import sys;
app (void o) lasts(int i, string how) { "sh" "killed.sh" i how }
foreach i in [0:1] { @location=location_from_rank(i) lasts(i, argv("how")); }
]])
set(interrupts twice)
if(MPIRUN MATCHES openmpi)
    set(interrupts once)  # MPICH's lets ranks end what they do
endif()
foreach(how rank ${interrupts})
    file(REMOVE ${FOLDER}/app0.pid ${FOLDER}/app1.pid)
    execute_process(COMMAND sh -c "echo $$ > mpirun.pid; exec '${MPIRUN}' -n 2 '${REFRAIN}' script run killed.swift --how=${how}"
                    WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err TIMEOUT 60)
    foreach(i 0 1)
        expect_gone("ranks that are killed (${how}), app ${i}" ${FOLDER}/app${i}.pid)
    endforeach()
endforeach()
