// SPDX-License-Identifier: Apache-2.0
#include "engines/plugin_session.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include <lapidary/base/error.h>

#include "base/memory/process_memory.h"
#include "engines/plugin_options.h"
#include "engines/record_runs.h"
#include "base/threads/session_threads.h"
#include "plugin_host/plugin_call.h"
#include "plugin_host/plugin_engine.h"
#include "plugin_host/plugin_node.h"
#include "profile/recorder.h"

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;
using ValueList = std::uint32_t (*)(LpModel model, const LpValue** values, std::uint32_t* stride);

constexpr std::uint32_t most_values = 65536;  // inputs or outputs of a model

double milliseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

std::string_view text_or(const char* text, std::string_view otherwise) {
    return text && *text ? text : otherwise;
}

/// Events that the engine reports while it runs.
struct RecordedSpans : LpSpans {
    Profile* profile = nullptr;
    std::int64_t begin_ns = 0;  // of the profile
    int run = 0;
    CallbackFailure failure;
};

Span span_of(const LpSpan& reported, const RecordedSpans& to) {
    Span span;
    const bool is_copy =
        reported.kind == LP_SPAN_COPY_TO_DEVICE || reported.kind == LP_SPAN_COPY_TO_HOST;
    span.kind = is_copy ? EventKind::copy : EventKind::kernel;
    SpanText text;
    text.op = text_or(reported.op, "");
    if (is_copy)
        text.op = reported.kind == LP_SPAN_COPY_TO_HOST ? copy_to_host_name : copy_to_device_name;
    text.kernel = text_or(reported.kernel, "");
    text.name = text_or(reported.node, text_or(reported.op, text_or(reported.kernel, "(no name)")));
    text.provider = text_or(reported.device, cpu_provider_name);
    span.label = to.profile->labels.add(text);
    span.thread = static_cast<int>(std::min<std::uint32_t>(reported.thread, 65535));
    span.run = to.run;
    span.bytes = static_cast<std::int64_t>(std::min<std::uint64_t>(reported.bytes, INT64_MAX));
    span.begin_ns = reported.time.begin_ns - to.begin_ns;
    span.end_ns = std::max(reported.time.end_ns - to.begin_ns, span.begin_ns);
    return span;
}

void add_span(LpSpans* spans, const LpSpan* span) {
    auto& to = *static_cast<RecordedSpans*>(spans);
    to.failure.guard([&] {
        if (!span || !LP_HAS(span, time))
            fail(ErrorCode::process_ended, "it gives a span of a smaller struct");
        to.profile->kernels.push_back(span_of(*span, to));
    });
}

/// One run, with the tensors that the engine requested.
struct RunOfModel : LpRun {
    std::vector<Tensor> outputs, scratch_tensors;
    CallbackFailure failure;
};

RunOfModel& model_run(LpRun* run) { return *static_cast<RunOfModel*>(run); }

std::int32_t wants_model_output(LpRun* run, std::uint32_t output) {
    return output < model_run(run).outputs.size() ? 1 : 0;
}

void* make_model_output(LpRun* run, std::uint32_t output, LpType type, std::int32_t rank,
                        const std::int64_t* dims) {
    RunOfModel& of = model_run(run);
    void* data = nullptr;
    of.failure.guard([&] {
        if (!is_known_dtype(type) || static_cast<DType>(type) == DType::string || rank < 0 ||
            (rank > 0 && !dims))
            fail(ErrorCode::process_ended, "it gives an output of element type " +
                                               std::to_string(type) + " and rank " +
                                               std::to_string(rank));
        Tensor made(static_cast<DType>(type), Shape(dims, dims + rank));
        // an empty tensor is no failure
        data = made.size() == 0 ? static_cast<void*>(&of) : made.mutable_raw();
        if (output < of.outputs.size()) of.outputs[output] = std::move(made);
        else of.scratch_tensors.push_back(std::move(made));  // dropped
    });
    return data;
}

