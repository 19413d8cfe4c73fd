// A parameter sweep: N times M independent calls of an empty leaf.
import sys;

(float o) work(float i, float j, float seconds) "c:libm.so.6" "1" "fma";

int N = string2int(argv("N", "100"));
int M = string2int(argv("M", "100"));
float seconds = string2float(argv("t", "0.0"));
foreach i in [1:N] {
  foreach j in [1:M] {
    work(i, j, seconds);
  }
}
