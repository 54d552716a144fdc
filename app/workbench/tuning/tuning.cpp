// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/tuning/tuning.h"

#include <QScopedValueRollback>

#include <algorithm>
#include <mutex>
#include <random>

#include "workbench/document/opened_model.h"
#include "worker/jobs/sweep_job.h"

namespace lapidary::app {
namespace {

const MeasureOptions exact{8.0, 0.01, 3, 0, 1};  // options of verifyBest(), per cell

/// The newest state from the measuring thread.
struct Mailbox {
    std::mutex mutex;
    std::unique_ptr<SweepResult> newest;  // null: it was taken already
};

}  // namespace

Tuning::Tuning(OpenedModel& opened, VariantStore& variants, JobRunner& jobs, Engine& engine,
               QObject* parent)
    : QObject(parent), opened_(opened), variants_(variants), jobs_(jobs), engine_(engine) {
    connect(&opened_, &OpenedModel::openedChanged, this, &Tuning::openModel);
    connect(&opened_, &OpenedModel::documentChanged, this, &Tuning::followShown);
    connect(&opened_, &OpenedModel::runSettingsChanged, this, &Tuning::followInputs);
    connect(&opened_, &OpenedModel::runChanged, this, [this] {  // a run shows how long one takes
        if (result_ && !isRunning() && opened_.run()) publish(*result_);
    });
    connect(&variants_, &VariantStore::made, this, [this](const VariantPtr& variant) {
        if (awaited_ != variant->recipe) return;
        awaited_.reset();
        opened_.showVariant(variant);
    });
    connect(&variants_, &VariantStore::failed, this,
            [this](const Recipe& recipe, const QString& reason) {
                if (awaited_ != recipe) return;
                awaited_.reset();
                notice_ = tr("%1 could not be made: %2").arg(nameOf(recipe), reason);
                emit changed();
            });
}

std::vector<std::size_t> Tuning::indicesOf(
    const std::vector<RunConfiguration>& configurations) const {
    std::vector<std::size_t> indices;
    for (const RunConfiguration& configuration : configurations) {
        const auto cell =
            std::ranges::find(result_->cells, configuration, &SweepCell::configuration);
        if (cell != result_->cells.end())
            indices.push_back(std::size_t(cell - result_->cells.begin()));
    }
    return indices;
}

void Tuning::setSpace(const SweepSpace& space) {
    if (!result_) return;
    const auto named = [this](const CellGroup& cells) {
        std::vector<RunConfiguration> names;
        for (const std::size_t cell : cells) names.push_back(result_->cells[cell].configuration);
        return names;
    };
    std::vector<std::vector<RunConfiguration>> queued;
    for (const CellGroup& group : queue_) queued.push_back(named(group));
    const auto running = named(measuring_), verified = named(verified_);
    space_ = space;
    SweepResult next = *result_;
    next.cells = cellsOf(space_, result_->cells);
    result_ = std::make_shared<const SweepResult>(next);
    queue_.clear();
    for (const auto& group : queued)
        if (CellGroup left = indicesOf(group); !left.empty()) queue_.push_back(std::move(left));
    measuring_ = indicesOf(running);
    for (const std::size_t cell : measuring_) next.cells[cell].state = CellState::running;
    verified_ = indicesOf(verified);
    if (verified_.size() != verified.size()) verified_.clear();
    publish(std::move(next));
}

void Tuning::setOptions(const SweepOptions& options) {
    options_ = options;
    if (result_) publish(*result_);
}

bool Tuning::isQueued(std::size_t cell) const {
    return std::ranges::any_of(queue_, [cell](const CellGroup& group) {
        return std::ranges::find(group, cell) != group.end();
    });
}

double Tuning::secondsOf(const CellGroup& cells) const {
    double seconds = 0;
    for (const std::size_t cell : cells) seconds += result_->cells[cell].estimate_seconds;
    return seconds;
}

double Tuning::secondsLeft() const {
    double seconds = job_ ? std::max(0.0, groupSeconds_ - double(elapsed_.elapsed()) / 1e3) : 0;
    if (result_)
        for (const CellGroup& group : queue_) seconds += secondsOf(group);
    return seconds;
}

double Tuning::secondsOfTheRest() const {
    double seconds = 0;
    if (result_)
        for (const SweepCell& cell : result_->cells)
            if (cell.state == CellState::waiting) seconds += cell.estimate_seconds;
    return seconds;
}

const std::vector<OperatorScaling>* Tuning::scalingOf(std::size_t cell) const {
    if (!result_ || cell >= result_->cells.size()) return nullptr;
    for (const auto& [configuration, scaling] : scaling_)
        if (measuredTogether(configuration, result_->cells[cell].configuration)) return &scaling;
    return nullptr;
}

/// Sets the estimated times of cells.
void Tuning::estimate(SweepResult& result) const {
    std::vector<KnownRun> known;
    for (const SweepCell& cell : result.cells)
        if (cell.state == CellState::done && cell.measurement.wall.median.median > 0)
            known.push_back({cell.configuration, cell.measurement.wall.median.median});
    if (const RunRecordPtr run = opened_.run();
        known.empty() && run && run->profile && run->model) {
        RunConfiguration configuration;
        configuration.resources.threads = std::max(1, run->profile->threads);
        known.push_back({configuration, run->summary.wall_ms});
    }
    const int cores = std::max(1, result.machine.cores);
    for (SweepCell& cell : result.cells)
        cell.estimate_seconds =
            correction_ *
            estimatedSeconds(estimatedRunMs(cell.configuration, known, cores), options_.measuring);
}

void Tuning::publish(SweepResult result) {
    if (atOnce_) {
        result_ = std::make_shared<const SweepResult>(std::move(result));
        return;
    }
    result_ = concluded(std::move(result));
    emit changed();
}

/// The result with recommendation and scaling computed from its cells.
std::shared_ptr<const SweepResult> Tuning::concluded(SweepResult result) const {
    estimate(result);
    result.recommendation = recommend(result.cells, options_.goal, options_.latency_cap_ms);
    result.complete = std::ranges::none_of(result.cells, [](const SweepCell& cell) {
        return cell.state == CellState::waiting || cell.state == CellState::running;
    });
    if (result.recommendation.cell >= 0) {
        const RunConfiguration& winner =
            result.cells[std::size_t(result.recommendation.cell)].configuration;
        for (const auto& [configuration, scaling] : scaling_)
            if (measuredTogether(configuration, winner)) result.scaling = scaling;
    }
    return std::make_shared<const SweepResult>(std::move(result));
}

void Tuning::changeAtOnce(const std::function<void()>& act) {
    {
        const QScopedValueRollback held(atOnce_, true);
        act();
    }
    publish(*result_);
}

void Tuning::enqueue(const std::vector<std::size_t>& cells) {
    if (!result_) return;
    for (const CellGroup& added : groupsOf(result_->cells, cells)) {
        CellGroup fresh;
        for (const std::size_t cell : added)
            if (!isQueued(cell) && std::ranges::find(measuring_, cell) == measuring_.end())
                fresh.push_back(cell);
        if (fresh.empty()) continue;
        const auto alike = std::ranges::find_if(queue_, [&](const CellGroup& group) {
            return measuredTogether(result_->cells[group.front()].configuration,
                                    result_->cells[fresh.front()].configuration);
        });
        if (alike == queue_.end()) {
            queue_.push_back(std::move(fresh));
        } else {
            fresh.insert(fresh.begin(), alike->begin(), alike->end());
            *alike = groupsOf(result_->cells, fresh).front();
        }
    }
    emit changed();
}

void Tuning::dequeue(const std::vector<std::size_t>& cells) {
    for (CellGroup& group : queue_)
        std::erase_if(
            group, [&](std::size_t cell) { return std::ranges::find(cells, cell) != cells.end(); });
    std::erase_if(queue_, [](const CellGroup& group) { return group.empty(); });
    emit changed();
}

void Tuning::moveInQueue(std::size_t from, std::size_t to) {
    if (from >= queue_.size() || to >= queue_.size() || from == to) return;
    CellGroup group = std::move(queue_[from]);
    queue_.erase(queue_.begin() + std::ptrdiff_t(from));
    queue_.insert(queue_.begin() + std::ptrdiff_t(to), std::move(group));
    emit changed();
}

void Tuning::start() {
    if (!result_ || job_) return;
    if (queue_.empty()) {
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < result_->cells.size(); ++i)
            if (result_->cells[i].state != CellState::done) open.push_back(i);
        if (open.empty())  // everything was measured: measures all cells again
            for (std::size_t i = 0; i < result_->cells.size(); ++i) open.push_back(i);
        queue_ = groupsOf(result_->cells, open);
        std::ranges::shuffle(queue_, std::mt19937_64(seed_++));
    }
    notice_.clear();
    lastFailure_.clear();
    finished_ = failures_ = settling_ = 0;
    sinceStart_.start();
    startNext();
}

