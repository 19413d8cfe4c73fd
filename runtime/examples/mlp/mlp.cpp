/// Trains a multilayer perceptron with the widths of the CANDLE Pilot1 benchmarks, data parallel.

#include "refrain/refrain.hpp"

#include <cstdio>
#include <optional>

#include "common/show.hpp"
#include "mlp/config.hpp"
#include "mlp/problem.hpp"
#include "mlp/serial.hpp"
#include "mlp/training.hpp"

int main(int argc, char** argv) {
    const mlp::Config config = mlp::config_from(argc, argv);
    return example::reporting_errors([&] {
        const mlp::Problem problem = mlp::make_problem(config);
        std::optional<mlp::Expected> expected;
        if (config.common.check) expected.emplace(config, problem);
        mlp::Trained trained;
        example::ResultPicture picture(config.common);
        const auto program = [&](refrain::Runtime& runtime, example::Mode mode) {
            mlp::Training training(runtime, config, problem);
            const example::Run run = training.train(mode);
            trained = training.result();
            if (expected) expected->check(trained);
            picture.draw({.title = "loss on samples not trained on", .height = 320},
                         [&](example::Picture& p) { p.curve(trained.losses); });
            return run;
        };
        example::show("mlp", config.problem(), config.common, program, picture);
        std::printf("\nloss on samples not trained on: %.3g at first, %.3g after %lld steps\n",
                    trained.losses.front(), trained.losses.back(),
                    static_cast<long long>(trained.steps));
    });
}
