// SPDX-License-Identifier: Apache-2.0
#include "cli/quantize/quantize_steps.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/proof/judge_labelled.h>
#include <lapidary/internal/scratch_folder.h>
#include <lapidary/quantize/resumed_quantization.h>

#include "cli/models/model_argument.h"
#include "cli/quantize/quantize_auto.h"
#include "cli/quantize/shared_search.h"
#include "worker/models/quantized_file.h"

namespace lapidary::cli {
namespace {

class QuantizeSteps {
public:
    QuantizeSteps(const QuantizeCommandOptions& options, ModelPtr model,
                  const PreparedSamples& samples, const Labels* labels, const SayLine& say,
                  const Progress& progress)
        : options_(options), model_(std::move(model)), samples_(samples.samples),
          progress_(progress), split_(split_samples(samples_)),
          threads_(options.quantize.calibration.threads), labels_(labels), say_(say) {
        out_.preprocessing = samples.judgement;
        if (options.in_onnxruntime) peer_ = find_onnxruntime_peer({});
    }

    QuantizeOutcome run() {
        look_at_data();
        make();
        if (!samples_note_.empty()) add_note(out_.result.notes, samples_note_);
        for (const std::string& warning : samples_->warnings())
            add_note(out_.result.notes, warning);
        if (samples_->size() == 1)
            out_.result.notes.push_back(
                "there is one sample alone: it gave the ranges and is judged on too");
        // a search has judged its models already, and keeps them after a cancel
        if (!options_.search) judge();
        if (!progress_.cancel.is_cancelled()) try {
                look_closer();
            } catch (const Error& error) {  // a model that was made before is written nevertheless
                if (error.code() != ErrorCode::cancelled) throw;
            }
        out_.conditions = conditions_of_runs(*model_, *split_.evaluation_samples, threads_,
                                             !options_.data.empty());
        out_.bytes_before = constant_bytes(*model_);
        out_.bytes_after = constant_bytes(out_.result.model);
        if (out_.written) out_.written->model = nullptr;  // its file is removed
        return std::move(out_);
    }

private:
    /// Checks samples and labels before a search, which may take long.
    void look_at_data() {
        const std::string sentence = out_.preprocessing.sentence(true);
        if (out_.preprocessing.is_warning) out_.data_warnings.push_back(sentence);
        else if (!sentence.empty()) samples_note_ = sentence;
        if (!sentence.empty()) say_(sentence);
        if (!labels_) return;
        progress_.step("right answers of the float model");
        try {
            out_.float_answers =
                count_judged(model_, *samples_, *labels_, threads_, {progress_.cancel, {}});
            say_(float_model_sentence(*out_.float_answers));
            if (const auto fault = float_model_fault(*out_.float_answers)) {
                out_.data_warnings.push_back(*fault);
                say_(*fault);
            }
        } catch (const Error& error) {  // the model is made without labels
            if (error.code() == ErrorCode::cancelled ||
                labels_per_sample(*labels_, samples_->size()) > 1)
                throw;
            out_.data_warnings.push_back(std::string("no answer was compared with a label: ") +
                                         error.what());
        }
    }

    void make() {
        if (!options_.search) {
            out_.result =
                quantized_for(options_, *model_, split_.calibration_samples.get(), progress_);
            return;
        }
        const TrialSeen on_trial = [&](const RecipeTrial&, const QuantizeResult* result) {
            made_.push_back(options_.pareto && result ? std::make_shared<const Model>(result->model)
                                                      : nullptr);
        };
        const std::vector<KnownTrial> known = load_known_trials(options_.shared);
        SearchResult found =
            options_.automatic ? search_both_modes(model_, options_, samples_, progress_, on_trial)
                               : search_known_recipes(*model_, options_.quantize, samples_,
                                                      options_.budget, known, progress_, on_trial);
        out_.result = std::move(found.best);
        out_.trials = std::move(found.trials);
        out_.best = found.best_trial;
        out_.stopped = found.stopped;
        out_.accuracy = out_.trials.at(out_.best).accuracy;
    }

