// SPDX-License-Identifier: GPL-3.0-or-later
// The input of core's adviser for the variant in force, from all that the window knows: its graph,
// memory plan, runs, measurements, guards and sweeps.
#pragma once

#include <QObject>

#include <map>
#include <string>
#include <vector>

#include <lapidary/advice/advice.h>

#include "workbench/jobs/latest_job.h"
#include "workbench/document/variant.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

class OpenedModel;
class PluginList;
class Project;
class Tuning;
class VariantStore;

/// In which the window speaks.
AdviceLanguage adviceLanguage();

/// Of the nodes of a variant: measured where the run is of it, else estimated.
TimeShares sharesOf(const Variant& variant, const RunRecordPtr& run);

class Checklist : public QObject {
    Q_OBJECT
public:
    struct Parts {
        OpenedModel& model;
        VariantStore& variants;
        JobRunner& jobs;
        Tuning& tuning;
        PluginList& plugins;
        Project& project;
    };
    Checklist(const Parts& parts, QObject* parent = nullptr);

    /// About the variant in force; empty: nothing is open, or its graph was not looked at yet.
    std::vector<Advice> advice(const AdviceLanguage& language = adviceLanguage()) const;
    /// What runs where the variant in force is; until that is made the variant in force. Null:
    /// nothing is open. What is said of the file (operators, opset, ends) is of the graph that is
    /// shown.
    VariantPtr judged() const;
    /// The sizes that "fix dimensions" would take: those of a run.
    std::map<std::string, std::int64_t> sizesToFix() const;
    /// Plans memory and looks for plugins too, which takes longer than the rest: for those who
    /// look.
    void lookClosely();
    bool isLooking() const;

signals:
    void changed();

private:
    using Facts = std::shared_ptr<const ModelFacts>;
    void look();
    void lookAtMemory();
    void makeRunning();
    AdviceInput input() const;
    void addTimes(AdviceInput& in) const;
    void addChoices(AdviceInput& in) const;
    void addProviders(AdviceInput& in) const;

    Parts parts_;
    Facts facts_;
    ModelPtr model_;  // that they are of
    std::shared_ptr<const MemoryFindings> memory_;
    ModelPtr memoryModel_;
    MemoryAssumptions memoryAssumptions_;  // under which
    bool awaitsRunning_ = false;           // memory is planned once what runs is made
    LatestJob job_, memoryJob_;
};

}  // namespace lapidary::app
