// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/workbench.h"

#include <QFileInfo>
#include <QTimer>
#include <QUndoCommand>

#include <lapidary/profile/trace_file.h>

#include "workbench/jobs/checklist.h"
#include "workbench/jobs/comparison.h"
#include "workbench/document/given_data.h"
#include "workbench/text/job_command.h"
#include "workbench/jobs/generating.h"
#include "workbench/jobs/measured_decoders.h"
#include "workbench/tuning/level_times.h"
#include "workbench/tuning/level_trial.h"
#include "workbench/document/model_opener.h"
#include "workbench/document/planned_memory.h"
#include "workbench/jobs/plugin_list.h"
#include "workbench/project/project.h"
#include "workbench/jobs/quantizing.h"
#include "workbench/project/recent_files.h"
#include "workbench/project/settings.h"
#include "workbench/targets/machine_comparison.h"
#include "workbench/targets/machines.h"
#include "workbench/tuning/tuning.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/core_words.h"
#include "worker/jobs/profile_job.h"
#include "worker/process/worker_engine.h"

namespace lapidary::app {
namespace {

/// True if the worker process ended, not if a plugin in it failed.
bool isWorkerEnd(const Error& error) {
    return error.code() == ErrorCode::process_ended && !error.where().empty() &&
           error.where().front() == worker_place;
}

bool areSame(const Recipe& a, const Recipe& b) { return a.isOriginal() ? b.isOriginal() : a == b; }

/// True for a level with switched passes, rules, edits and sizes, which the Optimize page can show.
bool isOfSwitches(const Recipe& recipe) {
    return !recipe.stop_after && !recipe.quantization && !recipe.other_model && !recipe.runs_on;
}

/// Work that the user did not request gives way to work that the user starts.
void letTrialGiveWay(Workbench& workbench) {
    LevelTrial* trial = &workbench.levelTrial();
    Project* project = &workbench.project();
    QObject::connect(trial, &LevelTrial::guarded, project,
                     [project](const VariantPtr& variant, const GuardReport& report) {
                         project->addGuard(variant, report, true);
                     });
    QObject::connect(&workbench, &Workbench::runStarted, trial, &LevelTrial::giveWay);
    QObject::connect(&workbench.comparison(), &Comparison::started, trial, &LevelTrial::giveWay);
    QObject::connect(&workbench.tuning(), &Tuning::changed, trial,
                     [trial, tuning = &workbench.tuning()] {
                         if (tuning->isRunning()) trial->giveWay();
                     });
    QObject::connect(&workbench.quantizing(), &Quantizing::changed, trial,
                     [trial, job = &workbench.quantizing()] {
                         if (job->isRunning()) trial->giveWay();
                     });
    QObject::connect(&workbench.generating(), &Generating::changed, trial,
                     [trial, job = &workbench.generating()] {
                         if (job->isRunning()) trial->giveWay();
                     });
    QObject::connect(&workbench.measuredDecoders(), &MeasuredDecoders::changed, trial,
                     [trial, job = &workbench.measuredDecoders()] {
                         if (job->isRunning()) trial->giveWay();
                     });
}

}  // namespace

/// An undo command that changes the recipe in force, but not the choice of the Optimize page.
class Workbench::PutInForce : public QUndoCommand {
public:
    PutInForce(Workbench& workbench, Recipe after)
        : workbench_(workbench), before_(workbench.recipeWanted()), after_(std::move(after)) {}
    void undo() override { workbench_.useRecipe(before_); }
    void redo() override { workbench_.useRecipe(after_); }
    int id() const override { return cheap_change_id; }

private:
    Workbench& workbench_;
    Recipe before_, after_;
};

Workbench::Workbench(QObject* parent) : Workbench(new WorkerLink, parent) {
    if (!worker_->isSeparate())
        QTimer::singleShot(0, this, [this] {  // posted, so that receivers can connect first
            emit logged(tr("Models run in this program, which a crash of theirs would end: %1.")
                            .arg(worker_->whyShared()));
        });
}

Workbench::Workbench(std::unique_ptr<Engine> engine, QObject* parent)
    : Workbench(new WorkerLink(std::move(engine), nullptr), parent) {}

Workbench::Workbench(WorkerLink* worker, QObject* parent)
    : QObject(parent), jobs_(new JobRunner(this)),
      variants_(new VariantStore(*jobs_, worker->engine(), this)), worker_(worker),
      model_(new OpenedModel(*jobs_, *variants_, loadRunSettings(), this)),
      recent_(new RecentFiles(this)),
      opener_(new ModelOpener(*model_, *jobs_, worker_->engine(), *recent_, this)),
      tuning_(new Tuning(*model_, *variants_, *jobs_, worker_->engine(), this)),
      comparison_(new Comparison(*model_, *variants_, *jobs_, worker_->engine(), this)),
      givenData_(new GivenData(*model_, *jobs_, worker_->engine(), this)),
      levelTimes_(new LevelTimes(*model_, *jobs_, worker_->engine(), this)),
      levelTrial_(new LevelTrial(*model_, *jobs_, worker_->engine(), *levelTimes_, this)),
      plannedMemory_(new PlannedMemory(*model_, *jobs_, worker_->engine(), this)),
      quantizing_(new Quantizing(*model_, *variants_, *jobs_, worker_->engine(), this)),
      generating_(
          new Generating({*model_, *variants_, *comparison_, *jobs_, worker_->engine()}, this)),
      measuredDecoders_(
          new MeasuredDecoders({*model_, *variants_, *jobs_, worker_->engine()}, this)),
      plugins_(new PluginList(*jobs_, *worker_, this)),
      machines_(new Machines(*model_, *jobs_, this)),
      machineComparison_(
          new MachineComparison(*model_, *machines_, *jobs_, worker_->engine(), this)),
      project_(new Project(
          {*model_, *opener_, *variants_, *jobs_, *recent_, *tuning_, *comparison_}, this)),
      checklist_(new Checklist(
          {*model_, *variants_, *jobs_, worker_->engine(), *tuning_, *plugins_, *project_}, this)) {
    worker_->setParent(this);
    connect(worker_, &WorkerLink::ended, this, [this](const QString& title, const QString& text) {
        emit logged(tr("%1. %2").arg(title, text));
    });
    forwardSignals();
    followChoices();
    connect(levelTimes_, &LevelTimes::measured, project_, &Project::addMeasurement);
    connect(machineComparison_, &MachineComparison::measured, project_, &Project::addMeasurement);
    letTrialGiveWay(*this);
    connect(variants_, &VariantStore::made, this, [this](const VariantPtr& variant) {
        if (!awaited_ || variants_->find(*awaited_) != variant) return;
        awaited_.reset();
        showVariant(variant);
    });
    const auto giveUp = [this](const Recipe& recipe) {
        if (awaited_ == recipe) awaited_.reset();
    };
    goOnWithRun();
    connect(variants_, &VariantStore::failed, this, giveUp);
    connect(variants_, &VariantStore::cancelled, this, giveUp);
    connect(model_, &OpenedModel::openedChanged, this, [this] { awaited_.reset(); });
}

/// Continues the run when its variant is made, or ends it if that failed.
void Workbench::goOnWithRun() {
    connect(variants_, &VariantStore::made, this, [this] {
        const VariantPtr variant = runningVariant();
        if (runAwaits_ && variant && std::exchange(runAwaits_, false)) runVariant(variant);
    });
    connect(variants_, &VariantStore::failed, this,
            [this](const Recipe& recipe, const QString& reason) {
                // without the Original nothing else is made: its failure ends every run
                const bool isOther = recipe != recipeInForce().running();
                if (!runAwaits_ || (isOther && variants_->original())) return;
                runAwaits_ = false;
                emit logged(tr("The run failed: %1").arg(reason));
                emit runFailed(reason);
            });
    connect(variants_, &VariantStore::cancelled, this, [this] {
        if (std::exchange(runAwaits_, false)) emit runCancelled();
    });
}

/// Keeps the choice of the Optimize page and the recipe in force in step: if the chosen variant is
/// in force, a switched pass puts the new variant in force; a level that is put in force elsewhere
/// becomes the page's choice.
void Workbench::followChoices() {
    chosen_ = project_->recipe();
    connect(project_, &Project::recipeChanged, this, [this](const Recipe& recipe) {
        const Recipe before = std::exchange(chosen_, recipe);
        const bool hasLevel = !before.isOriginal() && !before.isBase();
        if (!opened() || !hasLevel || before != recipeWanted() || areSame(recipe, before)) return;
        useRecipe(recipe);
    });
    connect(model_, &OpenedModel::documentChanged, this, [this] {
        const DocumentPtr shown = document();
        if (shown && shown->variant && isOfSwitches(shown->variant->recipe))
            project_->followRecipe(shown->variant->recipe);
    });
}

/// Forwards signals to the views, after tuning, comparison and project have received them.
void Workbench::forwardSignals() {
    connect(model_, &OpenedModel::documentLeft, this, [this] {
        runAwaits_ = false;
        runJob_.drop();
    });
    connect(model_, &OpenedModel::openedChanged, worker_, [this] {
        using Documents = std::vector<std::uint64_t>;
        worker_->setDocuments(opened() ? Documents{opened()->source.document} : Documents());
    });
    connect(model_, &OpenedModel::openedChanged, this, &Workbench::openedChanged);
    connect(model_, &OpenedModel::documentChanged, this, &Workbench::documentChanged);
    connect(model_, &OpenedModel::runChanged, this, &Workbench::runChanged);
    connect(model_, &OpenedModel::focusChanged, this, &Workbench::focusChanged);
    connect(model_, &OpenedModel::runSettingsChanged, this, [this] {
        saveRunSettings(runSettings());
        emit runSettingsChanged();
    });
    connect(opener_, &ModelOpener::started, this, &Workbench::openStarted);
    connect(opener_, &ModelOpener::failed, this, &Workbench::openFailed);
    connect(opener_, &ModelOpener::cancelled, this, &Workbench::openCancelled);
    connect(opener_, &ModelOpener::channelBlockAsked, this, &Workbench::channelBlockAsked);
    connect(recent_, &RecentFiles::changed, this, &Workbench::recentFilesChanged);
    connect(model_, &OpenedModel::logged, this, &Workbench::logged);
    connect(opener_, &ModelOpener::logged, this, &Workbench::logged);
    connect(comparison_, &Comparison::logged, this, &Workbench::logged);
    connect(project_, &Project::logged, this, &Workbench::logged);
}

Workbench::~Workbench() {
    delete jobs_;  // deleted before the members that receive results
}

void Workbench::openModel(const QString& path) {
    project_->leaveThen([this, path] { loadFile(path); });
}

void Workbench::openSample(const QString& name) {
    project_->leaveThen([this, name] { loadSample(name); });
}

void Workbench::loadFile(const QString& path, int channelBlock) {
    opener_->loadFile(path, channelBlock);
}
void Workbench::loadSample(const QString& name) { opener_->loadSample(name); }
void Workbench::cancelOpen() { opener_->cancel(); }
void Workbench::adopt(ModelPtr model, const QString& title) {
    opener_->adopt(std::move(model), title);
}
void Workbench::closeModel() { opener_->close(); }
Job* Workbench::openJob() const { return opener_->job(); }
QStringList Workbench::recentFiles() const { return recent_->list(); }
QStringList Workbench::notedFiles() const { return recent_->noted().values(); }
void Workbench::noteFile(const QString& path) { recent_->note(path); }
void Workbench::rememberFile(const QString& path) { recent_->remember(path); }
void Workbench::clearRecentFiles() { recent_->clear(); }

void Workbench::openAny(const QString& path) {
    if (isProjectFile(path)) project_->open(path);
    else if (path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive)) openTrace(path);
    else openModel(path);
}

