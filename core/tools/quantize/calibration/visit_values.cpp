// SPDX-License-Identifier: Apache-2.0
#include "quantize/calibration/visit_values.h"

#include <memory>
#include <numeric>

#include <lapidary/base/error.h>

#include "graph/copy_model.h"

namespace lapidary {

void visit_values(const Model& model, const SampleSource& samples,
                  const std::vector<std::string>& names, int threads, const Progress& progress,
                  const std::function<bool()>& wants_more,
                  const std::function<void(const SeenValues&)>& visit) {
    if (!wants_more()) return;
    WatchedRuns runs(std::make_shared<const Model>(copy_model(model, progress.cancel)), samples,
                     samples.size(), names, threads, progress);
    std::vector<std::size_t> all(samples.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto see = [&](std::size_t, const SeenValues& values) {
        try {
            visit(values);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
        }
        return wants_more();
    };
    runs.run(all, "second moments", {see, {}});
}

}  // namespace lapidary
