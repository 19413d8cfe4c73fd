// A table whose cells depend on three neighbours.
import sys;

(float o) cell(float above, float left, float diagonal, float a, float b) "native:counts.so" "1" "cell";

int N = string2int(argv("N", "30"));
float A[][];
foreach i in [0:N - 1] { A[i][0] = 0.001 * i; }
foreach i in [1:N - 1] { A[0][i] = 0.001 * i; }
foreach i in [1:N - 1] {
  foreach j in [1:N - 1] {
    A[i][j] = cell(A[i - 1][j], A[i][j - 1], A[i - 1][j - 1], 0.25, 0.5);
  }
}
trace(A[N - 1][N - 1]);
