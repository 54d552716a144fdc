// SPDX-License-Identifier: GPL-3.0-or-later
// The sweep of the open model: the queue of cells to measure, the job that measures them, and the
// results so far. Cells that differ only in intra threads and spinning form a group and are
// measured together. Between groups the queue can be changed, and the sweep can be paused or ended
// at any time without losing results.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/bench/sweep.h>

#include "workbench/jobs/latest_job.h"
#include "workbench/text/recipe.h"
#include "workbench/targets/machine.h"
#include "workbench/tuning/tune_plan.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

class Engine;
class OpenedModel;
class VariantStore;
struct SweepJob;
using InputSizes = std::map<std::string, std::int64_t>;

/// What "apply" sets and undo restores: the threads and sizes of runs, the shown variant, and the
/// configuration that exports and code snippets use.
struct TuneChoice {
    RunSettings run;
    Recipe shown;
    std::optional<RunConfiguration> configuration;
    friend bool operator==(const TuneChoice&, const TuneChoice&) = default;
};

/// What an earlier sweep of the opened model measured: of another variant, engine or machine.
struct OtherSweep {
    QString name;  // "ONNX Runtime · All", "Extended, Cortex-A76 (pi@board)"
    std::shared_ptr<const SweepResult> result;  // at least one cell of it is done
};

class Tuning : public QObject {
    Q_OBJECT
public:
    Tuning(OpenedModel& opened, VariantStore& variants, JobRunner& jobs, Engine& engine,
           QObject* parent = nullptr);

    /// Every cell of the space for the opened model, with an estimate if it is not measured; null:
    /// nothing is open.
    std::shared_ptr<const SweepResult> result() const { return result_; }
    const SweepSpace& space() const { return space_; }
    /// The recipe that is measured: the one that runs where the variant shown last is in force. Its
    /// passes and sizes apply at every level of the space. Showing one of the measured levels does
    /// not change it.
    const Recipe& recipe() const { return recipe_; }
    /// Sweeps of this session of the same model with the same sizes and inputs, other than
    /// result(), by name.
    std::vector<OtherSweep> otherSweeps() const;
    /// "Extended", "Basic, Extended", "All without 2 passes".
    QString measuredName() const;
    /// "sequence 8, your inputs (cat.png)": the inputs that are measured.
    QString inputsText() const;
    const SweepOptions& options() const { return options_; }
    /// Where result() is of: the machine in force, or while measuring the one that measures.
    const Machine& machine() const { return machine_; }
    /// Powers of two up to the cores of that machine, and the cores themselves.
    std::vector<int> threadChoices() const;
    /// Why other batch sizes than that of the inputs cannot be measured; empty: they can.
    QString batchRefusal() const { return batchRefusal_; }

    bool isRunning() const { return job_.isRunning(); }
    bool isPaused() const { return isRunning() && control_->paused; }
    bool isVerifying() const { return isRunning() && verifying_; }
    /// True while settings that cannot be distinguished from the recommended one are measured
    /// again.
    bool isSettling() const { return isRunning() && settling_ > 0; }
    Job* job() const { return job_.job(); }  // null unless running
    // the next group first; without the group that is being measured
    const std::vector<CellGroup>& queue() const { return queue_; }
    const CellGroup& measuring() const { return measuring_; }
    bool isQueued(std::size_t cell) const;
    /// Estimated seconds for the group that is being measured and the queue.
    double secondsLeft() const;
    double secondsOf(const CellGroup& cells) const;
    /// Seconds that cells not measured so far will take.
    double secondsOfTheRest() const;
    /// Cells that verifyBest() measured in turn and that have not changed since.
    const std::vector<std::size_t>& verified() const { return verified_; }
    /// How the time of each operator depends on threads, from the cell's group; null: not known.
    const std::vector<OperatorScaling>* scalingOf(std::size_t cell) const;
    /// A message about the last start(): the time budget was used up, cells failed. Empty: none.
    QString notice() const { return notice_; }
    /// The configuration that was applied last; empty: none.
    const std::optional<RunConfiguration>& applied() const { return applied_; }

