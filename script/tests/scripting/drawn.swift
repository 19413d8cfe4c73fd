import stats;
import sys;
(int o) square(int n) { sleep(0.002) => o = n * n; }
(int o) fac(int n) { if (n < 2) { o = 1; } else { o = n * fac(n - 1); } }
int A[];
foreach i in [1:3] { A[i] = square(i); }
trace("sum", sum(A));
foreach v, k in A { sleep(0.001) => trace(k, v); }
for (int i = 0, int s = 0; i < 3; i = i + 1, s = s + A[i + 1]) { if (i == 2) { trace("last", s); } }
if (A[1] > 0) { trace("positive", fac(4)); }
