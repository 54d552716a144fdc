// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <memory>

#include <lapidary/bench/bench.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/exec/session.h>

#include "bench/engines/in_process_engine.h"

namespace lapidary {
namespace {

class OwnEngine final : public InProcessEngine {
public:
    OwnEngine(const BenchConfiguration& configuration, const Progress& progress)
        : inputs_(configuration.inputs) {
        const auto start = std::chrono::steady_clock::now();
        Model model = load_model(configuration.model, {}, progress);
        if (configuration.level != Level::disabled || !configuration.rules.empty()) {
            OptimizeOptions options;
            options.level = configuration.level;
            options.rules = configuration.rules;
            options.near_misses = false;
            model = optimize(model, options, progress).model;
        }
        SessionOptions options;
        options.resources = configuration.resources;
        options.session_passes = configuration.session_passes.value_or(
            SessionPasses{session_passes_at(configuration.level), {}});
        session_ = std::make_unique<Session>(
            Session::compile(std::make_shared<const Model>(std::move(model)), options, progress));
        load_ms_ =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count();
        options_.cancel = progress.cancel;
    }

    NamedValues outputs() override { return session_->run(inputs_, options_).outputs; }

private:
    void run() override { session_->run(inputs_, options_); }

    NamedValues inputs_;
    std::unique_ptr<Session> session_;
    RunOptions options_;
};

}  // namespace

std::unique_ptr<BenchEngine> open_own_engine(const BenchConfiguration& configuration,
                                             const Progress& progress) {
    return std::make_unique<OwnEngine>(configuration, progress);
}

}  // namespace lapidary
