// SPDX-License-Identifier: GPL-3.0-or-later
// The variant in force on two machines: measured on one, then on the other, by the same job.
#pragma once

#include <QObject>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <lapidary/bench/bench.h>

#include "workbench/document/variant.h"
#include "workbench/jobs/latest_job.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

class Engine;
class Machines;
class OpenedModel;

/// What one of the machines did.
struct MachineSide {
    QString host;   // empty: this computer
    QString ranOn;  // Machine::text(); empty: this computer
    QString cpu;    // its name; empty: not known
    int cores = 0;  // 0: not known
    int threads = 1;
    std::optional<Measurement> measured;  // empty: not yet
    QString failure;                      // why it was not measured; empty: it was, or not yet
};

/// Immutable once published.
struct MachinePair {
    VariantPtr variant;
    RunSettings settings;
    std::map<std::string, std::int64_t> sizes;  // of the inputs, by dimension
    std::array<MachineSide, 2> sides;
    std::optional<Difference> difference;  // of the second against the first; empty: not both ran
};
using MachinePairPtr = std::shared_ptr<const MachinePair>;

class MachineComparison : public QObject {
    Q_OBJECT
public:
    MachineComparison(OpenedModel& opened, Machines& machines, JobRunner& jobs, Engine& engine,
                      QObject* parent = nullptr);

    /// Of the newest start() with the open model; what came so far while it runs. Null: nothing.
    MachinePairPtr result() const { return result_; }
    bool isRunning() const { return job_.isRunning(); }
    Job* job() const { return job_.job(); }  // null unless running
    const MeasureOptions& options() const { return options_; }
    /// Of the next start(); its warm-ups come from the run settings.
    void setOptions(const MeasureOptions& options) { options_ = options; }

public slots:
    /// Measures the variant that runs on both machines under the run settings, each with the
    /// threads of the settings or all of its cores. Empty: this computer. One machine that cannot
    /// be reached does not keep the other from being measured. Does nothing while it runs, for the
    /// same machine twice, or before the variant is made.
    void start(const QString& first, const QString& second);
    /// Keeps what was measured.
    void cancel() { job_.cancel(); }

signals:
    void changed();
    /// A side was measured: figures for the project. `machine`: its Machine::text().
    void measured(const lapidary::app::VariantPtr& variant, const lapidary::Measurement& figures,
                  const lapidary::app::RunSettings& settings, bool unasked, const QString& machine);

private:
    void publish(MachinePair pair);
    void finish();

    OpenedModel& opened_;
    Machines& machines_;
    JobRunner& jobs_;
    Engine& engine_;
    MachinePairPtr result_;
    MeasureOptions options_;
    LatestJob job_;
};

}  // namespace lapidary::app
