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

/// The job that measures the variants in turn under the run settings in force, without optimizing
/// them again.
MeasureJob levelMeasurement(const OpenedModel& opened, const std::vector<VariantPtr>& variants,
                            const MeasureOptions& options);

class LevelTimes : public QObject {
    Q_OBJECT
public:
    LevelTimes(OpenedModel& opened, JobRunner& jobs, Engine& engine, QObject* parent = nullptr);
    bool isRunning() const { return job_.isRunning(); }
    Job* job() const { return job_.job(); }  // null unless running
    /// True if the running or else the last measurement was started by startUnasked().
    bool isUnasked() const { return unasked_; }
    const MeasureOptions& options() const { return options_; }
    void setOptions(const MeasureOptions& options) { options_ = options; }

public slots:
    /// Measures under the run settings in force. Does nothing while a measurement runs. `variants`:
    /// at least one, none null.
    void start(const std::vector<lapidary::app::VariantPtr>& variants);
    /// As start(), but not requested by the user: with less time for each, and failed() is not
    /// emitted.
    void startUnasked(const std::vector<lapidary::app::VariantPtr>& variants, double secondsEach);
    void cancel() { job_.cancel(); }

signals:
    void changed();  // a measurement began or ended
    /// `machine`: Machine::text() of where it was measured.
    void measured(const lapidary::app::VariantPtr& variant, const lapidary::Measurement& figures,
                  const lapidary::app::RunSettings& settings, bool unasked, const QString& machine);
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