    void look_closer() {
        if (options_.search) judge();
        if (options_.pareto)
            for (const auto& measured :
                 measured_in_turn(made_, *split_.evaluation_samples, threads_, progress_))
                out_.ms.push_back(measured ? std::optional(measured->wall.median.median)
                                           : std::nullopt);
        judge_by_labels();
        repair();
        analyse();
        measure();
        if (options_.inspects()) inspect();
    }

    /// Judges the model by the outputs of its file after it is read back.
    void judge() {
        const Progress quiet{progress_.cancel, {}};
        progress_.step("judging what the file does");
        app::stamp_quantization(out_.result.model, chosen_options(options_, out_));
        ++writings_;
        try {
            save_model(out_.result.model, written_file(), {});
            out_.written =
                judge_written(model_, written_file(), *split_.evaluation_samples, threads_, quiet);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::io_failure) throw;
            add_note(out_.result.notes,
                     std::string("it could not be read back from a file: ") + error.what());
            const auto made = std::make_shared<const Model>(out_.result.model);
            out_.written =
                judge_at_both_levels(model_, made, *split_.evaluation_samples, threads_, quiet);
        }
        out_.accuracy = out_.written->worse();
    }

    /// Counts right answers of the float and the quantized model on the samples that were not used
    /// for ranges.
    void judge_by_labels() {
        if (!out_.float_answers) return;
        try {
            LabelledJudgement found = judge_labelled(*out_.float_answers, out_.written->model,
                                                     *samples_, *labels_, threads_, progress_);
            out_.labelled = LabelledAccuracy{std::move(found.original), std::move(found.quantized)};
            for (const std::string& warning : found.warnings)
                if (std::ranges::find(out_.data_warnings, warning) == out_.data_warnings.end())
                    add_note(out_.result.notes, warning);
        } catch (const Error& error) {  // the model was made, and is written
            if (error.code() == ErrorCode::cancelled) throw;
            add_note(out_.result.notes,
                     std::string("no answer was compared with a label: ") + error.what());
        }
    }

    /// Replaces the result by `made` and keeps the notes of both.
    void replace(QuantizeResult made) {
        std::vector<std::string> notes = std::exchange(out_.result.notes, {});
        out_.result = std::move(made);
        for (const std::string& note : notes) add_note(out_.result.notes, note);
        judge();
        judge_by_labels();
    }

    /// If the best is unusable, tries to repair it, unless that recipe was requested by name.
    void repair() {
        const AccuracyFloor usual = usual_floor(chosen_options(options_, out_));
        const auto fault = fault_of(figures_of(out_), usual, false);
        const bool is_wanted = options_.floor && !is_below_floor();
        if (!fault || is_wanted || options_.as_asked || out_.result.quantized == 0 ||
            !can_be_repaired(options_.quantize))
            return;
        const double before = out_.accuracy.sqnr_db();
        std::optional<QuantizeRepair> better = repair_quantized(
            model_, chosen_options(options_, out_), samples_,
            {usual, out_.written->worse_level(), options_.search, options_.budget}, progress_);
        if (!better) return;
        out_.repaired = RepairedOptions{better->options, before};
        replace(std::move(better->made));
        out_.result.notes.insert(out_.result.notes.begin(),
                                 fmt::format("as asked for, outputs were far off ({}): made with "
                                             "{} in its place, which --as-asked leaves",
                                             *fault, recipe_words(out_.repaired->options)));
    }

    /// True if the counted figure is below the floor.
    bool is_below_floor() {
        const std::optional<double> value = value_now(*options_.floor, out_);
        if (!value)
            add_note(out_.result.notes, "nothing was counted that the floor of " +
                                            options_.floor->text_of(options_.floor->bound) +
                                            " could be held against");
        return value && !options_.floor->is_reached(*value);
    }

