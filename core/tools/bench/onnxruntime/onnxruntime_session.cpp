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
        : library_(std::move(library)), table_(library_->table()), env_(table_, ort::release_env),
          session_(table_, ort::release_session) {
        library_->check(table_(ort::create_env, severity_error, "lapidary", env_.out()), "start");
        OrtHeld<ort::SessionOptions> options(table_, ort::release_session_options);
        library_->check(table_(ort::create_session_options, options.out()), "make options");
        library_->check(table_(ort::set_log_severity, options.get(), severity_error),
                        "set its log severity");
        library_->check(table_(ort::set_optimization_level, options.get(),
                               onnxruntime_level(configuration.level)),
                        "set its level");
        const RunResources& resources = configuration.resources;
        library_->check(table_(ort::set_intra_threads, options.get(), resources.threads),
                        "set its threads");
        library_->check(table_(ort::set_inter_threads, options.get(), resources.inter_threads),
                        "set its threads");
        library_->check(table_(ort::set_execution_mode, options.get(),
                               resources.mode == ExecutionMode::parallel ? 1 : 0),
                        "set its mode");
        if (is_ort_format(configuration.model))  // which it knows by the name alone
            library_->check(
                table_(ort::add_config_entry, options.get(), "session.load_model_format", "ORT"),
                "set the format of the file");
        const auto start = std::chrono::steady_clock::now();
        library_->check(table_(ort::create_session, env_.get(), configuration.model.c_str(),
                               options.get(), session_.out()),
                        "load the model");
        load_ms_ =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count();
        inputs_.emplace(library_, configuration.inputs);
        outputs_.emplace(library_, session_.get());
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
            table_(ort::run, session_.get(), nullptr, inputs_->names(), inputs_->values(),
                   inputs_->size(), outputs_->names(), outputs_->size(), outputs_->values()),
            "run the model");
    }

    std::shared_ptr<const OnnxRuntimeLibrary> library_;
    const ort::Table& table_;
    OrtHeld<ort::Env> env_;
    OrtHeld<ort::Session> session_;
    std::optional<OrtInputs> inputs_;
    std::optional<OrtOutputs> outputs_;
};

}  // namespace

std::unique_ptr<BenchEngine> open_onnxruntime_session(
    std::shared_ptr<const OnnxRuntimeLibrary> library, const BenchConfiguration& configuration) {
    return std::make_unique<OnnxRuntimeSession>(std::move(library), configuration);
}

}  // namespace lapidary
