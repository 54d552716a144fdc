// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/jobs/comparison.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "workbench/jobs/difference_search.h"
#include "workbench/text/job_command.h"
#include "workbench/tuning/measure_under.h"
#include "workbench/document/opened_model.h"
#include "worker/jobs/compare_job.h"
#include "worker/jobs/measure_job.h"
#include "worker/jobs/profile_job.h"

namespace lapidary::app {
namespace {

/// The data of a comparison: the sides, the settings and the receiver of partial results.
struct Work {
    Engine* engine = nullptr;  // of this computer
    Machine machine;           // where both are measured and profiled
    ModelSource sources[2];
    RunSettings settings;
    MeasureOptions options;
    std::function<void(const ComparisonRecord&)> publish;  // from any thread
};

/// Fractions of the progress at which each part ends; measuring takes most of the time.
constexpr double measured_until = 0.6, profiled_a_until = 0.75, profiled_b_until = 0.9;

Progress part_of(const Progress& progress, double from, double to) {
    Progress part;
    part.cancel = progress.cancel;
    part.report = [progress, from, to](std::string_view stage, double fraction) {
        progress.step(stage, fraction < 0 ? from : from + (to - from) * std::min(fraction, 1.0));
    };
    return part;
}

/// Runs one part. A failure is noted and the other parts go on; a cancel ends all of them.
template <typename Part>
void attempt(ComparisonRecord& record, const QString& name, Part part) {
    try {
        part();
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        record.problems << QStringLiteral("%1: %2").arg(name, QString::fromUtf8(error.what()));
    }
}

void measure(const Work& work, ComparisonRecord& record, const Progress& progress) {
    progress.step("measure in turn", 0);
    MeasureJob job = measureUnder(work.settings, work.options);
    job.memory = true;
    RunConfiguration configuration;
    configuration.level = Level::disabled;  // a variant is optimized already
    configuration.resources.threads = record.threads;
    for (const ModelSource& source : work.sources)
        job.candidates.push_back({source, configuration});
    const auto take = [&](const std::vector<Measurement>& measured) {
        if (measured.size() != 2) return;
        record.measured_a = measured[0];
        record.measured_b = measured[1];
        record.difference.reset();
        const bool both = measured[0].error.empty() && measured[1].error.empty();
        if (both && !measured[0].samples_ms.empty() && !measured[1].samples_ms.empty())
            record.difference =
                difference_between(measured[0], measured[1],
                                   measured[0].samples_ms.size() == measured[1].samples_ms.size());
    };
    take(work.machine.engineOr(*work.engine)
             .call(job, progress, [&](const std::vector<Measurement>& measured) {
                 take(measured);
                 work.publish(record);
             }));
    for (const auto* side : {&record.measured_a, &record.measured_b})
        if (*side && !(*side)->error.empty()) fail(ErrorCode::internal, (*side)->error);
}

RunRecordPtr profileSide(const Work& work, int side, const Progress& progress) {
    RunRecord run = work.machine.engineOr(*work.engine)
                        .call(ProfileJob{work.sources[side], work.settings}, progress);
    run.machine = work.machine.text().toStdString();
    return std::make_shared<const RunRecord>(std::move(run));
}

void compare_pair(const Work& work, ComparisonRecord& record, const Progress& progress) {
    record.machine = machine_info();
    if (!work.machine.isHere()) {
        const std::string date = record.machine.date;
        record.machine = {};
        record.machine.date = date;
        record.machine.cpu = record.ranOn.toStdString();
        record.machine.cores = work.machine.cores;
    }
    attempt(record, Comparison::tr("Measuring"),
            [&] { measure(work, record, part_of(progress, 0, measured_until)); });
    work.publish(record);
    attempt(record, Comparison::tr("Profiling A"), [&] {
        record.run_a = profileSide(work, 0, part_of(progress, measured_until, profiled_a_until));
    });
    work.publish(record);
    attempt(record, Comparison::tr("Profiling B"), [&] {
        record.run_b = profileSide(work, 1, part_of(progress, profiled_a_until, profiled_b_until));
    });
    work.publish(record);
    attempt(record, Comparison::tr("Comparing the outputs"), [&] {
        record.outputs =
            work.engine->call(CompareJob{work.sources[0], work.sources[1], work.settings},
                              part_of(progress, profiled_b_until, 1));
        record.outputs_compared = true;
    });
    record.complete = true;
}

bool says_something(const ComparisonRecord& record) {
    return record.measured_a || record.run_a || record.run_b || record.outputs_compared;
}

}  // namespace

Comparison::Comparison(OpenedModel& opened, VariantStore& variants, JobRunner& jobs, Engine& engine,
                       QObject* parent)
    : QObject(parent), opened_(opened), variants_(variants), jobs_(jobs), engine_(engine),
      search_(new DifferenceSearch([this] { return DifferenceSearch::Pair(a(), b()); }, opened,
                                   jobs, engine, this)) {
    connect(this, &Comparison::pairChanged, search_, &DifferenceSearch::changed);
    connect(search_, &DifferenceSearch::logged, this, &Comparison::logged);
    options_.seconds = 6;
    connect(&opened_, &OpenedModel::openedChanged, this, [this] {
        job_.drop();
        for (auto& [pair, record] : std::exchange(results_, {}))
            jobs_.releaseLater(std::move(record));
        running_ = {};
        emit pairChanged();
        emit changed();
    });
    const auto followed = [this] {
        followA();
        emit pairChanged();
        emit changed();
    };
    connect(&variants_, &VariantStore::slotsChanged, this, followed);
    connect(&variants_, &VariantStore::listChanged, this, [this] {
        const VariantPtr held = b();
        // a variant that is not a plain level stays in the slot
        if (!held || held->recipe.isPlainLevel()) followB();
    });
    connect(&variants_, &VariantStore::listChanged, this, &Comparison::followA);
    connect(&variants_, &VariantStore::listChanged, this, &Comparison::forgetPairs);
    connect(&opened_, &OpenedModel::documentChanged, this, &Comparison::followB);
}

Recipe Comparison::recipeBeside() const {
    const VariantPtr other = b();
    const bool isOfAnother =
        other && (other->recipe.quantization || other->recipe.other_model || other->recipe.runs_on);
    Recipe beside = Recipe::plain(isOfAnother ? other->recipe.runLevel() : Level::disabled);
    if (other && other->recipe.quantization) beside.edits = other->recipe.edits;
    return beside;
}

/// Puts the running variant into slot B; not level disabled, with which others are compared.
void Comparison::followB() {
    const VariantPtr running = opened_.running();
    if (running && running->recipe != Recipe::plain(Level::disabled))
        variants_.followSlot(Slot::B, running);
}

void Comparison::followA() { variants_.followSlot(Slot::A, variants_.find(recipeBeside())); }

VariantPtr Comparison::a() const { return variants_.slot(Slot::A); }

VariantPtr Comparison::b() const {
    const VariantPtr held = variants_.slot(Slot::B);
    return held ? held : opened_.running();
}

ComparisonPtr Comparison::result() const {
    const auto at = results_.find({a(), b()});
    return at == results_.end() ? nullptr : at->second;
}

bool Comparison::isRunningPair() const { return job_ && running_ == Pair(a(), b()); }

/// Removes results of variants that no longer exist.
void Comparison::forgetPairs() {
    const auto& list = variants_.list();
    const auto gone = [&](const VariantPtr& variant) {
        return variant != a() && variant != b() && std::ranges::find(list, variant) == list.end();
    };
    std::erase_if(results_, [&](auto& entry) {
        if (!gone(entry.first.first) && !gone(entry.first.second)) return false;
        jobs_.releaseLater(std::move(entry.second));
        return true;
    });
}

void Comparison::publish(const std::shared_ptr<ComparisonRecord>& record) {
    ComparisonPtr& held = results_[{record->a, record->b}];
    if (held) jobs_.releaseLater(std::exchange(held, nullptr));
    held = record;
    emit changed();
}

void Comparison::start() {
    if (job_ || !isPossible()) return;
    running_ = {a(), b()};
    Work work;
    work.engine = &engine_;
    work.machine = opened_.machine();
    work.sources[0] = opened_.sourceOf(running_.first);
    work.sources[1] = opened_.sourceOf(running_.second);
    work.settings = opened_.runSettings();
    work.options = options_;
    ComparisonRecord begun;
    begun.a = running_.first;
    begun.b = running_.second;
    begun.settings = work.settings;
    begun.sizes = opened_.conditions().sizes;
    begun.threads = opened_.conditions().threads;
    begun.ranOn = work.machine.text();
    Job* job = job_.start<std::shared_ptr<ComparisonRecord>>(
        jobs_, tr("Compare %1 with %2").arg(begun.b->name, begun.a->name),
        [this, work = std::move(work), begun](const Progress& progress,
                                              const LatestJob::Ticket& ticket) mutable {
            work.publish = [this, ticket](const ComparisonRecord& found) {
                auto copy = std::make_shared<ComparisonRecord>(found);
                QMetaObject::invokeMethod(
                    this,
                    [this, ticket, copy] {
                        if (ticket.isCurrent()) publish(copy);
                    },
                    Qt::QueuedConnection);
            };
            auto record = std::make_shared<ComparisonRecord>(begun);
            compare_pair(work, *record, progress);
            return record;
        },
        [this](std::shared_ptr<ComparisonRecord> record) {
            const QString problems = record->problems.join(u'\n');
            if (!problems.isEmpty())
                emit logged(tr("The comparison is not complete. %1").arg(problems));
            if (says_something(*record)) {
                if (record->difference)
                    emit logged(QString::fromStdString(record->difference->sentence));
                publish(record);
                return;
            }
            emit changed();
            emit failed(problems);
        },
        [this](const Error& error) {
            if (error.code() == ErrorCode::cancelled) {
                emit logged(tr("The comparison was cancelled; what was found out is kept."));
                emit changed();
                emit cancelled();
                return;
            }
            const QString reason = QString::fromUtf8(error.what());
            emit logged(tr("The comparison failed: %1").arg(reason));
            emit changed();
            emit failed(reason);
        });
    job->setKept();
    if (begun.ranOn.isEmpty())  // no command compares elsewhere
        job->setCommand(
            comparisonCommand(opened_.opened()->source, *begun.a, *begun.b, begun.settings));
    emit started();
    emit changed();
}

}  // namespace lapidary::app