void* make_model_scratch(LpRun* run, std::uint64_t bytes) {
    RunOfModel& of = model_run(run);
    void* data = nullptr;
    of.failure.guard([&] {
        if (bytes > INT64_MAX) fail_limit("it asks for " + std::to_string(bytes) + " bytes");
        data = of.scratch_tensors.emplace_back(DType::u8, Shape{static_cast<std::int64_t>(bytes)})
                   .mutable_raw();
    });
    return data;
}

class PluginSession final : public EngineSession {
public:
    explicit PluginSession(const PluginRequest& request)
        : found_(usable_engine(request.options.engine)), engine_(found_.engine),
          place_("plugin " + quote(found_.info.name) + ": engine " + quote(found_.info.engine)),
          version_(found_.info.engine_version), is_recorded_(request.is_recorded),
          threads_(make_session_threads(request.options.resources.threads, false)) {
        const std::int64_t before = resident_bytes();
        const auto begin = Clock::now();
        load(request);
        load_ms_ = milliseconds_since(begin);
        memory_.session_bytes = std::max<std::int64_t>(0, resident_bytes() - before);
        try {
            output_names_ = names_of(engine_.outputs, "output");
            put_in_order(request.inputs);
        } catch (...) {
            engine_.release(model_);
            throw;
        }
        profile_.threads = threads_->threads();
        profile_begin_ns_ = steady_now_ns();
    }
    ~PluginSession() override { engine_.release(model_); }
    PluginSession(const PluginSession&) = delete;
    PluginSession& operator=(const PluginSession&) = delete;

    const std::string& version() const override { return version_; }
    double load_ms() const override { return load_ms_; }
    EngineMemory memory() const override { return memory_; }

    double run(int runs, const CancelToken& cancel) override {
        double ms = 0;
        for (int i = 0; i < runs; ++i) {
            cancel.throw_if_cancelled();
            const std::int64_t before = has_run_ ? 0 : resident_bytes();
            const auto begin = Clock::now();
            run_with(cancel);
            ms = milliseconds_since(begin);
            if (!has_run_) memory_.run_bytes = std::max<std::int64_t>(0, resident_bytes() - before);
            has_run_ = true;
        }
        return ms;
    }
    void run_once() override { run_with({}); }

    NamedValues outputs() override {
        NamedValues values;
        for (std::size_t i = 0; i < outputs_.size(); ++i)
            values.emplace_back(output_names_[i], outputs_[i]);
        return values;
    }

    Profile end_profiling(const CancelToken&) override {
        std::ranges::stable_sort(profile_.kernels, {}, &Span::begin_ns);
        profile_.runs = static_cast<int>(profile_.run_spans.size());
        is_recorded_ = false;
        return std::move(profile_);
    }

private:
    void load(const PluginRequest& request) {
        const std::map<std::string, std::string> options =
            plugin_engine_options(found_.info, request.options);
        std::vector<LpOption> items;
        for (const auto& [key, value] : options) items.push_back({key.c_str(), value.c_str()});
        const LpOptions list{sizeof(LpOptions), static_cast<std::uint32_t>(items.size()),
                             items.data()};
        const std::string file = request.file.string();
        LpModelSource source{};
        source.size = sizeof(source);
        if (request.bytes.empty()) {
            source.file = file.c_str();
        } else {
            source.data = request.bytes.data();
            source.bytes = request.bytes.size();
        }
        call_plugin(place_, [&](LpError* error) {
            return engine_.load(&plugin_host(), &source, &list, &model_, error);
        });
    }

