// An ensemble of simulations for many parameters, after Figure 1 of the paper: each pair (i, j) is judged first, and only
// promising ones are simulated, several times each. Then every i gets a file with its results, made by a program.
import files;
import io;
import string;
import sys;

(float p, int model) evaluate(int i, int j) "native:ensemble.so" "1" "evaluate";
(float stiffness) load_model(string text) "native:ensemble.so" "1" "load_model";
(float x) simulate(float stiffness, int i, int j, int member) "native:ensemble.so" "1" "simulate";
(float m) mean(float values[]) "native:ensemble.so" "1" "mean";

app (file o) make_model(int m) { "expr" 10 "*" m @stdout=o }
app (file o) analyse(int i, string lines) { "printf" "parameter %d\n%s\n" i lines @stdout=o }
app (file o) together(file parts[]) { "cat" parts @stdout=o }

int M = string2int(argv("M", "4"));
int N = string2int(argv("N", "6"));
int S = string2int(argv("S", "5"));

float models[];
foreach m in [1:3] { models[m] = load_model(read(make_model(m))); }

string res[][];
file outputs[];
foreach i in [1:M] {
  foreach j in [1:N] {
    float p; int m;
    p, m = evaluate(i, j);                 // a quick evaluation of the parameters
    if (p > 0.0) {
      float members[];
      foreach k in [1:S] { members[k] = simulate(models[m], i, j, k); }
      res[i][j] = "  j=%i model=%i: %.6f" % (j, m, mean(members));
    } else {
      res[i][j] = "  j=%i not promising" % j;
    }
  }
  outputs[i] = analyse(i, string_join(res[i], "\n"));
}
printf("%s", trim(read(together(outputs))));