    /// Analyses the best options: the accuracy lost by weights and activations and by each node,
    /// and the nodes to keep float for the floor.
    void analyse() {
        if (out_.result.quantized == 0)
            return;  // nothing was quantized, which a note says: there is nothing to rank
        const QuantizeOptions chosen = chosen_options(options_, out_);
        if (options_.diagnose)
            out_.diagnosis = diagnose_quantization(*model_, chosen, samples_, progress_);
        const bool below = options_.floor && is_below_floor() && samples_->size() > 1;
        if (!options_.sensitivity && !below) return;
        SensitivityOptions how;
        how.budget_seconds = options_.budget;
        how.level = out_.written->worse_level();
        out_.sensitivity = rank_sensitivity(*model_, chosen, samples_, how, progress_);
        if (!below) return;
        out_.floor = keep_float_until(*model_, chosen, samples_, *out_.sensitivity, *options_.floor,
                                      labels_, progress_, how.level);
        replace(quantize_model(*model_, out_.floor->options, split_.calibration_samples.get(),
                               progress_));
    }

    void measure() {
        out_.times = measured_times(model_, out_.written->model, *split_.evaluation_samples,
                                    threads_, progress_);
        if (!peer_) return;
        out_.onnxruntime_version = peer_->version();
        try {
            out_.times_onnxruntime = measured_times(
                *peer_, model_file_of(options_.model.string(), 0, scratch_.path(), progress_),
                written_file(), *split_.evaluation_samples, threads_, progress_);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            add_note(out_.result.notes,
                     "ONNX Runtime " + peer_->version() + " ran no pair of them: " + error.what());
        }
    }

    void inspect() {
        QuantizedInspection found =
            inspect_quantized(*model_, chosen_options(options_, out_), out_.result,
                              *split_.calibration_samples, *split_.evaluation_samples, progress_);
        out_.layers = std::move(found.layers);
        for (const std::string& warning : found.warnings) add_note(out_.result.notes, warning);
    }

    /// A new file name for each model, because a file that is open as a model must not be
    /// overwritten.
    std::filesystem::path written_file() const {
        return scratch_.path() / fmt::format("quantized-{}.onnx", writings_);
    }

    const QuantizeCommandOptions& options_;
    ModelPtr model_;
    SampleSourcePtr samples_;
    const Progress& progress_;
    SampleSplit split_;
    int threads_;
    const Labels* labels_;  // null: none
    const SayLine& say_;
    std::string samples_note_;
    std::unique_ptr<BenchPeer> peer_;
    int writings_ = 0;
    ScratchFolder scratch_;       // declared before members that may read from a file in it
    std::vector<ModelPtr> made_;  // by trial; only those on the Pareto front
    QuantizeOutcome out_;
};

}  // namespace

SampleSourcePtr quantize_samples(const QuantizeCommandOptions& options, const ModelPtr& model,
                                 const CancelToken& cancel) {
    if (options.data.empty()) return generated_samples(model, options.generated, options.seed);
    if (!options.text.vocabulary.empty()) return text_samples(*model, options.data, options.text);
    return folder_samples(*model, options.data, options.images, cancel);
}

QuantizeResult quantized_for(const QuantizeCommandOptions& options, const Model& model,
                             const SampleSource* samples, const Progress& progress) {
    if (options.output.empty()) return quantize_model(model, options.quantize, samples, progress);
    return resume_quantization(model, options.quantize, samples,
                               kept_weights_folder(options.output), progress);
}

QuantizeOutcome quantize_in_steps(const QuantizeCommandOptions& options, const ModelPtr& model,
                                  const PreparedSamples& samples, const Labels* labels,
                                  const SayLine& say, const Progress& progress) {
    return QuantizeSteps(options, model, samples, labels, say, progress).run();
}

std::optional<double> value_now(const AccuracyFloor& floor, const QuantizeOutcome& out) {
    try {
        if (floor.measure != AccuracyFloor::Measure::top1) return floor_value(floor, out.accuracy);
        if (out.labelled) return top1_lost(out.labelled->original, out.labelled->quantized);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::not_supported) throw;
    }
    return std::nullopt;
}

void add_note(std::vector<std::string>& notes, const std::string& note) {
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
}

}  // namespace lapidary::cli
