// SPDX-License-Identifier: GPL-3.0-or-later
// Tries the levels of a model whose runs are short without being asked: measures them in turn,
// shortly, and proves each against the original. Gives way to everything that the user starts.
#pragma once

#include <QObject>

#include <vector>

#include <lapidary/proof/guard.h>

#include "workbench/jobs/latest_job.h"
#include "workbench/tuning/level_times.h"
#include "workbench/document/run_conditions.h"

namespace lapidary::app {

/// What the guard runs under: sizes and threads of the settings, passes of the variant.
GuardOptions guardOptionsOf(const Variant& variant, const RunSettings& settings);
/// Original and variant on the same inputs, those given and generated ones. For worker threads;
/// throws what guard() throws.
GuardReport guardVariant(const Variant& variant, GuardOptions options, const GivenInputs& given,
                         const Progress& progress);

class LevelTrial : public QObject {
    Q_OBJECT
public:
    /// Measures by `times`.
    LevelTrial(OpenedModel& opened, JobRunner& jobs, Engine& engine, LevelTimes& times,
               QObject* parent = nullptr);
    bool isRunning() const { return glance_.isRunning() || measuring_ || guard_.isRunning(); }
    /// Once for each model and the conditions of its runs; nothing while something else is
    /// measured, where the setting says no (loadTriesLevels()), where the weights are large or
    /// where a run takes long. The original first.
    void want(const std::vector<VariantPtr>& levels);
    /// Whatever was found so far is kept; want() begins anew.
    void giveWay();

signals:
    void changed();  // began or ended
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
    bool measuring_ = false;  // by times_, for this
    LatestJob glance_, guard_;
};

}  // namespace lapidary::app