/// Measures again to decide between similar cells. False: the recommendation is certain, or the
/// allowed number of repetitions is reached.
bool Tuning::settle() {
    if (settling_ >= options_.settle_rounds || failures_ > 0) return false;
    const CellGroup cells = cells_to_settle(result_->cells, result_->recommendation, options_.goal);
    if (cells.empty()) return false;
    MeasureOptions measuring = settling(options_.measuring, settling_ + 1);
    if (options_.budget_seconds > 0) {
        const double left = options_.budget_seconds - double(sinceStart_.elapsed()) / 1e3;
        measuring.seconds = std::min(measuring.seconds, left / double(cells.size()));
        if (measuring.seconds < options_.measuring.seconds) return false;
    }
    ++settling_;
    startVerifying(cells, measuring, tr("Tell the best %1 settings of %2 apart"));
    return true;
}

void Tuning::startNext() {
    if (queue_.empty()) {
        if (atOnce_) result_ = concluded(*result_);
        if (settle()) return;
        settling_ = 0;
        followShown();  // takes over choices made while it measured
        followInputs();
        if (failures_ > 0) {
            notice_ = finished_ > failures_
                          ? tr("Some settings could not be measured: %1").arg(lastFailure_)
                          : lastFailure_;
            if (finished_ == failures_) emit failed(lastFailure_);
        }
        return reportChanged();
    }
    const double left = options_.budget_seconds - double(sinceStart_.elapsed()) / 1e3;
    if (options_.budget_seconds > 0 && left <= 0) {
        std::size_t cells = 0;
        for (const CellGroup& group : std::exchange(queue_, {})) cells += group.size();
        notice_ = tr("The budget of %1 s is used up; %2 settings were left out. Press Start to go "
                     "on with them.")
                      .arg(options_.budget_seconds, 0, 'g', 4)
                      .arg(cells);
        return reportChanged();
    }
    std::vector<CellGroup> parts = partsOf(result_->cells, queue_.front());
    queue_.erase(queue_.begin());
    queue_.insert(queue_.begin(), parts.begin() + 1, parts.end());
    measuring_ = std::move(parts.front());
    SweepJob job;
    job.space = spaceOf(result_->cells, measuring_);
    job.options = options_;
    job.options.seed = seed_++;
    job.options.settle_rounds = 0;  // done later over all groups, when they are measured
    job.options.budget_seconds = options_.budget_seconds > 0 ? left : 0;
    startJob(tr("Tune %1").arg(opened_.opened()->title), std::move(job));
}

