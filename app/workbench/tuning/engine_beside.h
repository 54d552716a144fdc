// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the user's ONNX Runtime and this engine in turn, with the settings that a sweep
// recommends.
#pragma once

#include <QObject>

#include <optional>

#include <lapidary/bench/bench.h>

#include "workbench/jobs/latest_job.h"
#include "worker/jobs/engine.h"

namespace lapidary::app {

class OpenedModel;
class Tuning;

class EngineBeside : public QObject {
    Q_OBJECT
public:
    EngineBeside(OpenedModel& opened, Tuning& tuning, JobRunner& jobs, Engine& engine,
                 QObject* parent = nullptr);
    /// The result for the settings recommended now. Not isKnown() and without failure: there is
    /// none yet.
    struct Found {
        MedianEstimate theirs;            // ms
        std::optional<Difference> ratio;  // time of ONNX Runtime relative to this engine's
        // why there is no result: no ONNX Runtime was found, or it cannot run the model
        QString failure;
        bool isKnown() const { return theirs.samples > 0; }
    };
    const Found& found() const { return found_; }
    bool isRunning() const { return job_.isRunning(); }
    /// Measures once for each recommendation of a finished sweep. Only for plain levels in this
    /// engine, and if the user allows it (loadTriesLevels()). Stops when a sweep starts.
    void want();

signals:
    void changed();

private:
    OpenedModel& opened_;
    Tuning& tuning_;
    JobRunner& jobs_;
    Engine& engine_;
    std::optional<RunConfiguration> asked_;
    std::string askedOf_;  // model, sizes, inputs
    Found found_;
    LatestJob job_;
};

}  // namespace lapidary::app
