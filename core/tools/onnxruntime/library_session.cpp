// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include <lapidary/base/error.h>
#include <lapidary/internal/joined_threads.h>
#include <lapidary/profile/trace_file.h>

#include "base/process/foreign_call.h"
#include "base/memory/process_memory.h"
#include "bench/onnxruntime/onnxruntime_values.h"
#include "onnxruntime/append_provider.h"
#include "onnxruntime/open_session.h"
#include "onnxruntime/environment.h"

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int severity_warning = 2;
constexpr std::chrono::milliseconds glance{20};

double milliseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Ends runs when the token is cancelled, while it lives.
class Terminator {
public:
    Terminator(const OnnxRuntimeLibrary& library, ort::RunOptions* options,
               const CancelToken& cancel)
        : watch_([this] { done_ = true; }) {
        watch_.start(1, "threads that watch for Cancel", [&library, options, cancel, this](int) {
            while (!done_.load()) {
                if (cancel.is_cancelled()) {
                    if (ort::Status* status = library.table()(ort::set_terminate, options))
                        library.table()(ort::release_status, status);
                    return;
                }
                std::this_thread::sleep_for(glance);
            }
        });
    }

private:
    std::atomic<bool> done_{false};
    JoinedThreads watch_;
};

class LibrarySession final : public EngineSession {
public:
    LibrarySession(std::shared_ptr<const OnnxRuntimeLibrary> library, const EngineRequest& request)
        : library_(std::move(library)), table_(library_->table()),
          environment_(OrtEnvironment::of(library_)), session_(table_, ort::release_session),
          who_("ONNX Runtime " + library_->version() + " (" + library_->path().string() + ")") {
        const ForeignCall inside(who_.c_str());
        environment_.take_log();
        const std::int64_t before = resident_bytes();
        const OrtHeld<ort::SessionOptions> options = session_options(request);
        const auto begin = Clock::now();
        library_->check(table_(ort::create_session, environment_.get(), request.file.c_str(),
                               options.get(), session_.out()),
                        "load the model");
        load_ms_ = milliseconds_since(begin);
        memory_.session_bytes = std::max<std::int64_t>(0, resident_bytes() - before);
        inputs_.emplace(library_, request.inputs);
        outputs_.emplace(library_, session_.get());
        take_log();
    }

    const std::string& version() const override { return library_->version(); }
    double load_ms() const override { return load_ms_; }
    EngineMemory memory() const override { return memory_; }
    std::vector<std::string> log() const override { return log_; }

    double run(int runs, const CancelToken& cancel) override {
        const ForeignCall inside(who_.c_str());
        OrtHeld<ort::RunOptions> options(table_, ort::release_run_options);
        check(table_(ort::create_run_options, options.out()), "make options of a run");
        const Terminator terminator(*library_, options.get(), cancel);
        double ms = 0;
        for (int i = 0; i < runs; ++i) {
            cancel.throw_if_cancelled();
            outputs_->release();
            const std::int64_t before = has_run_ ? 0 : resident_bytes();
            const auto begin = Clock::now();
            ort::Status* status =
                table_(ort::run, session_.get(), options.get(), inputs_->names(), inputs_->values(),
                       inputs_->size(), outputs_->names(), outputs_->size(), outputs_->values());
            ms = milliseconds_since(begin);
            if (status && cancel.is_cancelled()) {
                table_(ort::release_status, status);
                cancel.throw_if_cancelled();
            }
            check(status, "run the model");
            if (!has_run_) memory_.run_bytes = std::max<std::int64_t>(0, resident_bytes() - before);
            has_run_ = true;
        }
        take_log();
        return ms;
    }

    void run_once() override {
        outputs_->release();
        check(table_(ort::run, session_.get(), nullptr, inputs_->names(), inputs_->values(),
                     inputs_->size(), outputs_->names(), outputs_->size(), outputs_->values()),
              "run the model");
    }

    NamedValues outputs() override { return outputs_->copies(); }

    Profile end_profiling(const CancelToken& cancel) override {
        ort::Allocator* allocator = nullptr;
        check(table_(ort::get_default_allocator, &allocator), "allocate");
        char* path = nullptr;
        check(table_(ort::end_profiling, session_.get(), allocator, &path), "end its profile");
        const std::filesystem::path file = path;
        check(table_(ort::allocator_free, allocator, path), "free a name");
        return load_trace(file, cancel).profile;
    }

