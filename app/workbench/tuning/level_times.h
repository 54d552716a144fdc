// SPDX-License-Identifier: GPL-3.0-or-later
// Measures variants of the opened model in turn, so that a busy machine slows all of them alike.
#pragma once

#include <QObject>

#include <vector>

#include <lapidary/bench/bench.h>

#include "workbench/jobs/latest_job.h"
#include "workbench/document/variant.h"
#include "worker/jobs/engine.h"
#include "worker/jobs/measure_job.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

class OpenedModel;

/// The variants in turn under the run settings in force; a variant is optimized already.
MeasureJob levelMeasurement(const OpenedModel& opened, const std::vector<VariantPtr>& variants,
                            const MeasureOptions& options);

class LevelTimes : public QObject {
    Q_OBJECT
public:
    LevelTimes(OpenedModel& opened, JobRunner& jobs, Engine& engine, QObject* parent = nullptr);
    bool isRunning() const { return job_.isRunning(); }
    Job* job() const { return job_.job(); }  // null unless running
    /// By startUnasked(), the one that runs or the last one.
    bool isUnasked() const { return unasked_; }
    const MeasureOptions& options() const { return options_; }
    void setOptions(const MeasureOptions& options) { options_ = options; }

public slots:
    /// Under the run settings in force; nothing while it measures already. At least one, none null.
    void start(const std::vector<lapidary::app::VariantPtr>& variants);
    /// The same with less time for each, not requested by the user: a failure is not reported.
    void startUnasked(const std::vector<lapidary::app::VariantPtr>& variants, double secondsEach);
    void cancel() { job_.cancel(); }

signals:
    void changed();  // began or ended
    void measured(const lapidary::app::VariantPtr& variant, const lapidary::Measurement& figures,
                  const lapidary::app::RunSettings& settings, bool unasked);
    void failed(const QString& reason);

private:
    void run(const std::vector<VariantPtr>& variants, const MeasureOptions& options);
    OpenedModel& opened_;
    JobRunner& jobs_;
    Engine& engine_;
    MeasureOptions options_;
    bool unasked_ = false;
    LatestJob job_;
};

}  // namespace lapidary::app
