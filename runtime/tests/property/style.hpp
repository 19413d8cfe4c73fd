/// The features that one random program uses, and how often; chosen per seed. Programs that use a
/// few features a lot find more than programs that use all features a little.
#pragma once

#include <array>
#include <vector>

#include "property/generator.hpp"
#include "property/random.hpp"

namespace refrain::property {

struct Style {
    // percent
    int index_launches = 60;
    int whole_region = 20;  // requirements without a partition
    int projections = 15;
    int region_again = 20;  // requirements on a region that the launch already uses
    int futures = 20;
    int host_accesses = 5;
    int waits = 2;  // fences, wait_all
    int temporaries = 15;
    int partition_churn = 3;
    int branches = 10;  // statements of a loop that only some iterations execute
    int throws = 0;     // throwing launches, per thousand
    int misuse = 0;
    int sweeps = 5;            // single tasks on all pieces of a partition, one after the other
    int aliases = 5;           // a launch with one region twice, then the same with two
    int views = 5;             // a launch with many views of one region
    bool many_pieces = false;  // has a large space and a partition with many colours
    int traced_bodies = 60;    // loops with manual traces around their iterations

    int spaces = 2, regions = 4, partitions = 5, future_slots = 3;
    int statements = 200;
    // As of GeneratorLimits:
    bool broad = false, pointers = false, blocks = false, tasks_only = false;
    std::array<int, 4> privileges{3, 2, 3, 2};  // weights
    std::vector<Operator> operators;
};

[[nodiscard]] Style draw_style(Random& random, const GeneratorLimits& limits);

}  // namespace refrain::property
