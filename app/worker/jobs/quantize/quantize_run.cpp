// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/quantize/quantize_run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include <lapidary/bench/bench.h>
#include <lapidary/base/error.h>
#include <lapidary/proof/judge_labelled.h>

#include "worker/models/quantized_file.h"

namespace lapidary::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double measured_longer = 4;  // the best, at the end

/// Times the float model and others in turn, on the first sample that can be read.
class Stopwatch {
public:
    Stopwatch(const QuantizeJob& job, ModelPtr original, const SampleSource& samples,
              const CancelToken& cancel)
        : job_(job), original_(std::move(original)),
          inputs_(first_readable_sample(samples, cancel)) {
        configuration_.level = default_run_level;
        configuration_.resources.threads =
            job.threads > 0 ? job.threads : std::max(1, int(std::thread::hardware_concurrency()));
    }

    /// The float model, then the other; nothing where no time is to be taken.
    std::vector<Measurement> measure(const ModelPtr& other, double times,
                                     const Progress& progress) {
        if (!(job_.measure_seconds > 0) || inputs_.empty()) return {};
        const Progress quiet{progress.cancel, {}};
        if (!first_) first_ = open_engine(original_, configuration_, inputs_, quiet);
        const auto second = open_engine(other, configuration_, inputs_, quiet);
        const std::array<Candidate, 2> candidates{
            {{configuration_, first_.get()}, {configuration_, second.get()}}};
        MeasureOptions options;
        options.seconds = job_.measure_seconds * times;
        options.warmups = 1;
        std::vector<Measurement> measured = measure_interleaved(candidates, options, quiet);
        for (const Measurement& side : measured)
            if (!side.error.empty()) fail(ErrorCode::internal, side.error);
        return measured;
    }

private:
    const QuantizeJob& job_;
    ModelPtr original_;
    NamedValues inputs_;
    RunConfiguration configuration_;
    std::unique_ptr<BenchEngine> first_;
};

class QuantizeRun {
public:
    QuantizeRun(const QuantizeJob& job, const Progress& progress,
                const std::function<void(const QuantizeRecord&)>& on_change)
        : job_(job), progress_(progress), on_change_(on_change),
          samples_(samples_of(job.model.model, job.quantization.samples, progress.cancel)),
          split_(split_samples(samples_)),
          stopwatch_(job, job.model.model, *split_.evaluation_samples, progress.cancel) {
        // read first: what does not fit is refused before anything is made
        if (!job.labels.empty()) {
            labels_ = load_labels(job.labels);
            labels_per_sample(*labels_, samples_->size());
        }
        record_.original_bytes = constant_bytes(*job.model.model);
        record_.generated = job.quantization.samples.isGenerated();
        record_.calibration_samples = split_.calibration_samples->size();
        record_.evaluation_samples = split_.evaluation_samples->size();
    }

    QuantizeRecord run() {
        if (job_.rank) return ranked();
        count_float_answers();
        try {
            complete_ = true;
            if (job_.search && samples_->size() > 1) search_modes();
            else try_alone(job_.quantization.options);
            settle_best();
            judge_file();
            repair_best();
            measure_best();
            inspect_best();
            judge_by_labels();
            record_.complete = complete_;
        } catch (const Error& error) {
            if (error.code() != ErrorCode::cancelled || record_.best < 0) throw;
        }
        if (record_.best < 0) fail(ErrorCode::not_supported, why_nothing());
        give_verdict();
        record_.seconds = elapsed();
        return std::move(record_);
    }

private:
    double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

