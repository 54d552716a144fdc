// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/jobs/variant_comparison.h"

#include <QMetaObject>

#include <algorithm>
#include <functional>
#include <utility>

#include <lapidary/base/error.h>

#include "worker/jobs/compare_job.h"
#include "worker/jobs/engine.h"
#include "worker/jobs/measure_job.h"
#include "workbench/document/opened_model.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/core_words.h"
#include "workbench/tuning/level_times.h"

namespace lapidary::app {
namespace {

constexpr double seconds_each = 3;      // of measuring, unless it is precise sooner
constexpr double measured_until = 0.8;  // fraction of the progress at which outputs are compared

/// The data of a comparison: the job that measures, the sources, the receiver of partial results.
struct Work {
    Engine* engine = nullptr;  // of this computer
    Machine machine;           // where they are measured
    MeasureJob measurement;
    std::vector<ModelSource> sources;
    std::function<void(const VariantsRecord&)> publish;  // from any thread
};

Progress part_of(const Progress& progress, double from, double to) {
    Progress part;
    part.cancel = progress.cancel;
    part.report = [progress, from, to](std::string_view stage, double fraction) {
        progress.step(stage, fraction < 0 ? from : from + (to - from) * std::min(fraction, 1.0));
    };
    return part;
}

bool has_samples(const std::optional<Measurement>& measured) {
    return measured && !measured->samples_ms.empty();
}

/// Enters what was measured, in the order of the variants.
void take(VariantsRecord& record, const std::vector<Measurement>& measured) {
    if (measured.size() != record.variants.size()) return;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        VariantFigures& figures = record.variants[i];
        figures.measured.reset();
        if (measured[i].error.empty()) figures.measured = measured[i];
        else figures.failure = sentenceText(inWindowLanguage(measured[i].error));
    }
    const auto& first = record.variants.front().measured;
    for (std::size_t i = 1; i < record.variants.size(); ++i) {
        VariantFigures& figures = record.variants[i];
        figures.difference.reset();
        if (!has_samples(first) || !has_samples(figures.measured)) continue;
        figures.difference =
            difference_between(*first, *figures.measured,
                               first->samples_ms.size() == figures.measured->samples_ms.size(),
                               figures.variant->name.toStdString());
    }
}

/// Outputs of every variant against those of the first. A failure is noted, and the others go on; a
/// cancel ends all.
void compare_with_first(const Work& work, VariantsRecord& record, const Progress& progress) {
    const double share = (1 - measured_until) / double(record.variants.size());
    for (std::size_t i = 1; i < record.variants.size(); ++i) {
        VariantFigures& figures = record.variants[i];
        const double from = measured_until + share * double(i);
        try {
            figures.outputs =
                work.engine->call(CompareJob{work.sources[0], work.sources[i], record.settings},
                                  part_of(progress, from, from + share));
            figures.outputsCompared = true;
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            if (figures.failure.isEmpty())
                figures.failure = sentenceText(inWindowLanguage(error.what()));
        }
        work.publish(record);
    }
}

void compare_all(const Work& work, VariantsRecord& record, const Progress& progress) {
    const auto measured = work.machine.engineOr(*work.engine)
                              .call(work.measurement, part_of(progress, 0, measured_until),
                                    [&](const std::vector<Measurement>& state) {
                                        take(record, state);
                                        work.publish(record);
                                    });
    take(record, measured);
    work.publish(record);
    compare_with_first(work, record, progress);
    record.complete = true;
}

}  // namespace

VariantComparison::VariantComparison(OpenedModel& opened, JobRunner& jobs, Engine& engine,
                                     QObject* parent)
    : QObject(parent), opened_(opened), jobs_(jobs), engine_(engine) {
    options_.seconds = seconds_each;
    connect(&opened_, &OpenedModel::openedChanged, this, [this] {
        job_.drop();
        for (VariantsRecordPtr* held : {&result_, &before_})
            if (*held) jobs_.releaseLater(std::exchange(*held, nullptr));
        emit changed();
    });
}

void VariantComparison::start(const std::vector<VariantPtr>& variants) {
    if (job_ || !opened_.opened() || variants.size() < fewest || variants.size() > most) return;
    VariantsRecord begun;
    Work work;
    for (const VariantPtr& variant : variants) {
        begun.variants.emplace_back().variant = variant;
        work.sources.push_back(opened_.sourceOf(variant));
    }
    begun.settings = opened_.runSettings();
    begun.sizes = opened_.conditions().sizes;
    begun.threads = opened_.conditions().threads;
    work.engine = &engine_;
    work.machine = opened_.machine();
    begun.ranOn = work.machine.text();
    work.measurement = levelMeasurement(opened_, variants, options_);
    work.measurement.memory = true;
    Job* started = job_.start<VariantsRecord>(
        jobs_, tr("Compare %1 variants").arg(variants.size()),
        [this, jobs = &jobs_, work = std::move(work), begun](
            const Progress& progress, const LatestJob::Ticket& ticket) mutable {
            // by the runner of jobs, which outlives this; the ticket then holds no more
            work.publish = [this, jobs, ticket](const VariantsRecord& found) {
                QMetaObject::invokeMethod(
                    jobs,
                    [this, ticket, found] {
                        if (ticket.isCurrent()) publish(found);
                    },
                    Qt::QueuedConnection);
            };
            VariantsRecord record = begun;
            compare_all(work, record, progress);
            return record;
        },
        [this](VariantsRecord record) {
            for (const VariantFigures& figures : record.variants)
                if (has_samples(figures.measured))
                    emit measured(figures.variant, *figures.measured, record.settings, false,
                                  record.ranOn);
            if (before_) jobs_.releaseLater(std::exchange(before_, nullptr));
            publish(std::move(record));
        },
        [this](const Error& error) {
            if (before_)
                jobs_.releaseLater(std::exchange(result_, std::exchange(before_, nullptr)));
            emit changed();
            if (error.code() != ErrorCode::cancelled)
                emit failed(sentenceText(inWindowLanguage(error.what())));
        });
    started->setKept();
    const bool isSame = result_ && result_->complete &&
                        std::ranges::equal(result_->variants, begun.variants, {},
                                           &VariantFigures::variant, &VariantFigures::variant);
    if (isSame) before_ = result_;
    publish(std::move(begun));
}

void VariantComparison::publish(VariantsRecord record) {
    if (result_) jobs_.releaseLater(std::exchange(result_, nullptr));
    result_ = std::make_shared<const VariantsRecord>(std::move(record));
    emit changed();
}

}  // namespace lapidary::app
