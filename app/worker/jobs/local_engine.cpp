// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/engine.h"

#include <algorithm>
#include <chrono>

#include <lapidary/proof/compare_variants.h>
#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/proof/judge_labelled.h>
#include <lapidary/inputs/preprocessing.h>
#include <lapidary/internal/scratch_folder.h>
#include <lapidary/profile/session_overhead.h>

#include "worker/inputs/input_look.h"
#include "worker/jobs/measure_candidates.h"
#include "worker/jobs/engine_run.h"
#include "worker/jobs/quantize_run.h"
#include "worker/inputs/sample_look.h"
#include "worker/protocol/run_record_bytes.h"

namespace lapidary::app {
namespace {

constexpr std::size_t looked_at_samples = 12;

/// On the devices that the variant's recipe names.
void place(SessionOptions& options, const Recipe& recipe) {
    options.providers.clear();
    options.fallback = Fallback::allow;
    if (!recipe.runs_on) return;
    options.providers = opened_providers(*recipe.runs_on);
    options.fallback = recipe.runs_on->fallback;
}

void place(SessionOptions& options, const ModelSource& source) {
    place(options, source.recipe ? *source.recipe : Recipe());
}

/// Variants of one model that differ in what optimizing made of it alone: rounding is all that may
/// set them apart.
bool differ_by_optimizing_alone(const ModelSource& a, const ModelSource& b) {
    const Recipe first = a.recipe.value_or(Recipe()), second = b.recipe.value_or(Recipe());
    return a.file == b.file && a.sample == b.sample && first.quantization == second.quantization &&
           first.other_model == second.other_model && !first.runs_on && !second.runs_on;
}

}  // namespace

RunRecord LocalEngine::profile(const ModelSource& source, const RunSettings& settings,
                               const Progress& progress) {
    if (runs_in_other_engine(source)) return profile_in_engine(source, settings, progress);
    const ModelPtr& model = source.model;
    progress.step("compile");
    SessionOptions options = session_options(settings, source.session_passes());
    options.limits = limits_;
    place(options, source);
    std::optional<Session> session = Session::compile(model, options, progress);

    progress.step("generate inputs");
    GenerateOptions generate;
    generate.usual = true;
    generate.seed = settings.seed;
    generate.dimensions = options.free_dimensions;
    generate.cancel = progress.cancel;
    RunRecord record;
    record.model = model;
    record.executed = std::make_shared<const Model>(session->model());
    record.inputs = inputs_of(*model, settings.given, generate);

    RunOptions run;
    run.cancel = progress.cancel;
    for (int i = 0; i < settings.warmups; ++i) {
        progress.step("warm up", double(i) / settings.warmups);
        session->run(record.inputs, run);
    }
    run.profile = true;
    run.repetitions = std::max(1, settings.repetitions);
    run.keep_finished = true;
    int finished = 0, before = 0;  // repetitions; steps count from one again in each
    run.progress = [&](int done, int total) {
        if (done < before) ++finished;
        before = done;
        if (total > 0) progress.step("run", (finished + double(done) / total) / run.repetitions);
    };
    progress.step("run", 0);
    RunResult result = session->run(record.inputs, run);
    const bool was_cancelled = progress.cancel.is_cancelled();
    const Progress rest = progress.to_complete();

    record.outputs = std::move(result.outputs);
    if (const NamedValues expected = expected_values(*model, settings.given, progress.cancel);
        !expected.empty()) {
        rest.step("compare with the recorded outputs");
        record.check = check_outputs(record.outputs, expected, same_result);
    }
    if (!result.profile) fail(ErrorCode::internal, "the run returned no profile");
    record.plan = session->plan();
    record.placement = session->placement();
    if (!options.providers.empty() && !was_cancelled) {
        progress.step("measure what the device reaches");
        record.device_peaks = device_peaks(options.providers);
        record.lowered =
            measure_lowered_precision(model, options, record.inputs, record.outputs, progress);
    }
    rest.step("summarize");
    record.profile = with_surrounding_phases(*result.profile, {{}, {}, timed_end(session)});
    record.summary = summarize(*record.profile);
    return record;
}

std::vector<Measurement> LocalEngine::measure(
    const MeasureJob& job, const Progress& progress,
    const std::function<void(const std::vector<Measurement>&)>& on_round) {
    return measure_candidates(job, progress, on_round);
}

SweepResult LocalEngine::sweep(const SweepJob& job, const Progress& progress,
                               const SweepControl* control,
                               const std::function<void(const SweepResult&)>& on_change) {
    SweepOptions options = job.options;
    options.optimizing = job.recipe.options();
    options.dimensions.insert(job.recipe.dimensions.begin(), job.recipe.dimensions.end());
    options.session_passes = job.recipe.session_passes;
    options.session.limits = limits_;
    const ScratchFolder folder;
    if (job.recipe.runsInOtherEngine()) {
        ModelSource source = job.model;
        source.recipe = job.recipe;
        options.open = [source, file = engine_file(source, folder.path(), progress)](
                           const RunConfiguration& configuration, const NamedValues& inputs,
                           const Progress& within) {
            return open_swept(source, configuration, inputs, file, within.cancel);
        };
    } else {
        place(options.session, job.recipe);
    }
    options.given = given_values(*job.model.model, job.given, options.dimensions, progress.cancel);
    if (!job.verify.empty())
        return verify(job.model.model, job.found, job.verify, options, progress, on_change);
    return lapidary::sweep(job.model.model, job.space, options, progress, control, on_change);
}

QuantizeRecord LocalEngine::quantize(const QuantizeJob& job, const Progress& progress,
                                     const std::function<void(const QuantizeRecord&)>& on_change) {
    return run_quantization(job, progress, on_change);
}

/// Of the float model, on the samples that judge.
static void count_answers(const ModelPtr& model, const SampleSourcePtr& samples,
                          const Labels& labels, SampleLook& look, const Progress& progress) {
    progress.step("right answers of the float model");
    try {
        const AccuracyCounts counts =
            count_judged(model, *samples, labels, 0, {progress.cancel, {}});
        look.float_answers = float_model_sentence(counts);
        if (const auto fault = float_model_fault(counts)) look.warnings.push_back(*fault);
        for (const std::string& warning : counts.warnings) look.notes.push_back(warning);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled || labels_per_sample(labels, samples->size()) > 1)
            throw;
        look.warnings.push_back(std::string("no answer was compared with a label: ") +
                                error.what());
    }
}

