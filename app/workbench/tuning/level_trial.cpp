// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/tuning/level_trial.h"

#include <algorithm>

#include "worker/jobs/engine.h"
#include "worker/jobs/measure_job.h"
#include "workbench/document/opened_model.h"
#include "workbench/project/settings.h"

namespace lapidary::app {
namespace {

constexpr std::uint64_t most_weights =
    128'000'000;  // bytes; larger models are not loaded without a request
constexpr double longest_run_ms = 30;
constexpr double trial_seconds = 0.4;  // of measuring
constexpr int runs_of_glance = 3;

}  // namespace

GuardJob guardJobOf(const OpenedModel& opened, const Variant& variant,
                    const RunSettings& settings) {
    GuardJob job;
    job.original = opened.sourceOf(variant.parent);
    job.variant = opened.sourceOf(variant);
    job.options.dimensions = variant.recipe.dimensions;
    job.options.threads = settings.resources.threads;
    for (const auto& [name, size] : settings.dimensions)
        if (size > 0) job.options.dimensions.emplace(name, size);
    job.given = settings.given;
    return job;
}

LevelTrial::LevelTrial(OpenedModel& opened, JobRunner& jobs, Engine& engine, LevelTimes& times,
                       QObject* parent)
    : QObject(parent), opened_(opened), jobs_(jobs), engine_(engine), times_(times) {
    connect(&opened_, &OpenedModel::openedChanged, this, &LevelTrial::giveWay);
    connect(&opened_, &OpenedModel::runSettingsChanged, this, &LevelTrial::giveWay);
    connect(&times_, &LevelTimes::changed, this, [this] {
        if (!measuring_ || times_.isRunning()) return;
        measuring_ = false;
        guardNext();
    });
    connect(&times_, &LevelTimes::measured, this, [this](const VariantPtr& variant) {
        // the worker has run it, so that a crash would have done no harm
        if (measuring_ && !variant->isOriginal()) toGuard_.push_back(variant);
    });
}

void LevelTrial::want(const std::vector<VariantPtr>& levels) {
    const DocumentPtr opened = opened_.opened();
    if (!opened || !opened->faults.empty() || levels.empty() || isRunning() || times_.isRunning())
        return;
    if (!opened_.machine().isHere()) return;  // another machine works only when it is asked to
    if (!loadTriesLevels() || opened->summary.weight_bytes > most_weights) return;
    const RunConditions& conditions = opened_.conditions();
    if (!(triedUnder_ == conditions)) tried_.clear();
    const auto wasTried = [&](const VariantPtr& level) {
        return std::ranges::any_of(tried_, [&](const auto& one) { return one.lock() == level; });
    };
    levels_.clear();
    std::ranges::copy_if(levels, std::back_inserter(levels_), std::not_fn(wasTried));
    if (levels_.empty()) return;
    toGuard_.clear();
    triedUnder_ = conditions;
    MeasureOptions options;
    options.seconds = trial_seconds;
    options.runs = runs_of_glance;
    glance_.start<std::vector<Measurement>>(
        jobs_, tr("Look how long %1 runs").arg(opened->title),
        [engine = &engine_, job = levelMeasurement(opened_, {levels_.front()}, options)](
            const Progress& progress) { return engine->call(job, progress); },
        [this](const std::vector<Measurement>& found) {
            for (const VariantPtr& level : levels_) tried_.push_back(level);
            const bool isShort = !found.empty() && found.front().error.empty() &&
                                 found.front().wall.median.samples > 0 &&
                                 found.front().wall.median.median <= longest_run_ms;
            if (isShort) measure();
            else emit changed();
        },
        [this](const Error&) { emit changed(); });
    emit changed();
}

void LevelTrial::measure() {
    if (times_.isRunning()) return emit changed();
    measuring_ = true;
    times_.startUnasked(levels_, trial_seconds);
}

void LevelTrial::guardNext() {
    if (toGuard_.empty() || !opened_.opened()) return emit changed();
    const VariantPtr variant = toGuard_.front();
    toGuard_.erase(toGuard_.begin());
    guard_.start<std::shared_ptr<const GuardReport>>(
        jobs_, tr("Compare %1 with the original").arg(variant->name),
        [engine = &engine_,
         job = guardJobOf(opened_, *variant, opened_.runSettings())](const Progress& progress) {
            return std::make_shared<const GuardReport>(engine->call(job, progress));
        },
        [this, variant](const std::shared_ptr<const GuardReport>& report) {
            emit guarded(variant, *report);
            guardNext();
        },
        [this](const Error& error) {
            if (error.code() == ErrorCode::cancelled) return emit changed();
            guardNext();
        });
}

void LevelTrial::giveWay() {
    if (!isRunning()) return;
    tried_.clear();
    toGuard_.clear();
    glance_.drop();
    guard_.drop();
    if (std::exchange(measuring_, false)) times_.cancel();
    emit changed();
}

}  // namespace lapidary::app