void Tuning::verifyBest(int count) {
    if (!result_ || job_) return;
    const std::vector<std::size_t> cells = best(count);
    if (cells.size() < 2) {
        notice_ = tr("Measure at least two settings first.");
        emit changed();
        return;
    }
    notice_.clear();
    lastFailure_.clear();
    finished_ = failures_ = settling_ = 0;
    sinceStart_.start();
    startVerifying(cells, exact, tr("Verify the best %1 settings of %2"));
}

/// `title`: has placeholders for the number of cells and the model.
void Tuning::startVerifying(const CellGroup& cells, const MeasureOptions& measuring,
                            const QString& title) {
    measuring_ = cells;
    SweepJob job;
    job.space = space_;
    job.options = options_;
    job.options.measuring = measuring;
    job.options.budget_seconds = 0;
    job.options.seed = seed_++;
    job.verify = cells;
    job.found = *result_;
    startJob(title.arg(cells.size()).arg(opened_.opened()->title), std::move(job));
}

void Tuning::startJob(const QString& title, SweepJob job) {
    const DocumentPtr opened = opened_.opened();
    const VariantPtr base = variants_.baseOf(recipe_);  // edited, quantized or another file
    job.model = base ? opened_.sourceOf(base) : opened->source;
    job.recipe = recipe_;
    job.given = opened_.runSettings().given;
    const std::vector<std::string> batch = batch_dimensions(*opened->model);
    const bool asGiven = job.space.batches == std::vector<std::int64_t>{0};
    for (const auto& [name, size] : opened_.runSettings().dimensions)
        if (size > 0 && (asGiven || std::ranges::find(batch, name) == batch.end()))
            job.options.dimensions[name] = size;
    std::vector<RunConfiguration> asked;
    for (const std::size_t cell : measuring_) asked.push_back(result_->cells[cell].configuration);
    verifying_ = !job.verify.empty();
    groupSeconds_ = verifying_ ? 0 : secondsOf(measuring_);
    if (verifying_)
        for (const std::size_t cell : measuring_)
            groupSeconds_ += estimatedSeconds(result_->cells[cell].measurement.wall.median.median,
                                              job.options.measuring);
    elapsed_.start();
    control_ = std::make_shared<SweepControl>();
    SweepResult begun = *result_;
    for (const std::size_t cell : measuring_) begun.cells[cell].state = CellState::running;

    const auto before = result_;  // the result to keep if nothing is measured
    const auto mailbox = std::make_shared<Mailbox>();
    const auto fetch = [this, mailbox, asked] {
        std::unique_ptr<SweepResult> newest;
        {
            const std::lock_guard lock(mailbox->mutex);
            newest = std::move(mailbox->newest);
        }
        if (newest) takeOver(*newest, asked, false);
    };
    Job* started = job_.start<SweepResult>(
        jobs_, title,
        [this, engine = &engine_, machine = machine_, job = std::move(job), control = control_,
         mailbox, fetch](const Progress& progress, const LatestJob::Ticket& ticket) {
            return machine.engineOr(*engine).call(
                job, progress,
                [&](const SweepResult& state) {
                    const std::lock_guard lock(mailbox->mutex);
                    const bool reported = mailbox->newest != nullptr;
                    mailbox->newest = std::make_unique<SweepResult>(state);
                    if (reported) return;
                    QMetaObject::invokeMethod(
                        this,
                        [fetch, ticket] {
                            if (ticket.isCurrent()) fetch();
                        },
                        Qt::QueuedConnection);
                },
                control.get());
        },
        [this, asked](SweepResult found) {
            changeAtOnce([&] {
                takeOver(found, asked, true);
                finishGroup(nullptr);
            });
        },
        [this, fetch](const Error& error) {
            changeAtOnce([&] {
                fetch();  // takes the results so far
                finishGroup(&error);
            });
        });
    started->setKept();
    started->setCommand(commandLine());
    publish(std::move(begun));
}

