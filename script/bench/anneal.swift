// Simulated annealing: chains of steps, each with an objective of parallel calls; a step is accepted or not by a hash.
import stats;
import string;
import sys;

type State { float x; float y; float value; }

(float o) objective(float x, float y, int member) "native:counts.so" "1" "objective";

(float o) evaluate(float x, float y, int members) {
  float parts[];
  foreach m in [1:members] {
    parts[m] = objective(x, y, m);
  }
  o = sum_float(parts);
}

(State o) moved(State s, int chain, int step, int members) {
  float r = 0.001 * (hash("%i/%i" % (chain, step)) %% 1000);
  float x = s.x + r - 0.5;
  float y = s.y - r * 0.5;
  float value = evaluate(x, y, members);
  if (value < s.value + r) {
    o.x = x; o.y = y; o.value = value;
  } else {
    o.x = s.x; o.y = s.y; o.value = s.value;
  }
}

int chains = string2int(argv("chains", "2"));
int steps = string2int(argv("steps", "5"));
int members = string2int(argv("members", "10"));
foreach c in [1:chains] {
  State first;
  first.x = 1.0; first.y = 0.5 * c; first.value = evaluate(1.0, 0.5 * c, members);
  State last;
  for (int i = 0, State s = first; i < steps; i = i + 1, s = moved(s, c, i, members)) {
    if (i == steps - 1) {
      trace(c, s.value);
    }
  }
}
