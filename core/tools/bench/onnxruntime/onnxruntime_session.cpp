// SPDX-License-Identifier: Apache-2.0
#include "bench/onnxruntime/onnxruntime_session.h"

#include <chrono>
#include <optional>

#include <lapidary/onnx_io/model_io.h>

#include "bench/onnxruntime/onnxruntime_values.h"

namespace lapidary {
namespace {

constexpr int severity_error = 3;

class OnnxRuntimeSession final : public InProcessEngine {
public:
    OnnxRuntimeSession(std::shared_ptr<const OnnxRuntimeLibrary> library,
                       const BenchConfiguration& configuration)
        : library_(std::move(library)), table_(library_->table()),
          model_(*library_, configuration.model, configuration.level, configuration.resources) {
        load_ms_ = model_.load_ms;
        inputs_.emplace(library_, configuration.inputs);
        outputs_.emplace(library_, model_.session.get());
    }

    NamedValues outputs() override {
        run_keeping();
        NamedValues values = outputs_->copies();
        outputs_->release();
        return values;
    }

private:
    void run() override {
        run_keeping();
        outputs_->release();
    }

    void run_keeping() {
        library_->check(
            table_(ort::run, model_.session.get(), nullptr, inputs_->names(), inputs_->values(),
                   inputs_->size(), outputs_->names(), outputs_->size(), outputs_->values()),
            "run the model");
    }

    std::shared_ptr<const OnnxRuntimeLibrary> library_;
    const ort::Table& table_;
    OrtModel model_;
    std::optional<OrtInputs> inputs_;
    std::optional<OrtOutputs> outputs_;
};

}  // namespace

OrtModel::OrtModel(const OnnxRuntimeLibrary& library, const std::filesystem::path& file,
                   Level level, const RunResources& resources)
    : env(library.table(), ort::release_env), session(library.table(), ort::release_session) {
    const ort::Table& table = library.table();
    library.check(table(ort::create_env, severity_error, "lapidary", env.out()), "start");
    OrtHeld<ort::SessionOptions> options(table, ort::release_session_options);
    library.check(table(ort::create_session_options, options.out()), "make options");
    library.check(table(ort::set_log_severity, options.get(), severity_error),
                  "set its log severity");
    library.check(table(ort::set_optimization_level, options.get(), onnxruntime_level(level)),
                  "set its level");
    library.check(table(ort::set_intra_threads, options.get(), resources.threads),
                  "set its threads");
    library.check(table(ort::set_inter_threads, options.get(), resources.inter_threads),
                  "set its threads");
    library.check(table(ort::set_execution_mode, options.get(),
                        resources.mode == ExecutionMode::parallel ? 1 : 0),
                  "set its mode");
    if (is_ort_format(file))  // which it knows by the name alone
        library.check(
            table(ort::add_config_entry, options.get(), "session.load_model_format", "ORT"),
            "set the format of the file");
    const auto start = std::chrono::steady_clock::now();
    library.check(table(ort::create_session, env.get(), file.c_str(), options.get(), session.out()),
                  "load the model");
    load_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

std::unique_ptr<BenchEngine> open_onnxruntime_session(
    std::shared_ptr<const OnnxRuntimeLibrary> library, const BenchConfiguration& configuration) {
    return std::make_unique<OnnxRuntimeSession>(std::move(library), configuration);
}

}  // namespace lapidary
