// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own ONNX Runtime beside this engine, with the settings that a sweep recommends: both
// measured in turn.
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
    /// What was found with the settings recommended now. Empty and without failure: nothing yet.
    struct Found {
        MedianEstimate theirs;            // ms
        std::optional<Difference> ratio;  // of theirs to ours
        // why there is none: no copy was found, or it cannot run the model
        QString failure;
        bool isKnown() const { return theirs.samples > 0; }
    };
    const Found& found() const { return found_; }
    bool isRunning() const { return job_.isRunning(); }
    /// Once for each recommendation of a sweep that ended, of a plain level of this engine, where
    /// the setting allows it (loadTriesLevels()); gives way to a sweep that runs.
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
