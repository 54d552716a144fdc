// SPDX-License-Identifier: GPL-3.0-or-later
// Tries the levels of a model without a request if its runs are short: measures them briefly in
// turn and compares the outputs of each with the original's. Stops when the user starts a job.
#pragma once

#include <QObject>

#include <vector>

#include "workbench/jobs/latest_job.h"
#include "workbench/tuning/level_times.h"
#include "workbench/document/run_conditions.h"
#include "worker/jobs/proof/guard_job.h"

namespace lapidary::app {

/// The proof of a variant against what it was made from, on the inputs of the settings and
/// generated ones.
GuardJob guardJobOf(const OpenedModel& opened, const Variant& variant, const RunSettings& settings);

class LevelTrial : public QObject {
    Q_OBJECT
public:
    /// `times`: measures the levels.
    LevelTrial(OpenedModel& opened, JobRunner& jobs, Engine& engine, LevelTimes& times,
               QObject* parent = nullptr);
    bool isRunning() const { return glance_.isRunning() || measuring_ || guard_.isRunning(); }
    /// Tries the levels once for each model and its run conditions. Does nothing while another
    /// measurement runs, if the user switched it off (loadTriesLevels()), or if the weights are
    /// large or runs are long. `levels`: the original first.
    void want(const std::vector<VariantPtr>& levels);
    /// Stops and keeps the results so far; want() starts again.
    void giveWay();

signals:
    void changed();  // a trial began or ended
    void guarded(const lapidary::app::VariantPtr& variant, const lapidary::GuardReport& report);

private:
    void measure();
    void guardNext();
    OpenedModel& opened_;
    JobRunner& jobs_;
    Engine& engine_;
    LevelTimes& times_;
    std::vector<VariantPtr> levels_, toGuard_;
    std::vector<std::weak_ptr<const Variant>> tried_;  // under triedUnder_
    RunConditions triedUnder_;
    bool measuring_ = false;  // times_ measures for this trial
    LatestJob glance_, guard_;
};

}  // namespace lapidary::app