    /// Those of the quantized model are held against them.
    void count_float_answers() {
        if (!labels_) return;
        progress_.step("right answers of the float model");
        try {
            float_answers_ =
                count_judged(job_.model.model, *samples_, *labels_,
                             job_.quantization.options.calibration.threads, {progress_.cancel, {}});
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled ||
                labels_per_sample(*labels_, samples_->size()) > 1)
                throw;
        }
    }

    QuantizeRecord ranked() {
        const QuantizeOptions& options = job_.quantization.options;
        record_.diagnosis = diagnose_quantization(*job_.model.model, options, samples_, progress_);
        SensitivityOptions how;
        how.budget_seconds = job_.budget_seconds;
        record_.sensitivity =
            rank_sensitivity(*job_.model.model, options, samples_, how, progress_);
        record_.complete = record_.sensitivity->complete;
        record_.seconds = elapsed();
        return std::move(record_);
    }

    void search_modes() {
        std::vector<QuantizeMode> modes{job_.quantization.options.mode};
        if (job_.both_modes) modes = {QuantizeMode::dynamic, QuantizeMode::static_qdq};
        for (std::size_t m = 0; m < modes.size(); ++m) {
            QuantizeOptions options = job_.quantization.options;
            options.mode = modes[m];
            const double from = double(m) / double(modes.size()),
                         share = 1.0 / double(modes.size());
            Progress part{progress_.cancel, [&](std::string_view stage, double fraction) {
                              progress_.step(stage, fraction < 0 ? from : from + share * fraction);
                          }};
            // Time that one mode does not need goes to the next. The first recipe of each mode is
            // always tried.
            const double left =
                std::max(0.001, (job_.budget_seconds - elapsed()) / double(modes.size() - m));
            search_mode(options, job_.budget_seconds > 0 ? left : 0, part);
        }
    }

    void search_mode(const QuantizeOptions& options, double budget, const Progress& progress) {
        const std::size_t first = record_.trials.size();
        try {
            const SearchResult found = search_recipes(
                *job_.model.model, options, samples_, budget, progress,
                [&](const RecipeTrial& trial, const QuantizeResult* made) { take(trial, made); });
            complete_ = complete_ && !found.stopped;
            for (std::size_t i = 0; i < found.trials.size() && first + i < record_.trials.size();
                 ++i) {
                set_sqnr(record_.trials[first + i], estimate_of(found.trials[i]));
                record_.trials[first + i].splits = found.trials[i].splits;
            }
            progress_.cancel.throw_if_cancelled();
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled || record_.trials.size() > first) throw;
            QuantizeTrial failed;  // the first recipe of this mode: the other mode may do better
            failed.options = options;
            failed.failure = error.what();
            record_.trials.push_back(std::move(failed));
            report();
        }
    }

    void try_alone(const QuantizeOptions& options) {
        const QuantizeResult made =
            quantize_model(*job_.model.model, options, split_.calibration_samples.get(), progress_);
        RecipeTrial trial;
        trial.options = options;
        trial.accuracy =
            evaluate_quantized(job_.model.model, std::make_shared<const Model>(made.model),
                               *split_.evaluation_samples, options.calibration.threads, progress_);
        trial.sqnr_db = trial.accuracy.sqnr_db();
        trial.error_db = trial.accuracy.error_db;
        trial.evaluation_samples = trial.accuracy.samples;
        trial.weight_bytes = constant_bytes(made.model);
        take(trial, &made);
    }

    void take(const RecipeTrial& from, const QuantizeResult* made) {
        QuantizeTrial trial;
        trial.options = from.options;
        set_sqnr(trial, estimate_of(from));
        trial.bytes = from.weight_bytes;
        trial.failure = from.failure;
        count_answers(trial, from.accuracy);
        if (made) {
            trial.nodes = made->quantized;
            if (made->quantized == 0) trial.failure = "no node can be quantized this way";
        }
        const bool counts = made && trial.failure.empty();
        record_.trials.push_back(std::move(trial));
        const auto is_best = [&] { return best() == std::ptrdiff_t(record_.trials.size()) - 1; };
        // The first is kept before anything else can be cancelled.
        if (counts && saved_ < 0) keep(*made, from.accuracy);
        if (counts) time_it(record_.trials.back(), std::make_shared<const Model>(made->model), 1);
        if (counts && is_best() && saved_ != std::ptrdiff_t(record_.trials.size()) - 1)
            keep(*made, from.accuracy);
        report();
    }

    void time_it(QuantizeTrial& trial, const ModelPtr& model, double times) {
        try {
            const std::vector<Measurement> measured = stopwatch_.measure(model, times, progress_);
            if (measured.size() != 2) return;
            record_.original_ms = measured[0].wall.median;
            trial.ms = measured[1].wall.median;
            trial.ratio = difference_between(measured[0], measured[1], true).ratio;
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            note(std::string("its time could not be measured: ") + error.what());
        }
    }

    /// The newest trial, or the one that `record_.best` is to be.
    void keep(const QuantizeResult& made, const QuantizedAccuracy& accuracy,
              std::ptrdiff_t trial = -1) {
        record_.best = trial < 0 ? std::ptrdiff_t(record_.trials.size()) - 1 : trial;
        const Quantization recipe{record_.trials[std::size_t(record_.best)].options,
                                  job_.quantization.samples};
        const std::filesystem::path file =
            quantized_file(job_.folder, recipe, job_.model.recipe.value_or(Recipe()).edits);
        save_quantized(made.model, recipe, file);
        record_.file = file;
        record_.nodes = made.nodes;
        record_.outputs = accuracy.outputs;
        record_.notes = made.notes;
        record_.ranges = made.ranges;
        record_.layers.clear();
        for (const std::string& text : samples_->warnings()) note(text);
        for (const std::string& text : accuracy.warnings) note(text);
        if (samples_->size() == 1)
            note("there is one sample alone: it gave the ranges and is judged on too");
        saved_ = record_.best;
    }

    void note(const std::string& text) {
        if (std::ranges::find(record_.notes, text) == record_.notes.end())
            record_.notes.push_back(text);
    }

    /// Judging again may have made another one the best.
    void settle_best() {
        const std::ptrdiff_t now = best();
        if (now < 0 || now == saved_) return;
        progress_.step("make the best again");
        const QuantizeResult made =
            quantize_model(*job_.model.model, record_.trials[std::size_t(now)].options,
                           split_.calibration_samples.get(), {progress_.cancel, {}});
        const QuantizedAccuracy accuracy = evaluate_quantized(
            job_.model.model, std::make_shared<const Model>(made.model), *split_.evaluation_samples,
            job_.quantization.options.calibration.threads, {progress_.cancel, {}});
        keep(made, accuracy, now);
        report();
    }

    std::ptrdiff_t best() const {
        return best_trial(record_.trials, job_.goal, job_.floor, record_.original_bytes);
    }

    static void set_sqnr(QuantizeTrial& trial, const DecibelEstimate& estimate) {
        trial.sqnr_db = estimate.db;
        trial.low_db = estimate.low;
        trial.high_db = estimate.high;
    }

    static void count_answers(QuantizeTrial& trial, const QuantizedAccuracy& accuracy) {
        trial.rows = trial.flips = 0;
        for (const OutputAccuracy& output : accuracy.outputs) {
            trial.rows += output.rows;
            trial.flips += output.flips;
        }
    }

    /// Judges the best model by what its file computes when it is read back, at the level with the
    /// worse figures. Only if the job inspects.
    void judge_file() {
        if (record_.best < 0 || !job_.inspect) return;
        progress_.step("judge what the file does");
        written_ =
            judge_written(job_.model.model, record_.file, *split_.evaluation_samples,
                          job_.quantization.options.calibration.threads, {progress_.cancel, {}});
        const QuantizedAccuracy& found = written_->worse();
        record_.outputs = found.outputs;
        QuantizeTrial& trial = record_.trials[std::size_t(record_.best)];
        // Keeps the figure of several splits for level all; a worse figure at another level
        // replaces it.
        if (written_->worse_level() != Level::all) set_sqnr(trial, estimate_of(found));
        count_answers(trial, found);
    }

    AccuracyFloor floor() const {
        if (job_.goal != QuantizeGoal::accurate) return job_.floor;
        return usual_floor(record_.trials[std::size_t(record_.best)].options);
    }

    /// If the best is unusable and recipes are searched, tries to repair it.
    void repair_best() {
        if (!written_ || !job_.search || !can_be_repaired(job_.quantization.options)) return;
        const QuantizeOptions options = record_.trials[std::size_t(record_.best)].options;
        const AccuracyFloor usual = usual_floor(options);
        if (!fault_of(lapidary::figures_of(written_->worse()), usual, false)) return;
        progress_.step("keep sensitive nodes float");
        const double left = std::max(1.0, job_.budget_seconds - elapsed());
        std::optional<QuantizeRepair> better = repair_quantized(
            job_.model.model, options, samples_,
            {usual, written_->worse_level(), true, job_.budget_seconds > 0 ? left : 0},
            {progress_.cancel, {}});
        if (!better) return;
        QuantizeTrial trial;
        trial.options = better->options;
        set_sqnr(trial, estimate_of(better->accuracy));
        trial.bytes = constant_bytes(better->made.model);
        trial.nodes = better->made.quantized;
        record_.trials.push_back(std::move(trial));
        keep(better->made, better->accuracy);
        judge_file();
        report();
    }

    void give_verdict() {
        const QuantizeTrial& trial = record_.trials[std::size_t(record_.best)];
        VerdictInput in;
        in.figures = figures_of(trial, record_);
        in.floor = floor();
        in.data_warnings = job_.data_warnings;
        in.floor_asked = job_.goal != QuantizeGoal::accurate;
        if (written_) in.difference = written_->difference();
        if (trial.ms && trial.ratio && record_.original_ms)
            in.times = QuantizedTimes{*record_.original_ms, *trial.ms, *trial.ratio};
        const QuantizeVerdict verdict = verdict_of(in);
        record_.warnings = verdict.warnings;
        record_.usable = verdict.is_usable;
    }

    /// Inspects the best model layer by layer, and reports what that shows.
    void inspect_best() {
        if (record_.best < 0 || !job_.inspect) return;
        progress_.step("look at the layers");
        const QuantizeOptions& options = record_.trials[std::size_t(record_.best)].options;
        try {
            QuantizeResult made;
            made.model = load_quantized(record_.file, *job_.model.model, {progress_.cancel, {}});
            made.ranges = record_.ranges;
            QuantizedInspection found =
                inspect_quantized(*job_.model.model, options, made, *split_.calibration_samples,
                                  *split_.evaluation_samples, {progress_.cancel, {}});
            record_.layers = std::move(found.layers);
            for (const std::string& text : found.warnings) note(text);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            note(std::string("its layers could not be looked at: ") + error.what());
        }
    }

    /// Errors with labels are reported; the quantized model is kept.
    void judge_by_labels() {
        if (record_.best < 0 || !float_answers_) return;
        progress_.step("right answers by the labels");
        try {
            const Progress quiet{progress_.cancel, {}};
            const auto best = std::make_shared<const Model>(
                load_quantized(record_.file, *job_.model.model, quiet));
            const LabelledJudgement found =
                judge_labelled(*float_answers_, best, *samples_, *labels_,
                               job_.quantization.options.calibration.threads, quiet);
            if (found.original.rows > 0)
                record_.labelled = {found.original.rows, found.original.top1, found.quantized.top1};
            for (const std::string& text : found.warnings)
                if (std::ranges::find(job_.data_warnings, text) == job_.data_warnings.end())
                    note(text);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            note(std::string("its answers could not be held against the labels: ") + error.what());
        }
    }

    void measure_best() {
        if (record_.best < 0 || !job_.search) return;
        progress_.step("measure the best");
        time_it(record_.trials[std::size_t(record_.best)],
                std::make_shared<const Model>(
                    load_quantized(record_.file, *job_.model.model, {progress_.cancel, {}})),
                measured_longer);
    }

    std::string why_nothing() const {
        for (const QuantizeTrial& trial : record_.trials)
            if (!trial.failure.empty()) return trial.failure;
        return "no recipe gave a quantized model";
    }

    void report() {
        record_.seconds = elapsed();
        if (on_change_) on_change_(record_);
    }

    const QuantizeJob& job_;
    const Progress& progress_;
    const std::function<void(const QuantizeRecord&)>& on_change_;
    Clock::time_point begin_ = Clock::now();
    SampleSourcePtr samples_;
    SampleSplit split_;
    std::optional<Labels> labels_;
    std::optional<AccuracyCounts> float_answers_;  // nothing: no label could be compared
    Stopwatch stopwatch_;
    QuantizeRecord record_;
    bool complete_ = false;
    std::ptrdiff_t saved_ = -1;               // the trial whose model lies in the folder
    std::optional<WrittenAccuracy> written_;  // of that
};

}  // namespace

QuantizeRecord run_quantization(const QuantizeJob& job, const Progress& progress,
                                const std::function<void(const QuantizeRecord&)>& on_change) {
    return QuantizeRun(job, progress, on_change).run();
}

}  // namespace lapidary::app
