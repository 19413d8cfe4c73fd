// Divide and conquer: the task graph of a recursive Fibonacci number, with a leaf in each inner node.
import sys;

(int o) work(int a, int b, float seconds) "native:counts.so" "1" "work";

(int o) fib(int i) {
  if (i <= 1) {
    o = i;
  } else {
    o = work(fib(i - 1), fib(i - 2), string2float(argv("t", "0.0")));
  }
}
trace(fib(string2int(argv("n", "16"))));
