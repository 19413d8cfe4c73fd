/// Channel flow: the incompressible Navier-Stokes equations in two dimensions, between two walls,
/// driven by a constant force.

#include "refrain/refrain.hpp"

#include <optional>

#include "channel_flow/config.hpp"
#include "channel_flow/flow.hpp"
#include "channel_flow/serial.hpp"
#include "common/show.hpp"

namespace channel_flow {

example::Run solve(refrain::Runtime& runtime, ChannelFlow& flow, example::Mode mode) {
    example::Stopwatch watch(runtime);
    while (flow.advance(mode)) {
    }
    return watch.stop(flow.steps());
}

}  // namespace channel_flow

int main(int argc, char** argv) {
    const channel_flow::Config config = channel_flow::config_from(argc, argv);
    return example::reporting_errors([&] {
        std::optional<channel_flow::State> expected;
        if (config.common.check) expected = channel_flow::expected_state(config);
        example::ResultPicture picture(config.common);
        const auto program = [&](refrain::Runtime& runtime, example::Mode mode) {
            channel_flow::ChannelFlow flow(runtime, config);
            const example::Run run = channel_flow::solve(runtime, flow, mode);
            if (expected) flow.check(*expected);
            picture.draw({.title = "speed"}, [&](example::Picture& p) { flow.draw(p); });
            return run;
        };
        example::show("channel_flow", config.problem(), config.common, program, picture);
    });
}