    std::optional<std::vector<AssignedNode>> assignment() override {
        if (!is_at_least(library_->version(), 1, ort::assignment_since)) return std::nullopt;
        const ort::AssignedSubgraph* const* groups = nullptr;
        std::size_t count = 0;
        check(table_(ort::get_assignment, session_.get(), &groups, &count), what_reports);
        std::vector<AssignedNode> list;
        for (std::size_t g = 0; g < count; ++g) {
            const char* provider = nullptr;
            const ort::AssignedNode* const* nodes = nullptr;
            std::size_t size = 0;
            check(table_(ort::assigned_provider, groups[g], &provider), what_reports);
            check(table_(ort::assigned_nodes, groups[g], &nodes, &size), what_reports);
            for (std::size_t n = 0; n < size; ++n) list.push_back(assigned(provider, nodes[n]));
        }
        return list;
    }

private:
    static constexpr const char* what_reports = "report its placement";

    void check(ort::Status* status, const char* what) const { library_->check(status, what); }

    AssignedNode assigned(const char* provider, const ort::AssignedNode* node) const {
        const auto text =
            [&](ort::Slot<ort::Status*(const ort::AssignedNode*, const char**)> slot) {
                const char* reported = nullptr;
                check(table_(slot, node, &reported), what_reports);
                return std::string(reported ? reported : "");
            };
        return {provider ? provider : "", text(ort::assigned_domain), text(ort::assigned_operator),
                text(ort::assigned_name)};
    }

    OrtHeld<ort::SessionOptions> session_options(const EngineRequest& request) const {
        const OnnxRuntimeOptions& wanted = request.options;
        OrtHeld<ort::SessionOptions> options(table_, ort::release_session_options);
        check(table_(ort::create_session_options, options.out()), "make options");
        check(table_(ort::set_log_severity, options.get(), severity_warning),
              "set its log severity");
        check(table_(ort::set_optimization_level, options.get(), onnxruntime_level(wanted.level)),
              "set its level");
        check(table_(ort::set_intra_threads, options.get(), wanted.resources.threads),
              "set its threads");
        check(table_(ort::set_inter_threads, options.get(), wanted.resources.inter_threads),
              "set its threads");
        check(table_(ort::set_execution_mode, options.get(),
                     wanted.resources.mode == ExecutionMode::parallel ? 1 : 0),
              "set its mode");
        for (const auto& [key, value] : config_entries(request, library_->version()))
            check(table_(ort::add_config_entry, options.get(), key.c_str(), value.c_str()),
                  ("take the option " + key).c_str());
        for (const auto& [name, size] : wanted.free_dimensions)
            check(table_(ort::set_free_dimension, options.get(), name.c_str(), size),
                  "set a dimension");
        if (!request.profile_prefix.empty())
            check(table_(ort::enable_profiling, options.get(), request.profile_prefix.c_str()),
                  "record a profile");
        if (!wanted.optimized_model.empty())
            check(table_(ort::set_optimized_model, options.get(), wanted.optimized_model.c_str()),
                  "write its optimized model");
        for (const auto& file : wanted.custom_operators) {
            const std::string what = "load the custom operators of " + quote(file.string());
            check(table_(ort::register_custom_operators, options.get(),
                         std::filesystem::absolute(file).c_str()),
                  what.c_str());
        }
        for (const auto& file : wanted.provider_libraries) environment_.register_providers(file);
        for (const OnnxRuntimeProvider& provider : wanted.providers)
            append_provider(*library_, environment_, options.get(), provider);
        return options;
    }

    void take_log() {
        for (std::string& line : environment_.take_log())
            if (std::ranges::find(log_, line) == log_.end()) log_.push_back(std::move(line));
    }

    std::shared_ptr<const OnnxRuntimeLibrary> library_;
    const ort::Table& table_;
    OrtEnvironment& environment_;
    OrtHeld<ort::Session> session_;
    const std::string who_;
    std::optional<OrtInputs> inputs_;
    std::optional<OrtOutputs> outputs_;
    EngineMemory memory_;
    double load_ms_ = 0;
    bool has_run_ = false;
    std::vector<std::string> log_;
};

}  // namespace

std::unique_ptr<EngineSession> open_library_session(
    std::shared_ptr<const OnnxRuntimeLibrary> library, const EngineRequest& request) {
    return std::make_unique<LibrarySession>(std::move(library), request);
}

}  // namespace lapidary