void Workbench::requestRunning() {
    if (!opened() || !faultText().isEmpty() || runningVariant()) return;
    const Recipe recipe = recipeInForce().running();
    variants_->require({recipe});  // stays requested, whatever else is requested
    variants_->requestAlso(recipe);
}

void Workbench::startRun() {
    if (!document() || isRunning()) return;
    if (const QString fault = faultText(); !fault.isEmpty()) return emit runFailed(fault);
    if (const VariantPtr variant = runningVariant()) return runVariant(variant);
    runAwaits_ = true;
    requestRunning();
    emit runStarted();
}

void Workbench::runVariant(const VariantPtr& variant) {
    const ModelSource ran = sourceOf(variant);
    const auto made = std::make_shared<RunRecordPtr>();  // a cancelled job returns no result
    const auto publish = [this, asked = runSettings().repetitions](RunRecordPtr run) {
        emit logged(
            tr("Ran %1: %2 ms.").arg(document()->title).arg(run->summary.wall_ms, 0, 'f', 3));
        if (run->profile->runs < asked)
            emit logged(tr("The run was cancelled: %1 of %2 runs are kept.")
                            .arg(run->profile->runs)
                            .arg(asked));
        model_->publishRun(std::move(run));
    };
    Job* job = runJob_.start<RunRecordPtr>(
        *jobs_, tr("Run %1 · %2").arg(opened()->title, runNameOf(recipeInForce())),
        [engine = &worker_->engine(), machine = model_->machine(), source = ran,
         settings = runSettings(), made](const Progress& progress) {
            RunRecord record =
                machine.engineOr(*engine).call(ProfileJob{source, settings}, progress);
            record.machine = machine.text().toStdString();
            return *made = std::make_shared<const RunRecord>(std::move(record));
        },
        publish,
        [this, publish, made, isHere = model_->machine().isHere()](const Error& error) {
            if (error.code() == ErrorCode::cancelled && *made) return publish(std::move(*made));
            if (error.code() == ErrorCode::cancelled) {
                emit logged(tr("The run was cancelled."));
                emit runCancelled();
                return;
            }
            // WorkerLink reports it; the previous run is shown again
            if (isHere && isWorkerEnd(error)) {
                emit runCancelled();
                return;
            }
            const QString reason =
                isHere ? QString::fromUtf8(error.what()) : inWindowLanguage(error.what());
            emit logged(tr("The run failed: %1").arg(reason));
            emit runFailed(reason);
        });
    job->setKept();
    job->setCommand(onMachine(profileCommand(ran, runSettings()), model_->machine()));
    emit runStarted();
}

