// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/run_job.h"

#include <chrono>
#include <map>
#include <string_view>

#include <lapidary/internal/measurement_tree.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/report/model_summary.h>
#include <lapidary/internal/parse_json.h>

#include "worker/protocol/hex_text.h"
#include "worker/inputs/input_look.h"
#include "worker/protocol/json_members.h"
#include "worker/jobs/measure_candidates.h"
#include "worker/protocol/quantize_json.h"
#include "worker/protocol/run_record_bytes.h"

namespace lapidary::app {
namespace {

struct Context {
    JsonMembers& request;
    Engine& engine;
    ModelCache& cache;
    const Progress& progress;
    const SweepControl& control;
    const std::function<void(Json)>& on_state;

    ModelSource model(const Json& json) const {
        ModelSource source = read_model_source(json);
        source.model = cache.get(source, progress);
        return source;
    }
};

Json profile(const Context& context) {
    const RunSettings settings = read_run_settings(context.request.at("settings"));
    const ModelSource model = context.model(context.request.at("model"));
    context.request.finish();
    RunRecord record = context.engine.profile(model, settings, context.progress);
    record.profile = with_surrounding_phases(*record.profile, context.cache.times());
    context.progress.to_complete().step("hand over");
    SharedMemory block = run_record_block(record);
    block.hand_on();
    Json answer{{"block", {{"name", block.name()}, {"bytes", block.bytes().size()}}}};
    if (!record.check.verdicts.empty()) answer["check"] = to_json(record.check);
    return answer;
}

/// All that the window does with a file before it shows it.
Json read(const Context& context) {
    const ModelSource source = read_model_source(context.request.at("model"));
    context.request.finish();
    try {
        return {{"nodes", summarize(*context.cache.get(source, context.progress)).nodes}};
    } catch (const Error& error) {
        if (error.code() != ErrorCode::invalid_model || source.file.empty() || source.recipe) throw;
        // The window shows a model with faults all the same.
        std::vector<ModelFault> faults;
        const Model model =
            load_model(source.file, {.channel_block = source.channel_block, .faults = &faults},
                       context.progress);
        return {{"nodes", summarize(model).nodes}, {"faults", faults.size()}};
    }
}

Json compare_outputs(const Context& context) {
    const RunSettings settings = read_run_settings(context.request.at("settings"));
    const ModelSource a = context.model(context.request.at("a"));
    const ModelSource b = context.model(context.request.at("b"));
    context.request.finish();
    return to_json(context.engine.compare_outputs(a, b, settings, context.progress));
}

/// The value of a type that lapidary/internal/measurement_tree.h knows.
template <typename T>
T value_of(JsonMembers& members, const char* name) {
    try {
        return from_json_tree<T>(members.at(name));
    } catch (Error& error) { throw error.at(name); }
}

Json measure(const Context& context) {
    MeasureJob job;
    for (const Json& item : context.request.at("candidates")) {
        JsonMembers members(item, "a candidate");
        MeasureJob::Candidate candidate;
        candidate.configuration = value_of<RunConfiguration>(members, "configuration");
        candidate.model = context.model(members.at("model"));
        members.finish();
        job.candidates.push_back(std::move(candidate));
    }
    if (job.candidates.empty()) fail_input("there are no candidates to measure");
    if (context.request.has("options"))
        job.options = value_of<MeasureOptions>(context.request, "options");
    job.dimensions = context.request.get<std::map<std::string, std::int64_t>>("dimensions", {});
    job.seed = context.request.get<std::uint64_t>("seed", job.seed);
    if (context.request.has("given")) job.given = read_given_inputs(context.request.at("given"));
    job.memory = context.request.get<bool>("memory", job.memory);
    context.request.finish();
    std::vector<Measurement> newest;
    const auto on_round = [&](const std::vector<Measurement>& state) {
        newest = state;
        context.on_state(json_tree(state, false));
    };
    try {
        return json_tree(context.engine.measure(job, context.progress, on_round));
    } catch (const Error& error) {  // what there is, with all samples
        if (error.code() == ErrorCode::cancelled && !newest.empty())
            context.on_state(json_tree(newest));
        throw;
    }
}

Json sweep(const Context& context) {
    SweepJob job;
    if (context.request.has("options"))
        job.options = value_of<SweepOptions>(context.request, "options");
    if (context.request.has("verify")) {
        job.verify = context.request.get<std::vector<std::size_t>>("verify");
        job.found = value_of<SweepResult>(context.request, "found");
    } else {
        job.space = value_of<SweepSpace>(context.request, "space");
    }
    if (context.request.has("recipe")) job.recipe = read_recipe(context.request.at("recipe"));
    if (context.request.has("given")) job.given = read_given_inputs(context.request.at("given"));
    job.model = context.model(context.request.at("model"));
    context.request.finish();
    SweepResult newest;
    const auto on_change = [&](const SweepResult& state) {
        newest = state;
        context.on_state(json_tree(state, false));
    };
    try {
        return json_tree(context.engine.sweep(job, context.progress, &context.control, on_change));
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled && !newest.cells.empty())
            context.on_state(json_tree(newest));
        throw;
    }
}

Json quantize(const Context& context) {
    QuantizeJob job = read_quantize_job(context.request);
    job.model = context.model(context.request.at("model"));
    context.request.finish();
    return to_json(context.engine.quantize(job, context.progress, [&](const QuantizeRecord& state) {
        context.on_state(to_json(state));
    }));
}

Json look_at_samples(const Context& context) {
    const SampleChoice samples = read_sample_choice(context.request.at("samples"));
    const std::filesystem::path labels =
        bytes_of_hex(context.request.get<std::string>("labels_hex"), "\"labels_hex\"");
    const ModelSource model = context.model(context.request.at("model"));
    context.request.finish();
    return to_json(context.engine.look_at_samples(model, samples, labels, context.progress));
}

Json look_at_inputs(const Context& context) {
    const RunSettings settings = read_run_settings(context.request.at("settings"));
    const auto dropped = context.request.get<std::vector<std::string>>("dropped", {});
    const ModelSource model = context.model(context.request.at("model"));
    context.request.finish();
    return to_json(context.engine.look_at_inputs(model, settings, dropped, context.progress));
}

const std::map<std::string_view, Json (*)(const Context&)> jobs{
    {"quantize", quantize},
    {"look_at_samples", look_at_samples},
    {"look_at_inputs", look_at_inputs},
    {"read", read},
    {"profile", profile},
    {"measure", measure},
    {"sweep", sweep},
    {"compare_outputs", compare_outputs}};

}  // namespace

