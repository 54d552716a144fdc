// SPDX-License-Identifier: GPL-3.0-or-later
// The open model, the variant of it that is shown, the settings of runs, its newest run, and the
// selection that all views share. Everything published is an immutable value behind
// shared_ptr<const T>; a new one replaces the old.
#pragma once

#include <QObject>

#include <map>
#include <memory>
#include <optional>
#include <string>

#include <lapidary/graph/model.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/report/model_summary.h>
#include <lapidary/internal/output_file.h>

#include "workbench/document/focus.h"
#include "workbench/jobs/job_runner.h"
#include "workbench/document/run_conditions.h"
#include "workbench/document/variant_store.h"
#include "workbench/targets/machine.h"
#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

/// A model as opened, or a variant of it, with what was found out about it.
struct Document {
    ModelPtr model;
    ModelSummary summary;
    // file name or sample title; of a variant with the variant's name behind it
    QString title;
    VariantPtr variant;  // null: as it was opened
    ModelSource source;  // for other processes
    // why the block of its channels is not known (channel_block_problem()); empty: it is
    std::string layoutProblem;
    std::vector<ModelFault> faults = {};  // not empty: the model can be looked at, not run or saved
    /// "node "scores" (MatMul): ..." of the first of them; empty: there is none.
    QString faultText() const;
};
using DocumentPtr = std::shared_ptr<const Document>;

class OpenedModel : public QObject {
    Q_OBJECT
public:
    OpenedModel(JobRunner& jobs, VariantStore& variants, RunSettings settings,
                QObject* parent = nullptr);

    // what is shown: opened() or a variant; null: nothing open
    DocumentPtr document() const { return document_; }
    // the model as it was opened; null: nothing open
    DocumentPtr opened() const { return opened_; }
    // newest run of running(), or a trace; null: none
    RunRecordPtr run() const { return run_; }
    const Focus& focus() const { return focus_; }
    const RunSettings& runSettings() const { return runSettings_; }
    /// Where runs, sweeps and measurements of it are made from now on; this computer when it is
    /// opened.
    const Machine& machine() const { return machine_; }
    /// The conditions of runs from now on.
    const RunConditions& conditions() const;
    /// Of the opened model or a variant of it.
    ModelSource sourceOf(const Variant& variant) const;
    /// The same; null: the opened model.
    ModelSource sourceOf(const VariantPtr& variant) const;
    /// The recipe of the shown variant. For the original it changes nothing.
    Recipe recipeInForce() const;
    /// The variant that runs where the shown one is in force: itself, or the level that a graph
    /// without one runs at. Null: not made yet, or nothing is open.
    VariantPtr running() const;
    /// The node of the shown graph that a node of a graph that ran stands for: itself, or the first
    /// of the nodes that it was made from. Invalid: the shown graph has none of them.
    NodeId shownNode(const Model& ran, NodeId node) const;
    /// The node of a graph that ran which does what a node of the shown graph does. Invalid: there
    /// is none.
    NodeId ranNode(const Model& ran, NodeId shown) const;

    /// Replaces the open model; null: none is open. Variants, runs, focus and the sizes of
    /// dimensions of the one before are dropped.
    void open(DocumentPtr document);
    /// Shows a variant of the opened model, the original too; runs and focus follow.
    void showVariant(const VariantPtr& variant);
    void publishRun(RunRecordPtr run);
    void setRunSettings(const RunSettings& settings);
    /// Emits runSettingsChanged() where it is another one, or more is known of it.
    void setMachine(const Machine& machine);
    /// Emits focusChanged() only on a change.
    void setFocus(const Focus& focus);
    /// Call it after the open file was overwritten: the new file is protected from now on.
    void protectFiles();

signals:
    // another one is about to be shown; running jobs belong to the old one
    void documentLeft();
    // another model was opened, or none is any more; comes before documentChanged()
    void openedChanged();
    void documentChanged();  // another model or variant is shown, or none
    void runChanged();
    void runSettingsChanged();  // or the machine
    void focusChanged(const lapidary::app::Focus& focus);
    void logged(const QString& line);

private:
    void show(DocumentPtr document, RunRecordPtr run);
    void retire(std::shared_ptr<const void> result);
    void forgetRuns();
    bool isShownGraph(const Model& ran) const;

    JobRunner& jobs_;
    VariantStore& variants_;
    DocumentPtr document_, opened_;
    std::optional<InputProtection>
        openedFiles_;  // the files of the open model, which saving must not overwrite
    RunRecordPtr run_;
    // newest runs of variants that are not shown, by the text of their recipe
    std::map<std::string, RunRecordPtr> otherRuns_;
    Focus focus_;
    RunSettings runSettings_;
    Machine machine_;
    // of opened_ under runSettings_; empty: not computed yet
    mutable std::optional<RunConditions> conditions_;
};

}  // namespace lapidary::app
