// SPDX-License-Identifier: Apache-2.0
#include "cli/options/run_options.h"

#include "cli/options/input_options.h"
#include "cli/options/level_options.h"
#include "cli/options/session_options.h"

namespace lapidary::cli {

void add_run_options(OptionList& options, ModelRunOptions& run) {
    add_input_options(options, run.inputs);
    options
        .value("--outputs", "F.npz", run.outputs,
               "Write the outputs to this archive; one output to a .npy")
        .suggest_files({"npz", "npy"});
    add_threads(options, run.resources.threads);
    add_config(options, run.resources.config);
    add_compute(options, run.resources.config);
    add_provider_options(options, run.providers);
    add_engine_options(options, run.engine);
    add_level_options(options, run.level);
}

}  // namespace lapidary::cli
