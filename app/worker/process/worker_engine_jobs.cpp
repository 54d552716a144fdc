// SPDX-License-Identifier: Apache-2.0
// The jobs of a WorkerEngine: what each asks of the worker, and how its answer is read.
#include <algorithm>
#include <utility>

#include <lapidary/internal/measurement_tree.h>
#include <lapidary/internal/shared_memory.h>

#include "worker/inputs/input_look.h"
#include "worker/process/worker_engine.h"
#include "worker/protocol/hex_text.h"
#include "worker/protocol/job_json.h"
#include "worker/protocol/json_members.h"
#include "worker/protocol/quantize_json.h"
#include "worker/protocol/run_record_bytes.h"

namespace lapidary::app {
namespace {

std::string title_of(const ModelSource& source) {
    return source.sample.empty() ? source.file.filename().string() : source.sample;
}

/// Takes the block that an answer reports.
ReceivedRun received(const nlohmann::json& result) {
    JsonMembers members(result, "the result");
    JsonMembers block(members.at("block"), "the block");
    const auto memory = std::make_shared<SharedMemory>(
        SharedMemory::take(block.get<std::string>("name"), block.get<std::size_t>("bytes")));
    ByteReader reader(memory->bytes(), memory);
    return read_run_record(reader);
}

}  // namespace

std::optional<WorkerOptions> WorkerEngine::options_if_busy() const {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) return std::nullopt;
    WorkerOptions options = options_;
    options.on_end = {};  // the waiting caller gets the error anyway
    options.on_silence = {};
    return options;
}

void WorkerEngine::survive_reading(const ModelSource& model, const Progress& progress) {
    if (std::optional<WorkerOptions> other = options_if_busy())
        return WorkerEngine(std::move(*other)).survive_reading(model, progress);
    try {
        call({{"job", "read"}, {"model", to_json(model)}}, "reading " + title_of(model), progress);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::io_failure) throw;
        // No worker, or no such file: which of them it was shows who opens it.
    }
}

RunRecord WorkerEngine::profile(const ModelSource& model, const RunSettings& settings,
                                const Progress& progress) {
    if (!model.in_other_process()) return local_.profile(model, settings, progress);
    const Json result =
        call({{"job", "profile"}, {"model", to_json(model)}, {"settings", to_json(settings)}},
             "the profile of " + title_of(model), progress);
    RunRecord record =
        complete_run_record(received(result), model, settings, progress.to_complete());
    if (result.contains("check")) record.check = read_output_check(result.at("check"));
    return record;
}

std::vector<Measurement> WorkerEngine::measure(
    const MeasureJob& job, const Progress& progress,
    const std::function<void(const std::vector<Measurement>&)>& on_round) {
    if (std::ranges::any_of(job.candidates, [](const MeasureJob::Candidate& c) {
            return !c.model.in_other_process();
        }))
        return local_.measure(job, progress, on_round);
    Json request = to_json(job);
    request["job"] = "measure";
    const std::string what =
        "the measurement of " +
        (job.candidates.empty() ? std::string("nothing") : title_of(job.candidates.front().model));
    return from_json_tree<std::vector<Measurement>>(
        call(std::move(request), what, progress, nullptr, [&](const Json& state) {
            if (on_round) on_round(from_json_tree<std::vector<Measurement>>(state));
        }));
}

SweepResult WorkerEngine::sweep(const SweepJob& job, const Progress& progress,
                                const SweepControl* control,
                                const std::function<void(const SweepResult&)>& on_change) {
    if (!job.model.in_other_process()) return local_.sweep(job, progress, control, on_change);
    Json request = to_json(job);
    request["job"] = "sweep";
    return from_json_tree<SweepResult>(call(std::move(request),
                                            "the sweep of " + title_of(job.model), progress,
                                            control, [&](const Json& state) {
                                                if (on_change)
                                                    on_change(from_json_tree<SweepResult>(state));
                                            }));
}

std::vector<OutputComparison> WorkerEngine::compare_outputs(const ModelSource& a,
                                                            const ModelSource& b,
                                                            const RunSettings& settings,
                                                            const Progress& progress) {
    if (!a.in_other_process() || !b.in_other_process())
        return local_.compare_outputs(a, b, settings, progress);
    return read_outputs(call({{"job", "compare_outputs"},
                              {"a", to_json(a)},
                              {"b", to_json(b)},
                              {"settings", to_json(settings)}},
                             "the comparison of outputs of " + title_of(a), progress));
}

QuantizeRecord WorkerEngine::quantize(const QuantizeJob& job, const Progress& progress,
                                      const std::function<void(const QuantizeRecord&)>& on_change) {
    if (!job.model.in_other_process()) return local_.quantize(job, progress, on_change);
    Json request = to_json(job);
    request["job"] = "quantize";
    return read_quantize_record(call(std::move(request),
                                     "the quantization of " + title_of(job.model), progress,
                                     nullptr, [&](const Json& state) {
                                         if (on_change) on_change(read_quantize_record(state));
                                     }));
}

SampleLook WorkerEngine::look_at_samples(const ModelSource& model, const SampleChoice& samples,
                                         const std::filesystem::path& labels,
                                         const Progress& progress) {
    if (!model.in_other_process()) return local_.look_at_samples(model, samples, labels, progress);
    Json request{{"job", "look_at_samples"},
                 {"model", to_json(model)},
                 {"samples", to_json(samples)},
                 {"labels_hex", hex_of(labels.string())}};
    return read_sample_look(
        call(std::move(request), "a look at samples of " + title_of(model), progress));
}

InputLook WorkerEngine::look_at_inputs(const ModelSource& model, const RunSettings& settings,
                                       const std::vector<std::string>& dropped,
                                       const Progress& progress) {
    if (!model.in_other_process()) return local_.look_at_inputs(model, settings, dropped, progress);
    Json request{{"job", "look_at_inputs"},
                 {"model", to_json(model)},
                 {"settings", to_json(settings)},
                 {"dropped", dropped}};
    return read_input_look(
        call(std::move(request), "a look at inputs of " + title_of(model), progress));
}

}  // namespace lapidary::app
