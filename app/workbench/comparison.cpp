// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/comparison.h"

#include <algorithm>
#include <thread>

#include <lapidary/error.h>

#include "workbench/job_command.h"
#include "workbench/project.h"
#include "workbench/workbench.h"

namespace lapidary::app {
namespace {

/// What the whole work knows: the sides, the settings and where partial results go.
struct Work {
    Engine* engine = nullptr;
    ModelSource sources[2];
    RunSettings settings;
    MeasureOptions options;
    std::function<void(const ComparisonRecord&)> publish;  // from any thread
};

/// Parts of the progress: measuring takes most of the time.
constexpr double measured_until = 0.6, profiled_a_until = 0.75, profiled_b_until = 0.9;

Progress part_of(const Progress& progress, double from, double to) {
    Progress part;
    part.cancel = progress.cancel;
    part.report = [progress, from, to](std::string_view stage, double fraction) {
        progress.step(stage, fraction < 0 ? from : from + (to - from) * std::min(fraction, 1.0));
    };
    return part;
}

/// Runs one part; what it could not do is noted and the other parts go on. Cancelling ends all of it.
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
    MeasureJob job;
    job.options = work.options;
    job.options.warmups = std::max(1, work.settings.warmups);
    job.seed = work.settings.seed;
    job.memory = true;
    for (const auto& [name, size] : work.settings.dimensions)
        if (size > 0) job.dimensions.emplace(name, size);
    RunConfiguration configuration;
    configuration.level = Level::disabled;  // a variant is optimized already
    configuration.intra =
        work.settings.threads > 0 ? work.settings.threads : std::max(1, int(std::thread::hardware_concurrency()));
    for (const ModelSource& source : work.sources) job.candidates.push_back({source, configuration});
    const auto take = [&](const std::vector<Measurement>& measured) {
        if (measured.size() != 2) return;
        record.measured_a = measured[0];
        record.measured_b = measured[1];
        record.difference.reset();
        const bool both = measured[0].error.empty() && measured[1].error.empty();
        if (both && !measured[0].samples_ms.empty() && !measured[1].samples_ms.empty())
            record.difference = difference_between(measured[0], measured[1],
                                                   measured[0].samples_ms.size() == measured[1].samples_ms.size());
    };
    take(work.engine->measure(job, progress, [&](const std::vector<Measurement>& measured) {
        take(measured);
        work.publish(record);
    }));
    for (const auto* side : {&record.measured_a, &record.measured_b})
        if (*side && !(*side)->error.empty()) fail(ErrorCode::internal, (*side)->error);
}

void compare_pair(const Work& work, ComparisonRecord& record, const Progress& progress) {
    record.machine = machine_info();
    attempt(record, Comparison::tr("Measuring"), [&] { measure(work, record, part_of(progress, 0, measured_until)); });
    work.publish(record);
    attempt(record, Comparison::tr("Profiling A"), [&] {
        record.run_a = std::make_shared<const RunRecord>(
            work.engine->profile(work.sources[0], work.settings, part_of(progress, measured_until, profiled_a_until)));
    });
    work.publish(record);
    attempt(record, Comparison::tr("Profiling B"), [&] {
        record.run_b = std::make_shared<const RunRecord>(work.engine->profile(
            work.sources[1], work.settings, part_of(progress, profiled_a_until, profiled_b_until)));
    });
    work.publish(record);
    attempt(record, Comparison::tr("Comparing the outputs"), [&] {
        record.outputs = work.engine->compare_outputs(work.sources[0], work.sources[1], work.settings,
                                                      part_of(progress, profiled_b_until, 1));
        record.outputs_compared = true;
    });
    record.complete = true;
}

bool says_something(const ComparisonRecord& record) {
    return record.measured_a || record.run_a || record.run_b || record.outputs_compared;
}

}  // namespace

Comparison::Comparison(Workbench& workbench) : QObject(&workbench), workbench_(workbench) {
    options_.seconds = 6;
    connect(&workbench_, &Workbench::openedChanged, this, [this] {
        if (job_) std::exchange(job_, nullptr)->cancel();
        for (auto& [pair, record] : std::exchange(results_, {})) workbench_.jobs().releaseLater(std::move(record));
        running_ = {};
        emit pairChanged();
        emit changed();
    });
    const auto followed = [this] {
        emit pairChanged();
        emit changed();
    };
    connect(&workbench_.variants(), &VariantStore::slotsChanged, this, followed);
    connect(&workbench_.variants(), &VariantStore::listChanged, this, &Comparison::forgetPairs);
    connect(&workbench_, &Workbench::documentChanged, this, [this] {
        const DocumentPtr shown = workbench_.document();
        if (shown && shown->variant) workbench_.variants().followSlot(Slot::B, shown->variant);
    });
}