Job* Workbench::runJob() const {
    Job* job = runJob_.job();
    return job || !runAwaits_ ? job : variants_->job();
}

const RunFigures* Workbench::timeOf(const Recipe& recipe) const {
    return opened() ? newestUnder(project_->runs(), recipe, conditions()) : nullptr;
}

void Workbench::useRecipe(const Recipe& recipe) {
    awaited_.reset();
    if (const VariantPtr made =
            recipe.isOriginal() ? variants_->original() : variants_->find(recipe))
        return showVariant(made);
    awaited_ = recipe;
    variants_->requestAlso(recipe);
}

void Workbench::choose(const Recipe& recipe, const QString& what) {
    choose(recipe, isOfSwitches(recipe) ? recipe : project_->recipe(), what);
}

void Workbench::choose(const Recipe& recipe, const Recipe& onPage, const QString& what) {
    const bool isOnPage = onPage == project_->recipe(), isInForce = areSame(recipe, recipeWanted());
    if (isOnPage && isInForce) return;
    // made before the change, because it stores what was in force
    auto put = isInForce ? nullptr : std::make_unique<PutInForce>(*this, recipe);
    QUndoStack& history = project_->undoStack();
    history.beginMacro(what);
    if (!isOnPage) project_->setRecipe(onPage, what);
    if (put) history.push(put.release());
    history.endMacro();
}

