// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/tuning/level_times.h"

#include <algorithm>

#include "workbench/tuning/measure_under.h"
#include "workbench/document/opened_model.h"

namespace lapidary::app {
namespace {

constexpr double seconds_each = 3;  // of measuring, unless it is precise sooner

}  // namespace

MeasureJob levelMeasurement(const OpenedModel& opened, const std::vector<VariantPtr>& variants,
                            const MeasureOptions& options) {
    MeasureJob job = measureUnder(opened.runSettings(), options);
    RunConfiguration configuration;
    configuration.level = Level::disabled;  // a variant is optimized already
    configuration.resources.threads = opened.conditions().threads;
    for (const VariantPtr& variant : variants)
        job.candidates.push_back({opened.sourceOf(variant), configuration});
    return job;
}

LevelTimes::LevelTimes(OpenedModel& opened, JobRunner& jobs, Engine& engine, QObject* parent)
    : QObject(parent), opened_(opened), jobs_(jobs), engine_(engine) {
    options_.seconds = seconds_each;
    connect(&opened_, &OpenedModel::openedChanged, this, [this] {
        if (!isRunning()) return;
        job_.drop();
        emit changed();
    });
}

void LevelTimes::start(const std::vector<VariantPtr>& variants) {
    if (isRunning()) return;
    unasked_ = false;
    run(variants, options_);
}

void LevelTimes::startUnasked(const std::vector<VariantPtr>& variants, double secondsEach) {
    if (isRunning()) return;
    MeasureOptions options = options_;
    options.seconds = secondsEach;
    unasked_ = true;
    run(variants, options);
}

void LevelTimes::run(const std::vector<VariantPtr>& variants, const MeasureOptions& options) {
    if (variants.empty() || !opened_.opened()) return;
    const RunSettings settings = opened_.runSettings();
    const Machine machine = opened_.machine();
    MeasureJob job = levelMeasurement(opened_, variants, options);
    Job* started = job_.start<std::vector<Measurement>>(
        jobs_, tr("Measure the levels of %1").arg(opened_.opened()->title),
        [engine = &engine_, machine, job = std::move(job)](const Progress& progress) {
            return machine.engineOr(*engine).call(job, progress);
        },
        [this, variants, settings, on = machine.text()](std::vector<Measurement> found) {
            QStringList problems;
            for (std::size_t i = 0; i < std::min(found.size(), variants.size()); ++i) {
                if (found[i].error.empty())
                    emit measured(variants[i], found[i], settings, unasked_, on);
                else
                    problems << variants[i]->name + QStringLiteral(": ") +
                                    QString::fromStdString(found[i].error);
            }
            emit changed();
            if (!problems.isEmpty() && !unasked_) emit failed(problems.join(u'\n'));
        },
        [this](const Error& error) {
            emit changed();
            if (error.code() != ErrorCode::cancelled && !unasked_)
                emit failed(QString::fromUtf8(error.what()));
        });
    if (!unasked_) started->setKept();
    emit changed();
}

}  // namespace lapidary::app
