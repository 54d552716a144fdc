// SPDX-License-Identifier: Apache-2.0
#include "cli/options/side_options.h"

#include "cli/options/level_options.h"
#include "cli/options/measuring_options.h"
#include "cli/options/session_options.h"

namespace lapidary::cli {

void add_side_options(OptionList& options, SideOptions& sides) {
    add_run_configuration(options, sides.configuration);
    add_session_passes(options, sides.session_passes);
    options.value("--runs", "N", sides.runs, "Profiled runs, 10 unless given").between(1, 100'000);
    options.value("--warmup", "N", sides.warmup, "Runs before, 2 unless given").between(0, 100'000);
    add_seconds(options, sides.measuring.seconds, "Measuring time per side at most, 10 unless given");
    add_precision(options, sides.measuring.precision,
                  "Stop early when the median is known to this share, 0.02 unless given");
    add_tolerance(options, sides.rtol, sides.atol);
}

}  // namespace lapidary::cli