SampleLook LocalEngine::look_at_samples(const ModelSource& model, const SampleChoice& samples,
                                        const std::filesystem::path& labels,
                                        const Progress& progress) {
    const SampleSourcePtr source = samples_of(model.model, samples, progress.cancel);
    if (samples.isGenerated()) return look_at(source, true, looked_at_samples, progress.cancel);
    const std::optional<Labels> known =
        labels.empty() ? std::nullopt : std::optional(load_labels(labels));
    const PreparedSamples prepared = prepare_samples(model.model, source, samples.images,
                                                     known ? &*known : nullptr, 0, progress);
    SampleLook look = look_at(prepared.samples, false, looked_at_samples, progress.cancel);
    look.pixels = source->pixels(progress.cancel).kind;
    if (prepared.judgement.is_guessed) look.guess = prepared.images;
    if (const std::string sentence = prepared.judgement.sentence(false); !sentence.empty())
        (prepared.judgement.is_warning ? look.warnings : look.notes).push_back(sentence);
    if (known) count_answers(model.model, prepared.samples, *known, look, progress);
    for (const std::string& note : prepared.samples->warnings()) look.notes.push_back(note);
    return look;
}

InputLook LocalEngine::look_at_inputs(const ModelSource& model, const RunSettings& settings,
                                      const std::vector<std::string>& dropped,
                                      const Progress& progress) {
    GenerateOptions generate;
    generate.usual = true;
    generate.seed = settings.seed;
    generate.cancel = progress.cancel;
    for (const auto& [name, size] : settings.dimensions)
        if (size > 0) generate.dimensions.emplace(name, size);
    return app::look_at_inputs(*model.model, settings.given, dropped, generate);
}

std::vector<OutputComparison> LocalEngine::compare_outputs(const ModelSource& a,
                                                           const ModelSource& b,
                                                           const RunSettings& settings,
                                                           const Progress& progress) {
    SessionOptions options = session_options(settings, {});
    options.enable_profiling = false;
    options.limits = limits_;
    GenerateOptions generate;
    generate.usual = true;
    generate.seed = settings.seed;
    generate.dimensions = options.free_dimensions;
    generate.cancel = progress.cancel;
    progress.step("generate inputs");
    const NamedValues inputs = inputs_of(*a.model, settings.given, generate);
    RunOptions run;
    run.cancel = progress.cancel;
    double run_ms[2] = {0, 0};
    const auto outputs_of = [&](const ModelSource& source, double share) {
        progress.step("run", share);
        if (runs_in_other_engine(source))
            return outputs_in_engine(source, settings, inputs, {progress.cancel, {}});
        options.session_passes = source.session_passes();
        place(options, source);
        Session session = Session::compile(source.model, options, {progress.cancel, {}});
        const auto start = std::chrono::steady_clock::now();
        NamedValues outputs = session.run(inputs, run).outputs;
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - start;
        run_ms[&source == &b ? 1 : 0] = took.count();
        return outputs;
    };
    const NamedValues first = outputs_of(a, 0), second = outputs_of(b, 0.5);
    progress.step("compare");
    if (!differ_by_optimizing_alone(a, b)) return lapidary::compare_outputs(second, first);
    const VariantRun run_a{*a.model, first, run_ms[0]}, run_b{*b.model, second, run_ms[1]};
    const bool a_is_plainer =
        a.recipe.value_or(Recipe()).runLevel() <= b.recipe.value_or(Recipe()).runLevel();
    return compare_variants(run_b, run_a, a_is_plainer ? run_a : run_b, inputs, same_result,
                            progress);
}

}  // namespace lapidary::app
