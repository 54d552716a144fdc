// SPDX-License-Identifier: GPL-3.0-or-later
// Owns and connects the parts of the window's state: jobs, worker, variants, the opened model,
// tuning, comparison, project. Each part knows only the parts that it needs; views reach all of
// them through this class.
#pragma once

#include <QObject>
#include <QStringList>

#include "workbench/jobs/latest_job.h"
#include "workbench/document/opened_model.h"
#include "workbench/jobs/worker_link.h"

namespace lapidary::app {

struct RunFigures;
class ModelOpener;
class RecentFiles;
class Tuning;
class Comparison;
class GivenData;
class Checklist;
class Generating;
class MeasuredDecoders;
class LevelTimes;
class LevelTrial;
class PlannedMemory;
class Quantizing;
class PluginList;
class Machines;
class MachineComparison;
class Project;

class Workbench : public QObject {
    Q_OBJECT
public:
    explicit Workbench(QObject* parent = nullptr);
    /// Uses the given engine, which must not be null.
    explicit Workbench(std::unique_ptr<Engine> engine, QObject* parent = nullptr);
    ~Workbench() override;

    OpenedModel& model() { return *model_; }
    DocumentPtr document() const { return model_->document(); }
    DocumentPtr opened() const { return model_->opened(); }
    VariantStore& variants() { return *variants_; }  // of the opened model
    RunRecordPtr run() const { return model_->run(); }
    Engine& engine() { return worker_->engine(); }  // what runs models
    WorkerLink& worker() { return *worker_; }       // where it runs them
    /// The source of the opened model or of a variant of it.
    ModelSource sourceOf(const VariantPtr& variant) const { return model_->sourceOf(variant); }
    Tuning& tuning() { return *tuning_; }
    Comparison& comparison() { return *comparison_; }
    GivenData& givenData() { return *givenData_; }
    LevelTimes& levelTimes() { return *levelTimes_; }
    LevelTrial& levelTrial() { return *levelTrial_; }  // measures levels of small models unasked
    PlannedMemory& plannedMemory() { return *plannedMemory_; }
    Quantizing& quantizing() { return *quantizing_; }
    Generating& generating() { return *generating_; }  // of tokens, with decoders
    MeasuredDecoders& measuredDecoders() { return *measuredDecoders_; }
    Project& project() { return *project_; }
    // advice about the variant in force
    Checklist& checklist() { return *checklist_; }
    PluginList& plugins() { return *plugins_; }  // plugins and engines that are found
    Machines& machines() { return *machines_; }  // where jobs of the open model run
    // the variant in force on two of them
    MachineComparison& machineComparison() { return *machineComparison_; }
    const Focus& focus() const { return model_->focus(); }
    const RunSettings& runSettings() const { return model_->runSettings(); }
    const RunConditions& conditions() const { return model_->conditions(); }
    /// The recipe of the variant in force, which exports write. Runs, plans and sweeps use its
    /// running().
    Recipe recipeInForce() const { return model_->recipeInForce(); }
    /// OpenedModel::running(): the variant that runs and plans use.
    VariantPtr runningVariant() const { return model_->running(); }
    /// Makes the running variant if needed; VariantStore's signals report the end. Does nothing if
    /// no model is open or the model is faulty.
    void requestRunning();
    /// The recipe that will be in force once its variant is made, else the one in force.
    Recipe recipeWanted() const { return awaited_ ? *awaited_ : recipeInForce(); }
    /// Why the shown model, as opened or edited, cannot be run, planned or exported
    /// (Document::faultText()); empty: no fault is known.
    QString faultText() const { return document() ? document()->faultText() : QString(); }
    /// newestUnder() of the recipe and the conditions in force.
    const RunFigures* timeOf(const Recipe& recipe) const;
    JobRunner& jobs() { return *jobs_; }
    QStringList recentFiles() const;
    QStringList notedFiles() const;  // RecentFiles::noted()
    bool isOpening() const { return openJob() != nullptr; }
    bool isRunning() const { return runJob_.isRunning() || runAwaits_; }
    Job* openJob() const;  // null unless opening
    // runs the model or makes the variant that runs; null unless running
    Job* runJob() const;

public slots:
    /// Loads off the GUI thread. On failure the open document stays and openFailed() is emitted.
    void openModel(const QString& path);
    void openSample(const QString& name);
    /// Stops a load; the open document stays and openCancelled() is emitted.
    void cancelOpen();
    /// Opens a model, a project or a trace, distinguished by the file name's ending (.lapidary: a
    /// project, .json: a trace).
    void openAny(const QString& path);
    /// Does not ask about unsaved changes: the caller has asked, or the project itself opens its
    /// model. `channelBlock` is LoadOptions' own.
    void loadFile(const QString& path, int channelBlock = 0);
    void loadSample(const QString& name);
    /// Nothing is open afterwards.
    void closeModel();
    /// Opens a model that is loaded already, for jobs and tests. documentChanged() is emitted
    /// before this returns.
    void adopt(lapidary::ModelPtr model, const QString& title);
    /// Shows a variant of the opened model, the original too, in all views; runs and focus follow.
    void showVariant(const lapidary::app::VariantPtr& variant) { model_->showVariant(variant); }
    /// Shows the variant of the recipe, after making it if needed.
    void useRecipe(const lapidary::app::Recipe& recipe);
    /// As useRecipe(), with undo. It also becomes the choice of the Optimize page if that page can
    /// show it. `what`: its name in the Edit menu.
    void choose(const lapidary::app::Recipe& recipe, const QString& what);
    /// The same with a different choice `onPage` of the Optimize page. A choice of level disabled
    /// keeps its switches while the original is in force.
    void choose(const lapidary::app::Recipe& recipe, const lapidary::app::Recipe& onPage,
                const QString& what);
    /// Starts a profiled run of the running variant, after making that if needed. Emits
    /// runStarted() for each of these two jobs, and runChanged() with the result.
    void startRun();
    void cancelRun();
    void openTrace(const QString& path);
    void saveTrace(const QString& path);
    void setRunSettings(const lapidary::app::RunSettings& settings) {
        model_->setRunSettings(settings);
    }
    /// Emits focusChanged() only on a change.
    void setFocus(const lapidary::app::Focus& focus) { model_->setFocus(focus); }
    void focusNode(lapidary::NodeId node);
    void focusValue(lapidary::ValueId value);
    /// Call it after the open file was overwritten: the new file is protected from now on.
    void protectOpenedFiles() { model_->protectFiles(); }
    void clearRecentFiles();
    void rememberFile(const QString& path);
    void noteFile(const QString& path);  // RecentFiles::note()

signals:
    void openStarted(const QString& what);
    // another model was opened, or none is any more; comes before documentChanged()
    void openedChanged();
    void documentChanged();  // another model or variant is shown, or none
    void openFailed(const QString& what, const QString& reason);
    /// The file is open to be looked at; to run it, loadFile() with a block of 8 or 16 has to open
    /// it again.
    void channelBlockAsked(const QString& path, const QString& reason);
    void openCancelled();
    void runStarted();
    void runChanged();
    void runFailed(const QString& reason);
    void runCancelled();
    void runSettingsChanged();
    void traceSaved(const QString& path);
    void traceFailed(const QString& what, const QString& reason);
    void focusChanged(const lapidary::app::Focus& focus);
    void recentFilesChanged();
    void logged(const QString& line);  // one line for the Log panel

private:
    class PutInForce;
    Workbench(WorkerLink* worker, QObject* parent);
    void forwardSignals();
    void followChoices();
    void runVariant(const VariantPtr& variant);
    void goOnWithRun();

    JobRunner* jobs_;
    VariantStore* variants_;
    WorkerLink* worker_;
    OpenedModel* model_;
    RecentFiles* recent_;
    ModelOpener* opener_;
    Tuning* tuning_;
    Comparison* comparison_;
    GivenData* givenData_;
    LevelTimes* levelTimes_;
    LevelTrial* levelTrial_;
    PlannedMemory* plannedMemory_;
    Quantizing* quantizing_;
    Generating* generating_;
    MeasuredDecoders* measuredDecoders_;
    PluginList* plugins_;
    Machines* machines_;
    MachineComparison* machineComparison_;
    Project* project_;
    Checklist* checklist_;
    std::optional<Recipe> awaited_;  // to be shown when it is made
    Recipe chosen_;                  // the choice of the Optimize page when it last changed
    bool runAwaits_ = false;         // a run waits for its variant to be made
    LatestJob runJob_;
};

}  // namespace lapidary::app
