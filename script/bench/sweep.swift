// A parameter sweep: N times M independent calls of an empty leaf.
import sys;

(int o) work(int i, int j, float seconds) "native:counts.so" "1" "work";

int N = string2int(argv("N", "100"));
int M = string2int(argv("M", "100"));
float seconds = string2float(argv("t", "0.0"));
foreach i in [1:N] {
  foreach j in [1:M] {
    work(i, j, seconds);
  }
}
