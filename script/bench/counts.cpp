// The leaves of the programs beside this file: they do next to nothing, so that what is measured is the coordination.

#include <refrain/script/leaf_functions.hpp>

static int work(int i, int j, double) {
    return (i + j) % 1000;
}
REFRAIN_SCRIPT_FUNCTION(work)

static double cell(double above, double left, double diagonal, double a, double b) {
    return a * (above + left) + b * diagonal;
}
REFRAIN_SCRIPT_FUNCTION(cell)

static double objective(double x, double y, int member) {
    return (x - 0.3) * (x - 0.3) + y * y * 0.01 * member;
}
REFRAIN_SCRIPT_FUNCTION(objective)
