// SPDX-License-Identifier: GPL-3.0-or-later
// The open document, the focus all views share, and the slots that start jobs and publish results.
// Everything published is an immutable value behind shared_ptr<const T>; a new one replaces the old.
#pragma once

#include <QObject>
#include <QStringList>

#include <functional>
#include <map>
#include <memory>
#include <string>

#include <lapidary/model.h>
#include <lapidary/model_summary.h>
#include <lapidary/profile.h>
#include <lapidary/session.h>

#include "workbench/focus.h"
#include "workbench/job_runner.h"
#include "workbench/variant_store.h"

namespace lapidary::app {

/// A model as opened, or a variant of it, with what was found out about it.
struct Document {
    ModelPtr model;
    ModelSummary summary;
    QString title;       // file name or sample title; of a variant with the variant's name behind it
    VariantPtr variant;  // null: as it was opened
};
using DocumentPtr = std::shared_ptr<const Document>;

/// One profiled run.
struct RunRecord {
    ModelPtr model;      // that ran; null: read from a trace
    ModelPtr executed;   // as the session ran it: neighbouring nodes of `model` fused, each under the id of the last
    std::shared_ptr<const Profile> profile;
    ProfileSummary summary;
    PlanInfo plan;
    NamedValues inputs, outputs;
};
using RunRecordPtr = std::shared_ptr<const RunRecord>;

constexpr int most_run_threads = 256;
constexpr int most_repetitions = 100'000;
constexpr int most_warmups = 10'000;

struct RunSettings {
    int threads = 0;        // 0: default
    int repetitions = 10;
    int warmups = 2;
    quint64 seed = 0;
    std::map<std::string, std::int64_t> dimensions;  // sizes of symbolic dimensions; 0 or absent: chosen
    friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

class Workbench : public QObject {
    Q_OBJECT
public:
    explicit Workbench(QObject* parent = nullptr);
    ~Workbench() override;

    DocumentPtr document() const { return document_; }   // what is shown: the opened model or a variant; null: nothing open
    DocumentPtr opened() const { return opened_; }       // the model as it was opened; null: nothing open
    VariantStore& variants() { return *variants_; }      // of the opened model
    RunRecordPtr run() const { return run_; }            // newest run of the document; null: none
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
    /// Opens a model or a trace, told apart by the file name's ending (.json: a trace).
    void openAny(const QString& path);
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
    void clearRecentFiles();

signals:
    void openStarted(const QString& what);
    void openedChanged();    // another model was opened; comes before documentChanged()
    void documentChanged();  // another model or variant is shown
    void openFailed(const QString& what, const QString& reason);
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
    void open(const QString& what, const QString& path, std::function<Document(const Progress&)> load);
    void publishDocument(DocumentPtr document);
    void show(DocumentPtr document, RunRecordPtr run);
    void publishRun(RunRecordPtr run);
    void retire(std::shared_ptr<const void> result);
    void rememberFile(const QString& path);
    DocumentPtr document_, opened_;
    RunRecordPtr run_;
    std::map<ModelPtr, RunRecordPtr> otherRuns_;  // newest runs of the variants that are not shown
    Focus focus_;
    RunSettings runSettings_;
    QStringList recentFiles_;
    JobRunner* jobs_ = nullptr;
    VariantStore* variants_ = nullptr;
    Job* openJob_ = nullptr;
    Job* runJob_ = nullptr;
};

}  // namespace lapidary::app
