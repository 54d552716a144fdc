// SPDX-License-Identifier: Apache-2.0
#include "cli/options/side_options.h"

#include <fmt/format.h>

#include "cli/options/level_options.h"
#include "cli/options/measuring_options.h"
#include "cli/options/session_options.h"

namespace lapidary::cli {
namespace {

/// The initial values of the variables are the defaults of the options.
std::string unless_given(const std::string& help, double value) {
    return fmt::format("{}, {} unless given", help, value);
}

}  // namespace

void add_side_options(OptionList& options, SideOptions& sides) {
    add_run_configuration(options, sides.configuration);
    add_session_passes(options, sides.session_passes);
    options.value("--runs", "N", sides.runs, unless_given("Profiled runs", sides.runs))
        .between(1, 100'000);
    options.value("--warmup", "N", sides.warmup, unless_given("Runs before", sides.warmup))
        .between(0, 100'000);
    add_seconds(options, sides.measuring.seconds,
                unless_given("Measuring time per side at most", sides.measuring.seconds));
    add_precision(options, sides.measuring.precision,
                  unless_given("Stop early when the median is known to this share",
                               sides.measuring.precision));
    add_tolerance(options, sides.rtol, sides.atol);
}

}  // namespace lapidary::cli
