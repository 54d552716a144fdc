// SPDX-License-Identifier: GPL-3.0-or-later
// The variants in slots A and B side by side: measured in turn, profiled, their outputs compared.
#pragma once

#include <QObject>
#include <QStringList>

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"
#include "workbench/jobs/latest_job.h"
#include "workbench/document/variant_store.h"

namespace lapidary::app {

class DifferenceSearch;
class OpenedModel;

/// What was found out about one pair. Immutable once published; a pair that is being compared is
/// published again whenever something was added.
struct ComparisonRecord {
    VariantPtr a, b;
    RunSettings settings;                       // the settings of the comparison
    std::map<std::string, std::int64_t> sizes;  // of the inputs then, by dimension
    int threads = 1;                            // intra-op threads then
    RunRecordPtr run_a, run_b;                  // profiled, one after the other
    // in turn: sample i of both was taken in the same round
    std::optional<Measurement> measured_a, measured_b;
    std::optional<Difference> difference;  // of b against a
    std::vector<OutputComparison> outputs;
    bool outputs_compared = false;  // true: an empty list means that there are no outputs
    MachineInfo machine;
    QString ranOn;          // Machine::text() of where it was measured; empty: on this computer
    QStringList problems;   // parts of the comparison that failed, each with its reason
    bool complete = false;  // false: still running, or cancelled
};
using ComparisonPtr = std::shared_ptr<const ComparisonRecord>;

class Comparison : public QObject {
    Q_OBJECT
public:
    Comparison(OpenedModel& opened, VariantStore& variants, JobRunner& jobs, Engine& engine,
               QObject* parent = nullptr);

    /// The variants in the slots. Unless the user chose one, B is the variant that runs where the
    /// shown one is in force, and A is that of recipeBeside(). Null: not made yet, or nothing is
    /// open.
    VariantPtr a() const;
    VariantPtr b() const;
    /// What B is compared with unless the user chose A. It is level disabled, so that B is compared
    /// with a session that optimizes nothing. If B is quantized, another file, or runs in another
    /// engine or on a device, it is the open model at B's level.
    Recipe recipeBeside() const;
    /// Both are there and differ.
    bool isPossible() const { return a() && b() && a() != b(); }

    /// The result for the variants now in the slots; null: none yet.
    ComparisonPtr result() const;
    bool isRunning() const { return job_.isRunning(); }
    Job* job() const { return job_.job(); }  // null unless running
    /// The pair that is being compared is the one in the slots.
    bool isRunningPair() const;
    const MeasureOptions& options() const { return options_; }
    /// Looks for where the pair first differs.
    DifferenceSearch& search() { return *search_; }

public slots:
    /// Seconds, precision and rounds of the next start(); its warm-ups come from the run settings.
    void setOptions(const lapidary::MeasureOptions& options) { options_ = options; }
    /// Measures, profiles and compares the pair in the slots under the run settings; results are
    /// published as they come.
    void start();
    /// Keeps the results so far.
    void cancel() { job_.cancel(); }

signals:
    void started();
    void changed();                      // result() is another one
    void pairChanged();                  // the slots hold something else
    void failed(const QString& reason);  // there are no results at all
    void cancelled();
    void logged(const QString& line);

private:
    using Pair = std::pair<VariantPtr, VariantPtr>;
    void publish(const std::shared_ptr<ComparisonRecord>& record);
    void forgetPairs();
    void followA();
    void followB();

    OpenedModel& opened_;
    VariantStore& variants_;
    JobRunner& jobs_;
    Engine& engine_;
    std::map<Pair, ComparisonPtr> results_;
    MeasureOptions options_;
    Pair running_;
    LatestJob job_;
    DifferenceSearch* search_;
};

}  // namespace lapidary::app