    TuneChoice choice() const;
    /// The choice that applying a cell makes.
    TuneChoice choiceOf(std::size_t cell) const;
    void setChoice(const TuneChoice& choice);
    /// The `lapidary-cli sweep` that measures this space.
    QString commandLine() const;

public slots:
    /// Cells that are in the new space keep their results and places in the queue.
    void setSpace(const lapidary::SweepSpace& space);
    /// The measuring time applies to cells measured from now on, goal and latency cap at once.
    void setOptions(const lapidary::SweepOptions& options);
    /// Measures the queue. An empty queue is first filled with all cells that are not measured, in
    /// random order. Afterwards the cells that cannot be distinguished from the recommended one are
    /// measured again, in turn.
    void start();
    /// Adds cells to the queue. Cells that are measured already are measured again.
    void enqueue(const std::vector<std::size_t>& cells);
    void dequeue(const std::vector<std::size_t>& cells);
    void moveInQueue(std::size_t from, std::size_t to);
    void setPaused(bool paused);
    /// Ends measuring and empties the queue; finished cells stay.
    void cancel();
    /// Measures the best cells and the recommended one more exactly, in turn. At least two cells
    /// must be measured already.
    void verifyBest(int count = 3);
    /// Forgets all measurements of the opened model.
    void forget();
    /// Sets results that were measured earlier with `recipe`, for example from a project file.
    void adopt(const lapidary::SweepResult& result, const lapidary::app::Recipe& recipe = {});

signals:
    // cells, queue, state or recommendation; at most ten times a second while measuring
    void changed();
    void appliedChanged();
    /// Nothing could be measured.
    void failed(const QString& reason);

private:
    struct Kept;  // results of a model that was open before
    void openModel();
    void followShown();
    void followInputs();
    InputSizes sizesBesidesBatch() const;
    std::string keyOf(const Recipe& recipe) const;
    void restore();
    void keep();
    void startNext();
    bool settle();
    void startVerifying(const CellGroup& cells, const MeasureOptions& measuring,
                        const QString& title);
    void startJob(const QString& title, SweepJob job);
    void takeOver(const SweepResult& found, const std::vector<RunConfiguration>& asked, bool ended);
    void finishGroup(const Error* error);
    void estimate(SweepResult& result) const;
    void publish(SweepResult result);
    std::shared_ptr<const SweepResult> concluded(SweepResult result) const;
    void reportChanged() {
        if (!atOnce_) emit changed();
    }
    /// Emits changed() once for all changes that `act` makes, so that views do not see states in
    /// between.
    void changeAtOnce(const std::function<void()>& act);
    std::vector<std::size_t> indicesOf(const std::vector<RunConfiguration>& configurations) const;
    std::vector<std::size_t> best(int count) const;
    QStringList sweepOptions() const;

    OpenedModel& opened_;
    VariantStore& variants_;
    JobRunner& jobs_;
    Engine& engine_;
    std::shared_ptr<const SweepResult> result_;
    SweepSpace space_;
    SweepOptions options_;
    std::vector<CellGroup> queue_;
    CellGroup measuring_;
    std::vector<std::size_t> verified_;
    // by one configuration of the group
    std::vector<std::pair<RunConfiguration, std::vector<OperatorScaling>>> scaling_;
    QString notice_, batchRefusal_;
    std::string key_;  // of the opened model
    Machine machine_;
    std::map<std::string, std::shared_ptr<Kept>> kept_;
    // the measured recipe, and that of the variant that was shown when it was decided
    Recipe recipe_, followed_;
    std::optional<RunConfiguration> applied_;
    std::optional<Recipe> awaited_;  // the variant to show as soon as it is made
    LatestJob job_;
    std::shared_ptr<SweepControl> control_;
    bool verifying_ = false, atOnce_ = false;
    int settling_ = 0;  // how often the best were measured again since start(); 0: not yet
    QElapsedTimer elapsed_, sinceStart_;  // since the group began, since start()
    double groupSeconds_ = 0;             // estimated before it began
    // measured seconds divided by estimated ones, of the groups so far
    double correction_ = 1;
    int finished_ = 0, failures_ = 0;  // groups since start()
    QString lastFailure_;
    quint64 seed_ = 1;  // of the random order
};

}  // namespace lapidary::app
