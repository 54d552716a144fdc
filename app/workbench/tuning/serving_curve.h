// SPDX-License-Identifier: GPL-3.0-or-later
// Latency and throughput of so many callers at a time, with requests put together by the batcher
// and without: what `lapidary-cli bench --concurrency` measures, by that program, a process for
// each number of callers.
#pragma once

#include <QObject>
#include <QStringList>

#include <memory>
#include <vector>

#include "workbench/jobs/latest_job.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

/// How so many callers were answered.
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

    /// Why the model cannot be measured so; empty: it can.
    static QString refusal(const ModelSource& source);
    /// The command of one point, or of all, words not quoted.
    static QStringList command(const ModelSource& source, const RunSettings& settings,
                               const QString& callers, double seconds);
    /// What was measured before goes. Nothing while it is refused.
    void start(const ModelSource& source, const RunSettings& settings,
               std::vector<int> callers = {1, 2, 4, 8, 16}, double seconds = 1);
    /// What is measured stays.
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
