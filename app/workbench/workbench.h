// SPDX-License-Identifier: GPL-3.0-or-later
// The open document, the focus all views share, and the slots that start jobs and publish results.
// Everything published is an immutable value behind shared_ptr<const T>; a new one replaces the old.
#pragma once

#include <QObject>
#include <QStringList>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <lapidary/model.h>
#include <lapidary/model_summary.h>
#include <lapidary/output_file.h>
#include <lapidary/profile.h>
#include <lapidary/session.h>

#include "workbench/focus.h"
#include "workbench/job_runner.h"
#include "worker/engine.h"
#include "workbench/variant_store.h"
#include "workbench/worker_link.h"

namespace lapidary::app {

/// A model as opened, or a variant of it, with what was found out about it.
struct Document {
    ModelPtr model;
    ModelSummary summary;
    QString title;       // file name or sample title; of a variant with the variant's name behind it
    VariantPtr variant;  // null: as it was opened
    ModelSource source;  // for other processes
    std::string layoutProblem;  // why the block of its channels is not known (channel_block_problem()); empty: it is
};
using DocumentPtr = std::shared_ptr<const Document>;

class Tuning;
class Comparison;
class Quantizing;
class Project;

class Workbench : public QObject {
    Q_OBJECT
public:
    explicit Workbench(QObject* parent = nullptr);
    /// With another engine than the usual one; not null.
    explicit Workbench(std::unique_ptr<Engine> engine, QObject* parent = nullptr);
    ~Workbench() override;

    // what is shown: the opened model or a variant; null: nothing open
    DocumentPtr document() const { return document_; }
    DocumentPtr opened() const { return opened_; }       // the model as it was opened; null: nothing open
    VariantStore& variants() { return *variants_; }      // of the opened model
    RunRecordPtr run() const { return run_; }            // newest run of the document; null: none
    Engine& engine() { return worker_->engine(); }       // what runs models
    WorkerLink& worker() { return *worker_; }            // where it runs them
    /// Of the opened model or a variant of it.
    ModelSource sourceOf(const VariantPtr& variant) const;
    Tuning& tuning() { return *tuning_; }
    Comparison& comparison() { return *comparison_; }
    Quantizing& quantizing() { return *quantizing_; }
    Project& project() { return *project_; }
    const Focus& focus() const { return focus_; }
    const RunSettings& runSettings() const { return runSettings_; }
    JobRunner& jobs() { return *jobs_; }
    QStringList recentFiles() const { return recentFiles_; }
    bool isOpening() const { return openJob_ != nullptr; }
    bool isRunning() const { return runJob_ != nullptr; }
    Job* openJob() const { return openJob_; }            // null unless opening
    Job* runJob() const { return runJob_; }              // null unless running

public slots:
    /// Loads off the GUI thread. On failure the open document stays and openFailed() is emitted.
    void openModel(const QString& path);
    void openSample(const QString& name);
    /// Stops a load; the open document stays and openCancelled() is emitted.
    void cancelOpen();
    /// Opens a model, a project or a trace, told apart by the file name's ending (.lapidary: a project, .json: a
    /// trace).
    void openAny(const QString& path);
    /// Without asking: the project has asked, or it is the project that opens its model.
    /// `channelBlock` is LoadOptions' own.
    void loadFile(const QString& path, int channelBlock = 0);
    void loadSample(const QString& name);
    /// Nothing is open afterwards.
    void closeModel();
    /// Adopts a loaded model at once (jobs and tests): documentChanged() was emitted when this returns.
    void adopt(lapidary::ModelPtr model, const QString& title);
    /// Shows a variant of the opened model, the original too, in all views; runs and focus follow.
    void showVariant(const lapidary::app::VariantPtr& variant);
    /// Profiled run with generated inputs; publishes through runChanged().
    void startRun();
    void cancelRun();
    void openTrace(const QString& path);
    void saveTrace(const QString& path);
    void setRunSettings(const lapidary::app::RunSettings& settings);
    /// Emits focusChanged() only on a change.
    void setFocus(const lapidary::app::Focus& focus);
    void focusNode(lapidary::NodeId node);
    void focusValue(lapidary::ValueId value);
    /// After the file that is open was written over: what lies there now is protected too.
    void protectOpenedFiles();
    void clearRecentFiles();
    void rememberFile(const QString& path);

signals:
    void openStarted(const QString& what);
    void openedChanged();    // another model was opened, or none is any more; comes before documentChanged()
    void documentChanged();  // another model or variant is shown, or none
    void openFailed(const QString& what, const QString& reason);
    /// The file is open to be looked at; to run it, loadFile() with a block of 8 or 16 has to open it again.
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
    Workbench(WorkerLink* worker, QObject* parent);
    void open(const QString& what, const QString& path, std::function<Document(const Progress&)> load);
    void publishDocument(DocumentPtr document);
    void show(DocumentPtr document, RunRecordPtr run);
    void publishRun(RunRecordPtr run);
    void retire(std::shared_ptr<const void> result);
    DocumentPtr document_, opened_;
    std::optional<InputProtection> openedFiles_;  // nothing that is saved replaces them
    RunRecordPtr run_;
    std::map<ModelPtr, RunRecordPtr> otherRuns_;  // newest runs of the variants that are not shown
    Focus focus_;
    RunSettings runSettings_;
    QStringList recentFiles_;
    JobRunner* jobs_ = nullptr;
    VariantStore* variants_ = nullptr;
    WorkerLink* worker_ = nullptr;
    Tuning* tuning_ = nullptr;
    Comparison* comparison_ = nullptr;
    Quantizing* quantizing_ = nullptr;
    Project* project_ = nullptr;
    Job* openJob_ = nullptr;
    Job* runJob_ = nullptr;
};

}  // namespace lapidary::app
