#include "common/show.hpp"

#include "common/report.hpp"
#include "common/traced_share_svg.hpp"

namespace example {
namespace {

SharePanel panel_of(const Comparison& comparison) {
    SharePanel panel{comparison.program + ": " + comparison.problem, {}, {}};
    if (const Measurement* m = comparison.find(Mode::manual))
        panel.manual = traced_share(m->statistics.progress);
    if (const Measurement* m = comparison.find(Mode::automatic))
        panel.automatic = traced_share(m->statistics.progress);
    return panel;
}

}  // namespace

void write_files(const Comparison& comparison, const CommonConfig& config) {
    if (!config.json_path.empty()) write_file(config.json_path, report_of(comparison));
    if (!config.svg_path.empty()) {
        write_file(config.svg_path, traced_share_svg({panel_of(comparison)}));
        std::printf("\nThe share of replayed operations is drawn in %s\n", config.svg_path.c_str());
    }
}

}  // namespace example
