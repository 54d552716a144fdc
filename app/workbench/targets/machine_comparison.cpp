// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/targets/machine_comparison.h"

#include <algorithm>
#include <thread>
#include <utility>

#include <lapidary/base/error.h>

#include "workbench/document/opened_model.h"
#include "workbench/targets/machines.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/core_words.h"
#include "workbench/tuning/measure_under.h"
#include "worker/jobs/engine.h"
#include "worker/jobs/measure_job.h"

namespace lapidary::app {
namespace {

constexpr double seconds_on_each = 4;  // of measuring

MachineSide sideOf(const Machine& machine, const RunSettings& settings) {
    MachineSide side;
    side.host = machine.host;
    side.ranOn = machine.text();
    side.cpu = machine.cpu;
    side.cores = machine.cores;
    if (machine.isHere()) {
        static const MachineInfo here = machine_info();
        side.cpu = labelText(here.cpu);
        side.cores = here.cores;
    }
    side.threads = settings.resources.threads > 0 ? settings.resources.threads
                   : side.cores > 0               ? side.cores
                                                  : 1;
    return side;
}

Progress half_of(const Progress& progress, bool isSecond) {
    Progress half;
    half.cancel = progress.cancel;
    half.report = [progress, from = isSecond ? 0.5 : 0.0](std::string_view stage, double fraction) {
        progress.step(stage, fraction < 0 ? from : from + 0.5 * std::min(fraction, 1.0));
    };
    return half;
}

void compareSides(MachinePair& pair) {
    const auto& [first, second] = pair.sides;
    pair.difference.reset();
    if (!first.measured || !second.measured) return;
    if (first.measured->samples_ms.empty() || second.measured->samples_ms.empty()) return;
    const QString name =
        second.ranOn.isEmpty() ? MachineComparison::tr("this computer") : second.host;
    pair.difference =
        difference_between(*first.measured, *second.measured, false, name.toStdString());
}

/// Measures one side; a failure is noted, a cancel ends both.
void measureSide(MachineSide& side, Engine& engine, MeasureJob job, const Progress& progress) {
    job.candidates.front().configuration.resources.threads = side.threads;
    try {
        std::vector<Measurement> found = engine.call(job, progress);
        if (found.empty()) return;
        if (found.front().error.empty()) side.measured = std::move(found.front());
        else side.failure = sentenceText(found.front().error);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        side.failure = sentenceText(inWindowLanguage(error.what()));
    }
}

}  // namespace

MachineComparison::MachineComparison(OpenedModel& opened, Machines& machines, JobRunner& jobs,
                                     Engine& engine, QObject* parent)
    : QObject(parent), opened_(opened), machines_(machines), jobs_(jobs), engine_(engine) {
    options_.seconds = seconds_on_each;
    connect(&opened_, &OpenedModel::openedChanged, this, [this] {
        job_.drop();
        result_ = nullptr;
        emit changed();
    });
}

void MachineComparison::start(const QString& first, const QString& second) {
    const VariantPtr variant = opened_.running();
    if (job_ || !variant || first == second) return;
    const std::array<Machine, 2> machines{machines_.machineOf(first), machines_.machineOf(second)};
    MachinePair begun;
    begun.variant = variant;
    begun.settings = opened_.runSettings();
    begun.sizes = opened_.conditions().sizes;
    for (std::size_t i = 0; i < machines.size(); ++i)
        begun.sides[i] = sideOf(machines[i], begun.settings);
    MeasureJob job = measureUnder(begun.settings, options_);
    job.memory = true;
    RunConfiguration configuration;
    configuration.level = Level::disabled;  // a variant is optimized already
    job.candidates.push_back({opened_.sourceOf(variant), configuration});
    Job* started = job_.start<MachinePair>(
        jobs_, tr("Compare two machines"),
        [this, machines, begun, job = std::move(job), here = &engine_](
            const Progress& progress, const LatestJob::Ticket& ticket) {
            MachinePair pair = begun;
            for (std::size_t i = 0; i < machines.size(); ++i) {
                measureSide(pair.sides[i], machines[i].engineOr(*here), job,
                            half_of(progress, i == 1));
                compareSides(pair);
                if (i == 1) break;  // the whole pair is the result
                QMetaObject::invokeMethod(
                    this,
                    [this, ticket, pair] {
                        if (ticket.isCurrent()) publish(pair);
                    },
                    Qt::QueuedConnection);
            }
            return pair;
        },
        [this](MachinePair pair) {
            publish(std::move(pair));
            finish();
        },
        [this](const Error& error) {
            if (error.code() != ErrorCode::cancelled && result_) {
                MachinePair pair = *result_;
                pair.sides[1].failure = sentenceText(error.what());
                publish(std::move(pair));
            }
            finish();
        });
    started->setKept();
    publish(std::move(begun));
}

void MachineComparison::publish(MachinePair pair) {
    result_ = std::make_shared<const MachinePair>(std::move(pair));
    emit changed();
}

void MachineComparison::finish() {
    if (const MachinePairPtr pair = result_)
        for (const MachineSide& side : pair->sides)
            if (side.measured)
                emit measured(pair->variant, *side.measured, pair->settings, false, side.ranOn);
    emit changed();
}

}  // namespace lapidary::app
