/// Writes the matrix of a plate with a hole as a Matrix Market file, to standard output or to a
/// file.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

#include "cg/matrix_market.hpp"
#include "cg/plate.hpp"
#include "common/command_line.hpp"

int main(int argc, char** argv) {
    cg::PlateOptions options;
    std::string path;
    example::CommandLine line{
        "Writes the matrix of heat conduction in a plate with a hole (finite elements on an "
        "irregular mesh) as a Matrix Market file."};
    line.add_number("--size", options.size, {1, 2000}, "inner corners of the mesh along an edge");
    line.add_number("--shuffle", options.shuffle, {0, 4000000},
                    "farthest move of an unknown from row order");
    line.add_seed("--seed", options.seed, "seed of the random mesh");
    line.add_text("FILE", path, "output file; default: standard output");
    line.parse(argc, argv);

    std::ofstream file;
    if (!path.empty()) file.open(path);
    std::ostream& out = path.empty() ? std::cout : file;
    cg::write_matrix_market(
        out, cg::plate_matrix(options),
        "a plate with a hole: make_matrix --size " + std::to_string(options.size) + " --shuffle " +
            std::to_string(options.shuffle) + " --seed " + std::to_string(options.seed));
    out.flush();
    if (out) return 0;
    std::fprintf(stderr, "cannot write %s; does the folder exist?\n",
                 path.empty() ? "to standard output" : path.c_str());
    return 1;
}