    std::vector<std::string> names_of(ValueList list, const char* what) const {
        const LpValue* values = nullptr;
        std::uint32_t stride = 0;
        const std::uint32_t count = list(model_, &values, &stride);
        if (count > most_values || (count > 0 && (!values || stride < sizeof(std::uint32_t))))
            fail(ErrorCode::process_ended,
                 place_ + " lists " + std::to_string(count) + " " + what + "s wrongly");
        std::vector<std::string> names;
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto& value = *reinterpret_cast<const LpValue*>(
                reinterpret_cast<const char*>(values) + std::size_t{i} * stride);
            if (!LP_HAS(&value, name) || !value.name || !*value.name)
                fail(ErrorCode::process_ended,
                     place_ + " gives " + what + " " + std::to_string(i) + " no name");
            names.emplace_back(value.name);
        }
        return names;
    }

    /// Inputs in the form of the engine. One that is not given has a default in the model.
    void put_in_order(const NamedValues& given) {
        const std::vector<std::string> names = names_of(engine_.inputs, "input");
        for (const auto& [name, value] : given)
            if (std::ranges::find(names, name) == names.end())
                fail_input(place_ + " knows no input " + quote(name) + " of the model");
        for (const std::string& name : names) {
            const auto at = std::ranges::find(given, name, &NamedValues::value_type::first);
            if (at == given.end() || at->second.is_empty()) {
                inputs_.emplace_back();
                continue;
            }
            if (!at->second.is_tensor() || at->second.tensor().dtype() == DType::string)
                fail_unsupported("input " + quote(name) + " is " + at->second.describe() +
                                 "; engines of plugins are given tensors of numbers only");
            inputs_.emplace_back(at->second.tensor());
        }
    }

    void run_with(const CancelToken& cancel) {
        std::vector<LpTensor> inputs;
        for (const std::optional<Tensor>& input : inputs_) {
            LpTensor none{};
            none.size = sizeof(none);
            none.rank = -1;
            inputs.push_back(input ? plugin_tensor(*input) : none);
        }
        const PluginJob job{*threads_, cancel};
        RunOfModel run;
        run.outputs.resize(output_names_.size());
        run.size = sizeof(LpRun);
        run.input_count = static_cast<std::uint32_t>(inputs.size());
        run.output_count = static_cast<std::uint32_t>(run.outputs.size());
        run.inputs = inputs.data();
        run.tensor_stride = sizeof(LpTensor);
        run.job = reinterpret_cast<LpJob>(const_cast<PluginJob*>(&job));
        run.wants_output = &wants_model_output;
        run.output = &make_model_output;
        run.scratch = &make_model_scratch;
        RecordedSpans spans;
        spans.size = sizeof(LpSpans);
        spans.add = &add_span;
        spans.profile = &profile_;
        spans.begin_ns = profile_begin_ns_;
        spans.run = static_cast<int>(profile_.run_spans.size());
        const std::int64_t begin = steady_now_ns();
        threads_->execute([&] {
            call_plugin(place_, [&](LpError* error) {
                const std::int32_t code =
                    engine_.run(model_, &run, is_recorded_ ? &spans : nullptr, error);
                run.failure.rethrow();
                spans.failure.rethrow();
                return code;
            });
        });
        if (is_recorded_) record_run(begin, spans.run);
        for (std::size_t i = 0; i < run.outputs.size(); ++i)
            if (run.outputs[i].dtype() == DType::undefined)
                fail(ErrorCode::process_ended,
                     place_ + " gave no output " + quote(output_names_[i]));
        outputs_ = std::move(run.outputs);
    }

    void record_run(std::int64_t begin, int number) {
        Span span;
        span.kind = EventKind::run;
        span.label = profile_.labels.add({.name = "run"});
        span.run = number;
        span.begin_ns = begin - profile_begin_ns_;
        span.end_ns = steady_now_ns() - profile_begin_ns_;
        profile_.run_spans.push_back(span);
    }

    const PluginEngine found_;
    const LpEngine& engine_;
    const std::string place_, version_;
    bool is_recorded_;
    std::unique_ptr<SessionThreads> threads_;
    LpModel model_ = nullptr;
    std::vector<std::optional<Tensor>> inputs_;  // in the engine's order
    std::vector<std::string> output_names_;
    std::vector<Tensor> outputs_;  // of the newest run
    Profile profile_;
    std::int64_t profile_begin_ns_ = 0;
    EngineMemory memory_;
    double load_ms_ = 0;
    bool has_run_ = false;
};

}  // namespace

std::unique_ptr<EngineSession> open_plugin_session(const PluginRequest& request) {
    return std::make_unique<PluginSession>(request);
}

}  // namespace lapidary