void Workbench::cancelRun() {
    if (!runAwaits_) return runJob_.cancel();
    if (Job* making = variants_->job()) return making->cancel();
    runAwaits_ = false;
    emit runCancelled();
}

void Workbench::openTrace(const QString& path) {
    recent_->note(path);
    const QString what = QFileInfo(path).fileName();
    jobs_->start<RunRecordPtr>(
        tr("Open %1").arg(what),
        [file = toPath(path), name = what.toStdString(),
         shown = document() ? document()->model : nullptr](const Progress& progress) {
            progress.step("read trace");
            RunRecord record;
            LoadedTrace loaded = load_trace(file, progress.cancel);
            auto profile = std::make_shared<Profile>(std::move(loaded.profile));
            if (loaded.source == TraceSource::onnxruntime)
                profile->note = tr("Recorded by ONNX Runtime.").toStdString() +
                                (profile->note.empty() ? "" : " ") + profile->note;
            record.trace = name;
            if (shown) {
                progress.step("match nodes");
                TraceMatch match = match_trace(*profile, shown->graph);
                // otherwise the trace is of another model and is shown without one
                if (match.matched > 0) {
                    record.traced = shown;
                    record.match = std::move(match);
                }
            }
            record.profile = std::move(profile);
            progress.step("summarize");
            record.summary = summarize(*record.profile);
            if (!record.profile->note.empty()) record.summary.verdict += " " + record.profile->note;
            return std::make_shared<const RunRecord>(std::move(record));
        },
        [this, what, absolute = QFileInfo(path).absoluteFilePath()](RunRecordPtr run) {
            cancelRun();
            rememberFile(absolute);
            emit logged(tr("Opened the trace %1.").arg(what));
            model_->publishRun(std::move(run));
        },
        [this, what](const Error& error) {
            if (error.code() == ErrorCode::cancelled) return;
            emit logged(tr("Could not open %1: %2").arg(what, QString::fromUtf8(error.what())));
            emit traceFailed(what, QString::fromUtf8(error.what()));
        });
}

void Workbench::saveTrace(const QString& path) {
    if (!run()) return;
    recent_->note(path);
    const QString what = QFileInfo(path).fileName();
    jobs_->start<bool>(
        tr("Save %1").arg(what),
        [run = run(), file = toPath(path)](const Progress&) {
            save_chrome_trace(*run->profile, file);
            return true;
        },
        [this, path](bool) {
            emit logged(tr("Saved the trace %1.").arg(path));
            emit traceSaved(path);
        },
        [this, what](const Error& error) {
            if (error.code() == ErrorCode::cancelled) return;
            emit logged(tr("Could not save %1: %2").arg(what, QString::fromUtf8(error.what())));
            emit traceFailed(what, QString::fromUtf8(error.what()));
        });
}

void Workbench::focusNode(NodeId node) {
    Focus focus = this->focus();
    focus.node = node;
    focus.value = {};
    focus.body = nullptr;
    setFocus(focus);
}

void Workbench::focusValue(ValueId value) {
    Focus focus = this->focus();
    focus.node = {};
    focus.value = value;
    focus.body = nullptr;
    setFocus(focus);
}

}  // namespace lapidary::app