VariantPtr Comparison::a() const {
    const VariantPtr held = workbench_.variants().slot(Slot::A);
    return held ? held : workbench_.variants().original();
}

VariantPtr Comparison::b() const {
    const VariantPtr held = workbench_.variants().slot(Slot::B);
    return held || !workbench_.document() ? held : workbench_.document()->variant;
}

ComparisonPtr Comparison::result() const {
    const auto at = results_.find({a(), b()});
    return at == results_.end() ? nullptr : at->second;
}

bool Comparison::isRunningPair() const { return job_ && running_ == Pair(a(), b()); }

/// Pairs of variants that are gone.
void Comparison::forgetPairs() {
    const auto& list = workbench_.variants().list();
    const auto gone = [&](const VariantPtr& variant) {
        return variant != a() && variant != b() && std::ranges::find(list, variant) == list.end();
    };
    std::erase_if(results_, [&](auto& entry) {
        if (!gone(entry.first.first) && !gone(entry.first.second)) return false;
        workbench_.jobs().releaseLater(std::move(entry.second));
        return true;
    });
}

void Comparison::swap() {
    const VariantPtr first = a(), second = b();
    if (!first || !second) return;
    QUndoStack& history = workbench_.project().undoStack();
    history.beginMacro(tr("swap A and B"));
    workbench_.project().setSlot(Slot::A, second);
    workbench_.project().setSlot(Slot::B, first);
    history.endMacro();
}

void Comparison::publish(const std::shared_ptr<ComparisonRecord>& record) {
    ComparisonPtr& held = results_[{record->a, record->b}];
    if (held) workbench_.jobs().releaseLater(std::exchange(held, nullptr));
    held = record;
    emit changed();
}

void Comparison::start() {
    if (job_ || !isPossible()) return;
    running_ = {a(), b()};
    auto self = std::make_shared<Job*>(nullptr);
    Work work;
    work.engine = &workbench_.engine();
    work.sources[0] = workbench_.sourceOf(running_.first);
    work.sources[1] = workbench_.sourceOf(running_.second);
    work.settings = workbench_.runSettings();
    work.options = options_;
    work.publish = [this, self](const ComparisonRecord& record) {
        auto copy = std::make_shared<ComparisonRecord>(record);
        QMetaObject::invokeMethod(
            this,
            [this, self, copy] {
                if (job_ && job_ == *self) publish(copy);
            },
            Qt::QueuedConnection);
    };
    ComparisonRecord begun;
    begun.a = running_.first;
    begun.b = running_.second;
    begun.settings = work.settings;
    job_ = workbench_.jobs().start<std::shared_ptr<ComparisonRecord>>(
        tr("Compare %1 with %2").arg(begun.b->name, begun.a->name),
        [work = std::move(work), begun](const Progress& progress) {
            auto record = std::make_shared<ComparisonRecord>(begun);
            compare_pair(work, *record, progress);
            return record;
        },
        [this, self](std::shared_ptr<ComparisonRecord> record) {
            if (job_ != *self) return;
            job_ = nullptr;
            const QString problems = record->problems.join(u'\n');
            if (!problems.isEmpty()) emit workbench_.logged(tr("The comparison is not complete. %1").arg(problems));
            if (says_something(*record)) {
                if (record->difference) emit workbench_.logged(QString::fromStdString(record->difference->sentence));
                publish(record);
                return;
            }
            emit changed();
            emit failed(problems);
        },
        [this, self](const Error& error) {
            if (job_ != *self) return;
            job_ = nullptr;
            if (error.code() == ErrorCode::cancelled) {
                emit workbench_.logged(tr("The comparison was cancelled; what was found out is kept."));
                emit changed();
                emit cancelled();
                return;
            }
            const QString reason = QString::fromUtf8(error.what());
            emit workbench_.logged(tr("The comparison failed: %1").arg(reason));
            emit changed();
            emit failed(reason);
        });
    *self = job_;
    job_->setCommand(comparisonCommand(workbench_.opened()->source, *begun.a, *begun.b, begun.settings));
    emit started();
    emit changed();
}

void Comparison::cancel() {
    if (job_) job_->cancel();
}

}  // namespace lapidary::app
