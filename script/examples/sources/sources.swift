// Counts, sorts and summarises every source file of a checkout, by shell tools. --root=FOLDER is the checkout.
import files;
import io;
import string;
import sys;

app (file o) find_files(string root) { "find" root "-type" "f" "(" "-name" "*.cpp" "-o" "-name" "*.hpp" "-o" "-name" "*.js" "-o" "-name" "*.swift" ")" "-not" "-path" "*/build/*" @stdout=o }
app (file o) sorted(file i) { "sort" i @stdout=o }
app (file o) count_lines(string name) { "wc" "-l" name @stdout=o }
app (file o) together(file parts[]) { "cat" parts @stdout=o }
app (file o) largest_first(file i) { "sort" "-rn" i @stdout=o }
app (file o) first_lines(int n, file i) { "head" "-n" n i @stdout=o }
app (file o) total(file i) { "awk" "{ sum += $1 } END { print sum }" i @stdout=o }

string root = argv("root", ".");
string names[] = file_lines(sorted(find_files(root)), "");
file counts[];
foreach name, i in names { counts[i] = count_lines(name); }
file ranked = largest_first(together(counts));
printf("%i files, %s lines; the longest:", size(names), trim(read(total(ranked)))) =>
  printf("%s", trim(replaceAll(read(first_lines(5, ranked)), root + "/", "")));