std::string run_fresh(const std::string& request) {
    const Json json = parse_json(request, "the request");
    JsonMembers members(json, "the request");
    const auto configuration = value_of<RunConfiguration>(members, "configuration");
    const auto dimensions = members.get<std::map<std::string, std::int64_t>>("dimensions", {});
    const auto seed = members.get<std::uint64_t>("seed", 1);
    GivenInputs given;
    if (members.has("given")) given = read_given_inputs(members.at("given"));
    ModelSource source = read_model_source(members.at("model"));
    members.finish();
    const auto start = std::chrono::steady_clock::now();
    source.model = ModelCache().get(source, {});
    const double read_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return fresh_figures(source, configuration, dimensions, seed, given, read_ms);
}

Json run_job(const Json& request, Engine& engine, ModelCache& cache, const Progress& progress,
             const SweepControl& control, const std::function<void(Json)>& on_state) {
    JsonMembers members(request, "the request");
    members.get<std::int64_t>("id");
    const auto name = members.get<std::string>("job");
    const auto job = jobs.find(name);
    if (job == jobs.end()) {
        std::string known;
        for (const auto& [other, function] : jobs) (known += known.empty() ? "" : ", ") += other;
        fail_input("there is no job " + quote(name) + "; the jobs are " + known);
    }
    return job->second({members, engine, cache, progress, control, on_state});
}

}  // namespace lapidary::app
