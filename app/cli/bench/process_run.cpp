// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/process_run.h"

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/exec/session.h>

namespace lapidary::cli {

MeasuredProcess measure_this_process(const ProcessRun& run, Terminal& terminal) {
    constexpr int runs = 3;  // the first run finds the sizes, the others use planned memory
    use_usual_pages();
    const auto program = counted_memory();
    if (!program)
        fail_unsupported("this system does not report which memory belongs to one process alone");
    CountedPeak peak;
    MeasuredProcess measured;
    measured.program = *program;
    const Progress progress = terminal.progress();
    const LoadedModel loaded = load_at_level(run.model, run.level, progress);
    GenerateOptions generate;
    generate.dimensions = run.dimensions;
    generate.cancel = terminal.cancel;
    generate.usual = true;
    const NamedValues inputs = generate_inputs(*loaded.model, {}, generate);
    SessionOptions options;
    options.session_passes = loaded.session_passes;
    options.resources = run.resources;
    Session session = Session::compile(loaded.model, options, progress);
    measured.compiled = counted_memory().value_or(CountedMemory{});
    measured.loading = peak.most();
    peak.begin_again();
    RunOptions run_options;
    run_options.cancel = terminal.cancel;
    run_options.progress = [&](int, int) { peak.look(); };
    RunResult result;
    for (int i = 0; i < runs; ++i) session.run(inputs, run_options, result);
    peak.look();
    measured.peak = peak.most();
    return measured;
}

}  // namespace lapidary::cli
