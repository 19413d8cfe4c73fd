// Programs of Unix.
import assert;
app (file o) cp(file i) { "cp" i o; }
catp(file f[]) { assert(size(f) > 0, "catp() of no files") => catp_all(f); }
app (void v) catp_all(file f[]) { "cat" f; }
(file o) cat(file f[]) { assert(size(f) > 0, "cat() of no files") => o = cat_all(f); }
app (file o) cat_all(file f[]) { "cat" f @stdout=o; }
app (file o) sed(file i, string command) { "sed" command i @stdout=o; }
app (file o) touch() { "touch" o; }
app (void v) printenv() { "printenv"; }
app (file o) echo(string s) { "echo" s @stdout=o; }
app (void v) sleep(int i) { "sleep" i; }
app (void v) mkdir(string name) { "mkdir" "-p" name; }
app (void v) rm(string flags, string name) { "rm" flags name; }
