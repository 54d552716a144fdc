// SPDX-License-Identifier: GPL-3.0-or-later
// Latency and throughput by the number of simultaneous callers, with and without batching of
// requests. Each number of callers is measured by one process of `lapidary-cli bench
// --concurrency`.
#pragma once

#include <QObject>
#include <QStringList>

#include <memory>
#include <vector>

#include "workbench/jobs/latest_job.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

/// Results with one number of callers.
struct ServedLoad {
    double perSecond = 0, p50Ms = 0, p99Ms = 0, rowsPerRun = 0;
};
struct ServingPoint {
    int callers = 1;
    ServedLoad grouped, alone;
};

class ServingCurve : public QObject {
    Q_OBJECT
public:
    explicit ServingCurve(JobRunner& jobs, QObject* parent = nullptr);
    ~ServingCurve() override;

    /// Why the model cannot be measured this way; empty: it can.
    static QString refusal(const ModelSource& source);
    /// The command for these callers ("8", "1,2,4"), as words that are not quoted.
    static QStringList command(const ModelSource& source, const RunSettings& settings,
                               const QString& callers, double seconds);
    /// Replaces earlier results. Does nothing if there is a refusal().
    void start(const ModelSource& source, const RunSettings& settings,
               std::vector<int> callers = {1, 2, 4, 8, 16}, double seconds = 1);
    /// Stops and keeps the points so far.
    void cancel();
    void forget();
    bool isRunning() const { return job_.isRunning(); }
    const std::vector<ServingPoint>& points() const { return points_; }

signals:
    void changed();
    void failed(const QString& reason);

private:
    struct Running;
    JobRunner& jobs_;
    LatestJob job_;
    std::shared_ptr<Running> running_;  // the process of the point that is measured
    std::vector<ServingPoint> points_;
};

}  // namespace lapidary::app
