// SPDX-License-Identifier: GPL-3.0-or-later
// The sweep of the open model: which cells are to be measured and in which order, the job that
// measures them, and what is known so far. Cells alike in everything but intra threads and spinning
// are measured together, group after group, so that the order can be changed and the sweep paused
// or ended at any time without losing what was measured.
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
#include "workbench/tuning/tune_plan.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

class Engine;
class OpenedModel;
class VariantStore;
struct SweepJob;
using InputSizes = std::map<std::string, std::int64_t>;

/// What "apply" sets, to be put back by undo: the threads and sizes of a run, the variant that is
/// shown, and the configuration that exports and snippets take over.
struct TuneChoice {
    RunSettings run;
    Recipe shown;
    std::optional<RunConfiguration> configuration;
    friend bool operator==(const TuneChoice&, const TuneChoice&) = default;
};

class Tuning : public QObject {
    Q_OBJECT
public:
    Tuning(OpenedModel& opened, VariantStore& variants, JobRunner& jobs, Engine& engine,
           QObject* parent = nullptr);

    /// Of the opened model: every cell of the space, those not measured with an estimate; null:
    /// nothing is open.
    std::shared_ptr<const SweepResult> result() const { return result_; }
    const SweepSpace& space() const { return space_; }
    /// What is measured: what runs where the variant is in force that was shown last, whose passes
    /// and sizes hold at every level of the space. A sweep of several levels stays when one of them
    /// is shown.
    const Recipe& recipe() const { return recipe_; }
    /// "Extended", "Basic, Extended", "All without 2 passes".
    QString measuredName() const;
    /// "sequence 8, your inputs (cat.png)": what the figures are of besides the variant.
    QString inputsText() const;
    const SweepOptions& options() const { return options_; }
    /// Why batches other than "as the inputs come" cannot be measured; empty: they can.
    QString batchRefusal() const { return batchRefusal_; }

    bool isRunning() const { return job_.isRunning(); }
    bool isPaused() const { return isRunning() && control_->paused; }
    bool isVerifying() const { return isRunning() && verifying_; }
    /// What cannot be distinguished from the recommended setting is measured once more.
    bool isSettling() const { return isRunning() && settling_ > 0; }
    Job* job() const { return job_.job(); }  // null unless running
    // next first, without those being measured
    const std::vector<CellGroup>& queue() const { return queue_; }
    const CellGroup& measuring() const { return measuring_; }
    bool isQueued(std::size_t cell) const;
    /// Of what is measured now and the queue.
    double secondsLeft() const;
    double secondsOf(const CellGroup& cells) const;
    /// Seconds that cells not measured so far will take.
    double secondsOfTheRest() const;
    /// Cells measured side by side by verifyBest(), still unchanged.
    const std::vector<std::size_t>& verified() const { return verified_; }
    /// By operator, of the cells alike but for threads; null: not known.
    const std::vector<OperatorScaling>* scalingOf(std::size_t cell) const;
    /// What a reader should know of the last start: budget used up, cells that failed. Empty:
    /// nothing.
    QString notice() const { return notice_; }
    /// What was applied last; empty: nothing.
    const std::optional<RunConfiguration>& applied() const { return applied_; }

    TuneChoice choice() const;
    /// The choice that applying a cell makes.
    TuneChoice choiceOf(std::size_t cell) const;
    void setChoice(const TuneChoice& choice);
    /// The `lapidary-cli sweep` that measures this space.
    QString commandLine() const;

public slots:
    /// What is measured or queued and still part of the space stays.
    void setSpace(const lapidary::SweepSpace& space);
    /// Measuring time holds for cells measured from now on, goal and latency cap at once.
    void setOptions(const lapidary::SweepOptions& options);
    /// Measures the queue; an empty one is filled with all cells not measured, in random order.
    /// Then measures once more, in turn, what cannot be distinguished from the recommended cell.
    void start();
    /// Measured cells too: they are measured again.
    void enqueue(const std::vector<std::size_t>& cells);
    void dequeue(const std::vector<std::size_t>& cells);
    void moveInQueue(std::size_t from, std::size_t to);
    void setPaused(bool paused);
    /// Ends measuring and empties the queue; finished cells stay.
    void cancel();
    /// Measures the best cells and the recommended one exactly, in turn. At least two must be
    /// measured.
    void verifyBest(int count = 3);
    /// Forgets all measurements of the opened model.
    void forget();
    /// Puts results measured earlier in place, those of a project file, say; they are of `recipe`.
    void adopt(const lapidary::SweepResult& result, const lapidary::app::Recipe& recipe = {});

signals:
    // cells, queue, state or recommendation; at most ten times a second while measuring
    void changed();
    void appliedChanged();
    /// Nothing could be measured.
    void failed(const QString& reason);

private:
    struct Kept;  // of a model that was open before
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
    /// Publishes once what `act` changes: the views see one group end and the next begin, not the
    /// moment between.
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
    // by a cell of the group
    std::vector<std::pair<RunConfiguration, std::vector<OperatorScaling>>> scaling_;
    QString notice_, batchRefusal_;
    std::string key_;  // of the opened model
    std::map<std::string, std::shared_ptr<Kept>> kept_;
    // what is measured; the variant that was shown when that was decided
    Recipe recipe_, followed_;
    std::optional<RunConfiguration> applied_;
    std::optional<Recipe> awaited_;  // to be shown when it is made
    LatestJob job_;
    std::shared_ptr<SweepControl> control_;
    bool verifying_ = false, atOnce_ = false;
    int settling_ = 0;                    // how often since start(); 0: not yet
    QElapsedTimer elapsed_, sinceStart_;  // of the group, of start()
    double groupSeconds_ = 0;             // estimated before it began
    // measured by estimated seconds, from groups that are done
    double correction_ = 1;
    int finished_ = 0, failures_ = 0;  // groups since start()
    QString lastFailure_;
    quint64 seed_ = 1;  // of the order
};

}  // namespace lapidary::app
