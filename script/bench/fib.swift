// Divide and conquer: the task graph of a recursive Fibonacci number, with a leaf in each inner node.
import sys;

(float o) work(float a, float b, float seconds) "c:libm.so.6" "1" "fma";

(float o) fib(int i) {
  if (i <= 1) {
    o = i;
  } else {
    o = work(fib(i - 1), fib(i - 2), string2float(argv("t", "1.0")));
  }
}
trace(fib(string2int(argv("n", "16"))));
