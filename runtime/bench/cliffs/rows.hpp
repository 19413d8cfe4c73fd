#pragma once

#include <functional>
#include <string>
#include <vector>

/// What used to cost far more than it looks like, each with a limit.
namespace cliffs {

struct Row {
    std::string name;
    const char* unit;
    double limit;  // the most that the median may be; 0: none, the row is for comparison
    std::function<double()> measure;
};

/// `quick`: small sizes, whose figures mean nothing.
void add_all_to_all(std::vector<Row>& rows, bool quick);
void add_sparse_reductions(std::vector<Row>& rows, bool quick);
void add_single_tasks(std::vector<Row>& rows, bool quick);
void add_images(std::vector<Row>& rows, bool quick);
void add_growth(std::vector<Row>& rows, bool quick);
void add_changing_loops(std::vector<Row>& rows, bool quick);

/// Kernels over views, as multiples of the same loops over pointers. Compiled at -O2 and at -O3.
namespace o2 {
void add_kernels(std::vector<Row>& rows, bool quick);
}
namespace o3 {
void add_kernels(std::vector<Row>& rows, bool quick);
}

}  // namespace cliffs
