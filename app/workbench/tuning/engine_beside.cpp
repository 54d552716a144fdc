// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/tuning/engine_beside.h"

#include "workbench/tuning/measure_under.h"
#include "workbench/document/opened_model.h"
#include "workbench/document/run_conditions.h"
#include "workbench/project/settings.h"
#include "workbench/tuning/tuning.h"
#include "worker/jobs/measure_job.h"

namespace lapidary::app {
namespace {

constexpr double beside_seconds = 1;  // of measuring for each engine

/// Measures both engines with the settings of the cell: this one as in the sweep, ONNX Runtime at
/// the same level.
MeasureJob pairOf(const OpenedModel& opened, const RunConfiguration& cell) {
    MeasureOptions options;
    options.seconds = beside_seconds;
    MeasureJob job = measureUnder(opened.runSettings(), options);
    Recipe plain;
    plain.level = cell.level;
    RunConfiguration ours = cell;
    ours.session_passes = plain.sessionPasses();
    job.candidates.push_back({opened.sourceOf(nullptr), ours});
    ModelSource theirs = opened.sourceOf(nullptr);
    theirs.recipe = onnxRuntimeRecipe();
    theirs.recipe->level = cell.level;
    job.candidates.push_back({std::move(theirs), cell});
    return job;
}

}  // namespace

EngineBeside::EngineBeside(OpenedModel& opened, Tuning& tuning, JobRunner& jobs, Engine& engine,
                           QObject* parent)
    : QObject(parent), opened_(opened), tuning_(tuning), jobs_(jobs), engine_(engine) {
    const auto forget = [this] {
        job_.drop();
        asked_.reset();
        found_ = {};
        emit changed();
    };
    connect(&opened_, &OpenedModel::openedChanged, this, forget);
}

void EngineBeside::want() {
    if (tuning_.isRunning()) {
        if (!isRunning()) return;
        job_.drop();
        asked_.reset();
        emit changed();
        return;
    }
    const auto result = tuning_.result();
    if (!result || result->recommendation.cell < 0 || !opened_.opened() || !loadTriesLevels())
        return;
    if (!tuning_.recipe().isPlainLevel() || tuning_.recipe().runs_on) return;
    if (!tuning_.machine().isHere()) return;  // what ONNX Runtime takes there is not known
    const RunConfiguration cell =
        result->cells[std::size_t(result->recommendation.cell)].configuration;
    const std::string of = tuning_.inputsText().toStdString();
    if (asked_ == cell && askedOf_ == of) return;
    asked_ = cell;
    askedOf_ = of;
    found_ = {};
    job_.start<std::vector<Measurement>>(
        jobs_, tr("Measure ONNX Runtime beside it"),
        [engine = &engine_, job = pairOf(opened_, cell)](const Progress& progress) {
            return engine->call(job, progress);
        },
        [this](const std::vector<Measurement>& both) {
            const Measurement &ours = both.at(0), &theirs = both.at(1);
            if (!theirs.error.empty()) found_.failure = QString::fromStdString(theirs.error);
            else if (theirs.wall.median.samples > 0) {
                found_.theirs = theirs.wall.median;
                if (ours.error.empty() && ours.wall.median.samples > 0)
                    found_.ratio = difference_between(ours, theirs, true);
            }
            emit changed();
        },
        [this](const Error& error) {
            if (error.code() == ErrorCode::cancelled) asked_.reset();
            else found_.failure = QString::fromUtf8(error.what());
            emit changed();
        });
    emit changed();
}

}  // namespace lapidary::app
