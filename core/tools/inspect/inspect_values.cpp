// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inspect/inspect_values.h>

#include <utility>

#include <lapidary/exec/session.h>
#include <lapidary/inspect/value_watch.h>

namespace lapidary {

Inspection inspect_values(const ModelPtr& model, const NamedValues& inputs,
                          const InspectOptions& options, const Progress& progress) {
    return inspect_runs(
        model, 1, [&](int) { return inputs; }, options, progress);
}

Inspection inspect_runs(const ModelPtr& model, int runs,
                        const std::function<NamedValues(int run)>& inputs_of,
                        const InspectOptions& options, const Progress& progress) {
    Session session = Session::compile(model, options.session, progress);
    ValueWatch watch(session.model().graph, options, progress.cancel);
    watch.add_constants(*model);
    for (int run = 0; run < runs && watch.needs_run(); ++run) {
        RunOptions running;
        running.cancel = progress.cancel;
        running.observer = &watch;
        running.progress = [&](int done, int total) {
            progress.step("run", (run + static_cast<double>(done) / total) / runs);
        };
        progress.step("run", static_cast<double>(run) / runs);
        session.run(inputs_of(run), running);
    }
    Inspection inspection = watch.take();
    inspection.threads = session.threads();
    return inspection;
}

}  // namespace lapidary
