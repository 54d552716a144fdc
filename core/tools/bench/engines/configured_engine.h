// SPDX-License-Identifier: Apache-2.0
// This engine with a model in memory and a configuration.
#pragma once

#include <functional>
#include <memory>

#include <lapidary/bench/bench.h>

#include "bench/engines/in_process_engine.h"

namespace lapidary {

class ConfiguredEngine final : public InProcessEngine {
public:
    /// Optimizes at the configuration's level and compiles; `load_before_ms` is added to the time
    /// that takes. `slow_down`, `base`: as at open_engine().
    ConfiguredEngine(const ModelPtr& model, const RunConfiguration& configuration,
                     NamedValues inputs, const Progress& progress, double load_before_ms = 0,
                     double slow_down = 0, const SessionOptions& base = {});

    NamedValues outputs() override;
    /// The profile of one run.
    std::shared_ptr<const Profile> profile();

private:
    void run() override;

    NamedValues inputs_;
    std::unique_ptr<Session> session_;
    RunOptions options_;
    double slow_down_;
};

/// The model optimized at the level, with the passes that `options` switch on and off. The model
/// itself if there is nothing to do.
ModelPtr model_at_level(const ModelPtr& model, Level level, const Progress& progress,
                        OptimizeOptions options = {});

}  // namespace lapidary
