// SPDX-License-Identifier: GPL-3.0-or-later
// The input of core's adviser for the variant in force, from all that the window knows: its graph,
// memory plan, runs, measurements, guards and sweeps.
#pragma once

#include <QObject>

#include <map>
#include <string>
#include <vector>

#include <lapidary/advice/advice.h>
#include <lapidary/advice/row_help.h>

#include "workbench/jobs/latest_job.h"
#include "workbench/document/variant.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

class Engine;
class OpenedModel;
class PluginList;
class Project;
class Tuning;
class VariantStore;

/// The language of the window.
AdviceLanguage adviceLanguage();

/// Time shares of the nodes of a variant: measured if the run is of it, else estimated.
TimeShares sharesOf(const Variant& variant, const RunRecordPtr& run);

class Checklist : public QObject {
    Q_OBJECT
public:
    struct Parts {
        OpenedModel& model;
        VariantStore& variants;
        JobRunner& jobs;
        Engine& engine;
        Tuning& tuning;
        PluginList& plugins;
        Project& project;
    };
    Checklist(const Parts& parts, QObject* parent = nullptr);

    /// Advice about the variant in force; empty: nothing is open, or its graph was not analysed
    /// yet.
    std::vector<Advice> advice(const AdviceLanguage& language = adviceLanguage()) const;
    /// What would shorten the largest of these rows, which are of the run in force; empty: it is of
    /// another model, or nothing is known to help.
    std::vector<RowHelp> helpFor(const std::vector<OperatorTotal>& rows) const;
    /// The variant that runs where the variant in force is shown, or the variant in force until
    /// that one is made. Null: nothing is open. Advice about the file (operators, opset, inputs and
    /// outputs) is about the shown graph.
    VariantPtr judged() const;
    /// The sizes that "fix dimensions" would take: those of a run.
    std::map<std::string, std::int64_t> sizesToFix() const;
    /// Looks at the export, plans memory and looks for plugins too, which takes longer than the
    /// rest. Called when the list is shown.
    void lookClosely();
    bool isLooking() const;

signals:
    void changed();

private:
    using Facts = std::shared_ptr<const ModelFacts>;
    void look();
    void lookAtExport();
    void lookAtMemory();
    void makeRunning();
    AdviceInput input() const;
    void addTimes(AdviceInput& in) const;
    void addChoices(AdviceInput& in) const;
    void addProviders(AdviceInput& in) const;

    Parts parts_;
    Facts facts_;
    ModelPtr model_;  // the model of facts_
    std::shared_ptr<const ExportTriage> triage_;
    ModelPtr triagedModel_;  // the opened model that triage_ is, or will be, of
    std::shared_ptr<const MemoryFindings> memory_;
    ModelPtr memoryModel_;
    MemoryAssumptions memoryAssumptions_;  // of memory_
    bool awaitsRunning_ = false;           // memory is planned once the running variant is made
    LatestJob job_, triageJob_, memoryJob_;
};

}  // namespace lapidary::app
