// says: the task cannot be called with these arguments
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    rt.launch(
        "task", [](std::vector<int>& v) { v.clear(); }, std::vector<int>{1, 2});
#else
    rt.launch(
        "task", [](std::vector<int> v) { v.clear(); }, std::vector<int>{1, 2});
#endif
}