/// Takes results of one job. `found`: its cells, of which only those with configurations in `asked`
/// count. `ended`: it is the last state, in which no cell is being measured.
void Tuning::takeOver(const SweepResult& found, const std::vector<RunConfiguration>& asked,
                      bool ended) {
    SweepResult next = *result_;
    for (const SweepCell& cell : found.cells) {
        if (std::ranges::find(asked, cell.configuration) == asked.end()) continue;
        const auto mine =
            std::ranges::find(next.cells, cell.configuration, &SweepCell::configuration);
        if (mine == next.cells.end()) continue;
        if (cell.state == CellState::done || cell.state == CellState::failed ||
            cell.state == CellState::skipped) {
            if (verifying_ && !ended) continue;  // a verification counts only as a whole
            mine->state = cell.state;
            mine->measurement = cell.measurement;
            mine->reason = cell.reason;
        }
    }
    if (!found.scaling.empty() && !asked.empty()) {
        std::erase_if(scaling_, [&](const auto& known) {
            return measuredTogether(known.first, asked.front());
        });
        scaling_.emplace_back(asked.front(), found.scaling);
    }
    if (!found.machine.cpu.empty()) next.machine = found.machine;
    if (!machine_.isHere()) next.machine.cpu = machine_.text().toStdString();
    if (ended && verifying_) verified_ = indicesOf(asked);
    else if (ended)
        std::erase_if(verified_, [&](std::size_t cell) {
            return std::ranges::find(asked, result_->cells[cell].configuration) != asked.end();
        });
    publish(std::move(next));
}

void Tuning::finishGroup(const Error* error) {
    const bool cancelled = error && error->code() == ErrorCode::cancelled;
    const double seconds = double(elapsed_.elapsed()) / 1e3;
    if (!error && !verifying_ && groupSeconds_ > 0)
        correction_ = std::clamp(correction_ * (0.5 + 0.5 * seconds / groupSeconds_), 0.2, 20.0);
    control_ = nullptr;
    SweepResult next = *result_;
    for (const std::size_t cell : std::exchange(measuring_, {})) {
        SweepCell& mine = next.cells[cell];
        if (mine.state != CellState::running) continue;
        // A cell that was measured before keeps its figures.
        mine.state =
            mine.measurement.samples_ms.empty() && mine.measurement.wall.median.samples == 0
                ? CellState::waiting
                : CellState::done;
        if (error && !cancelled && mine.state == CellState::waiting) {
            mine.state = CellState::failed;
            mine.reason = error->what();
        }
    }
    ++finished_;
    if (error && !cancelled) {
        ++failures_;
        lastFailure_ = QString::fromUtf8(error->what());
    }
    if (cancelled) {
        queue_.clear();
        settling_ = 0;
        notice_ = tr("Cancelled; what was measured is kept.");
    }
    const bool verification = std::exchange(verifying_, false);
    publish(std::move(next));
    if (cancelled || (verification && settling_ == 0)) {
        followShown();
        followInputs();
    }
    if (cancelled) return;
    if (verification && settling_ == 0) {
        notice_ = lastFailure_;
        if (error) emit failed(lastFailure_);
        return;
    }
    startNext();
}

void Tuning::setPaused(bool paused) {
    if (!job_ || control_->paused == paused) return;
    control_->paused = paused;
    emit changed();
}

void Tuning::cancel() {
    queue_.clear();
    if (job_) job_.cancel();
    else emit changed();
}

}  // namespace lapidary::app
