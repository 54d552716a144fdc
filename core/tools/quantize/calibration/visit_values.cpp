// SPDX-License-Identifier: Apache-2.0
#include "quantize/calibration/visit_values.h"

#include <memory>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/exec/session.h>

#include "graph/copy_model.h"

namespace lapidary {

const Tensor* SeenValues::find(const std::string& name) const {
    const RuntimeValue* value = lapidary::find(results_, name);
    if (!value) value = lapidary::find(inputs_, name);
    return value && value->is_tensor() ? &value->tensor() : nullptr;
}

void visit_values(const Model& model, const SampleSource& samples,
                  const std::vector<std::string>& names, int threads, const Progress& progress,
                  const std::function<bool()>& wants_more,
                  const std::function<void(const SeenValues&)>& visit) {
    const Graph& graph = model.graph;
    RunOptions running;
    running.cancel = progress.cancel;
    std::set<std::string> known;
    for (ValueId id : graph.outputs()) known.insert(graph.value(id).name);
    for (ValueId id : graph.inputs()) known.insert(graph.value(id).name);
    for (const std::string& name : names)
        if (known.insert(name).second) running.extra_outputs.push_back(name);
    SessionOptions compiling;
    compiling.session_passes.set = SessionPasses::Set::none;
    compiling.intra_threads = threads;
    Session session =
        Session::compile(std::make_shared<const Model>(copy_model(model, progress.cancel)),
                         compiling, {progress.cancel, {}});
    for (std::size_t s = 0; s < samples.size() && wants_more(); ++s) {
        progress.step("second moments",
                      static_cast<double>(s) / static_cast<double>(samples.size()));
        try {
            const NamedValues inputs = samples.at(s, progress.cancel);
            const RunResult result = session.run(inputs, running);
            visit({inputs, result.outputs});
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
        }
    }
}

}  // namespace lapidary
