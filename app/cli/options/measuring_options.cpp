// SPDX-License-Identifier: Apache-2.0
#include "cli/options/measuring_options.h"

namespace lapidary::cli {

Option& add_seconds(OptionList& options, double& seconds, const std::string& help) {
    return options.value("--seconds", "S", seconds, help).positive();
}

Option& add_precision(OptionList& options, double& precision, const std::string& help) {
    return options.value("--precision", "X", precision, help).positive();
}

void add_gate_seconds(OptionList& options, double& seconds) {
    options
        .value("--gate-seconds", "S", seconds,
               "With --max-regress: measure until the result is clear, at most so many seconds per "
               "configuration, 60 unless given")
        .positive();
}

void add_tolerance(OptionList& options, double& rtol, double& atol) {
    options
        .value("--rtol", "X", rtol,
               "Outputs may differ by this share (see check --help), 0.001 unless given")
        .not_negative();
    options
        .value("--atol", "Y", atol,
               "and by this much; unless given 0.00001, and less for outputs that hold less")
        .not_negative();
}

}  // namespace lapidary::cli
