// SPDX-License-Identifier: Apache-2.0
#include "bench/engines/configured_engine.h"

#include <algorithm>
#include <chrono>

#include <lapidary/report/model_summary.h>

#include "base/memory/available_memory.h"

namespace lapidary {

ModelPtr model_at_level(const ModelPtr& model, Level level, const Progress& progress,
                        OptimizeOptions options) {
    if (level == Level::disabled && options.enabled_passes.empty() && options.rules.empty())
        return model;
    options.level = level;
    options.near_misses = false;
    return std::make_shared<const Model>(optimize(*model, options, progress).model);
}

ConfiguredEngine::ConfiguredEngine(const ModelPtr& model, const RunConfiguration& configuration,
                                   NamedValues inputs, const Progress& progress,
                                   double load_before_ms, double slow_down,
                                   const SessionOptions& base)
    : inputs_(std::move(inputs)), slow_down_(slow_down) {
    const auto start = std::chrono::steady_clock::now();
    SessionOptions options = base;
    options.resources = configuration.resources.with_config_of(base.resources);
    options.session_passes = configuration.passes();
    session_ = std::make_unique<Session>(
        Session::compile(model_at_level(model, configuration.level, progress), options, progress));
    load_ms_ =
        load_before_ms +
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    options_.cancel = progress.cancel;
}

NamedValues ConfiguredEngine::outputs() { return session_->run(inputs_, options_).outputs; }

std::shared_ptr<const Profile> ConfiguredEngine::profile() {
    RunOptions options = options_;
    options.profile = true;
    return session_->run(inputs_, options).profile;
}

void ConfiguredEngine::run() {
    if (slow_down_ <= 0) {
        session_->run(inputs_, options_);
        return;
    }
    const auto start = std::chrono::steady_clock::now();
    session_->run(inputs_, options_);
    const auto end = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - end < slow_down_ * (end - start)) {}
}

std::size_t engines_at_once(const Model& model) {
    const auto available = static_cast<double>(available_memory());
    const double each = 2.0 * static_cast<double>(summarize(model).weight_bytes) + 64e6;
    return static_cast<std::size_t>(std::clamp(0.5 * available / each, 2.0, 64.0));
}

std::unique_ptr<BenchEngine> open_engine(const ModelPtr& model,
                                         const RunConfiguration& configuration,
                                         const NamedValues& inputs, const Progress& progress,
                                         double slow_down, const SessionOptions& base) {
    return std::make_unique<ConfiguredEngine>(model, configuration, inputs, progress, 0, slow_down,
                                              base);
}

}  // namespace lapidary
