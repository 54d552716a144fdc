// SPDX-License-Identifier: Apache-2.0
// This engine over a model in memory, as a configuration says.
#pragma once

#include <functional>
#include <memory>

#include <lapidary/bench/bench.h>

#include "bench/engines/in_process_engine.h"

namespace lapidary {

class ConfiguredEngine final : public InProcessEngine {
public:
    /// Optimizes at the configuration's level and compiles; `load_before_ms` is added to what that
    /// takes. `slow_down`, `base`: as at open_engine().
    ConfiguredEngine(const ModelPtr& model, const RunConfiguration& configuration,
                     NamedValues inputs, const Progress& progress, double load_before_ms = 0,
                     double slow_down = 0, const SessionOptions& base = {});

    NamedValues outputs() override;
    /// One run that is recorded.
    std::shared_ptr<const Profile> profile();

private:
    void run() override;

    NamedValues inputs_;
    std::unique_ptr<Session> session_;
    RunOptions options_;
    double slow_down_;
};

/// The model at the level with the passes that `options` switch on and off; itself where nothing is
/// to be done.
ModelPtr model_at_level(const ModelPtr& model, Level level, const Progress& progress,
                        OptimizeOptions options = {});

}  // namespace lapidary
