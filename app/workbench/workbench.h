// SPDX-License-Identifier: GPL-3.0-or-later
// Puts together what the window works with: jobs, worker, variants, the opened model, tuning,
// comparison, project. Each of them takes what it needs of the others; this class alone knows all.
// Views talk to it.
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
class LevelTimes;
class LevelTrial;
class PlannedMemory;
class Quantizing;
class PluginList;
class Project;

class Workbench : public QObject {
    Q_OBJECT
public:
    explicit Workbench(QObject* parent = nullptr);
    /// With another engine than the usual one; not null.
    explicit Workbench(std::unique_ptr<Engine> engine, QObject* parent = nullptr);
    ~Workbench() override;

    OpenedModel& model() { return *model_; }
    DocumentPtr document() const { return model_->document(); }
    DocumentPtr opened() const { return model_->opened(); }
    VariantStore& variants() { return *variants_; }  // of the opened model
    RunRecordPtr run() const { return model_->run(); }
    Engine& engine() { return worker_->engine(); }  // what runs models
    WorkerLink& worker() { return *worker_; }       // where it runs them
    /// Of the opened model or a variant of it.
    ModelSource sourceOf(const VariantPtr& variant) const { return model_->sourceOf(variant); }
    Tuning& tuning() { return *tuning_; }
    Comparison& comparison() { return *comparison_; }
    GivenData& givenData() { return *givenData_; }
    LevelTimes& levelTimes() { return *levelTimes_; }
    LevelTrial& levelTrial() { return *levelTrial_; }  // measures levels of small models unasked
    PlannedMemory& plannedMemory() { return *plannedMemory_; }
    Quantizing& quantizing() { return *quantizing_; }
    Project& project() { return *project_; }
    // what is worth doing with the variant in force
    Checklist& checklist() { return *checklist_; }
    PluginList& plugins() { return *plugins_; }  // plugins and engines that are found
    const Focus& focus() const { return model_->focus(); }
    const RunSettings& runSettings() const { return model_->runSettings(); }
    const RunConditions& conditions() const { return model_->conditions(); }
    /// The recipe of the variant in force: what exports are of; runs, plans and sweeps are of its
    /// running().
    Recipe recipeInForce() const { return model_->recipeInForce(); }
    /// OpenedModel::running(): what runs and plans are of.
    VariantPtr runningVariant() const { return model_->running(); }
    /// Makes the running variant if needed; VariantStore emits the end. Does nothing if no model is
    /// open or the model is faulty.
    void requestRunning();
    /// That will be in force once it is made, or the one in force.
    Recipe recipeWanted() const { return awaited_ ? *awaited_ : recipeInForce(); }
    /// Why the opened model cannot run, plan or be exported (Document::faultText()); empty: nothing
    /// is known of that.
    QString faultText() const { return opened() ? opened()->faultText() : QString(); }
    /// newestUnder() of the recipe and the conditions in force.
    const RunFigures* timeOf(const Recipe& recipe) const;
    JobRunner& jobs() { return *jobs_; }
    QStringList recentFiles() const;
    bool isOpening() const { return openJob() != nullptr; }
    bool isRunning() const { return runJob_.isRunning() || runAwaits_; }
    Job* openJob() const;  // null unless opening
    // that runs or makes what runs; null unless running
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
    /// Without asking: the project has asked, or it is the project that opens its model.
    /// `channelBlock` is LoadOptions' own.
    void loadFile(const QString& path, int channelBlock = 0);
    void loadSample(const QString& name);
    /// Nothing is open afterwards.
    void closeModel();
    /// Adopts a loaded model at once (jobs and tests): documentChanged() was emitted when this
    /// returns.
    void adopt(lapidary::ModelPtr model, const QString& title);
    /// Shows a variant of the opened model, the original too, in all views; runs and focus follow.
    void showVariant(const lapidary::app::VariantPtr& variant) { model_->showVariant(variant); }
    /// The same of a recipe, made first where it is not.
    void useRecipe(const lapidary::app::Recipe& recipe);
    /// The same with undo, and it is the Optimize page's choice too where that can show it; `what`
    /// as the Edit menu names it.
    void choose(const lapidary::app::Recipe& recipe, const QString& what);
    /// With another choice of the Optimize page: one of level disabled keeps its switches while the
    /// original is in force.
    void choose(const lapidary::app::Recipe& recipe, const lapidary::app::Recipe& onPage,
                const QString& what);
    /// Profiled run of what runs where the shown variant is in force; it is made first where it is
    /// not. Publishes through runChanged(); runStarted() comes for each of the two jobs.
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
    /// After the file that is open was written over: what lies there now is protected too.
    void protectOpenedFiles() { model_->protectFiles(); }
    void clearRecentFiles();
    void rememberFile(const QString& path);

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
    void logged(const QString& line);  // one line for the Log dock

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
    PluginList* plugins_;
    Project* project_;
    Checklist* checklist_;
    std::optional<Recipe> awaited_;  // to be shown when it is made
    Recipe chosen_;                  // on the Optimize page, as known last
    bool runAwaits_ = false;         // what is to run is being made
    LatestJob runJob_;
};

}  // namespace lapidary::app
