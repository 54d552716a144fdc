// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a project and its changes. project_opening.cpp reads and writes files.
#include "workbench/project/project.h"

#include <QDateTime>
#include <QFileInfo>

#include <algorithm>
#include <cmath>

#include <lapidary/proof/guard.h>

#include "workbench/jobs/comparison.h"
#include "workbench/document/model_opener.h"
#include "workbench/document/opened_model.h"
#include "workbench/project/project_changes.h"
#include "workbench/project/project_pending.h"
#include "workbench/document/run_conditions.h"
#include "workbench/tuning/tuning.h"

namespace lapidary::app {
namespace {

constexpr int most_steps = 200;
constexpr Level first_level = Level::extended;  // a level that all engines can run

QString now() { return QDateTime::currentDateTimeUtc().toString(Qt::ISODate); }

void setMedian(RunFigures& figures, const MedianEstimate& median) {
    figures.median_ms = median.median;
    figures.low_ms = median.low;
    figures.high_ms = median.high;
}

Recipe recipeOf(const VariantPtr& variant) { return variant ? variant->recipe : Recipe(); }

/// True for a plain level, or the model as opened.
bool isOneClick(const Recipe& recipe) { return recipe.isPlainLevel() || recipe.isOriginal(); }

/// True if one click makes the change again.
bool isCheap(const QUndoCommand& command) {
    if (command.childCount() == 0) return command.id() == cheap_change_id;
    for (int i = 0; i < command.childCount(); ++i)
        if (!isCheap(*command.child(i))) return false;
    return true;
}

}  // namespace

bool isProjectFile(const QString& path) {
    return QFileInfo(path).suffix().compare(QLatin1String(project_suffix), Qt::CaseInsensitive) ==
           0;
}

Project::Project(const Parts& parts, QObject* parent)
    : QObject(parent), opened_(parts.opened), opener_(parts.opener), variants_(parts.variants),
      jobs_(parts.jobs), recent_(parts.recent), tuning_(parts.tuning),
      comparison_(parts.comparison) {
    stack_.setUndoLimit(most_steps);
    recipe_.level = first_level;
    connect(&stack_, &QUndoStack::indexChanged, this, &Project::refreshModified);
    connect(&stack_, &QUndoStack::cleanChanged, this, &Project::refreshModified);
    connect(&opened_, &OpenedModel::openedChanged, this, &Project::startOver);
    connect(&opener_, &ModelOpener::failed, this, [this] {  // the opener says why
        if (pending_ && pending_->loading) pending_.reset();
    });
    connect(&opener_, &ModelOpener::cancelled, this, [this] {
        if (pending_ && pending_->loading) pending_.reset();
    });
    connect(&opened_, &OpenedModel::runChanged, this, &Project::addRun);
    connect(&opened_, &OpenedModel::runSettingsChanged, this, &Project::changed);
    connect(&opened_, &OpenedModel::documentChanged, this, [this] {
        if (opened_.document() && opened_.document()->variant) wantedShown_.reset();
        emit changed();
    });
    VariantStore& store = variants_;
    connect(&store, &VariantStore::made, this, &Project::makeUp);
    connect(&store, &VariantStore::slotsChanged, this, &Project::changed);
    connect(&store, &VariantStore::listChanged, this, &Project::changed);
    connect(&store, &VariantStore::failed, this,
            [this](const Recipe& recipe, const QString& reason) {
                for (auto* wanted : {&wantedSlots_[0], &wantedSlots_[1], &wantedShown_})
                    if (*wanted == recipe) wanted->reset();
                emit logged(tr("%1 could not be made: %2").arg(nameOf(recipe), reason));
            });
    connect(&comparison_, &Comparison::changed, this, &Project::addMeasurements);
    connect(&tuning_, &Tuning::changed, this, &Project::noteSweep);
    connect(&jobs_, &JobRunner::started, this, &Project::countWork);
}

Project::~Project() {
    stack_.disconnect(this);  // the stack emits signals while it is destroyed
}

QString Project::title() const {
    return path_.isEmpty() ? QString() : QFileInfo(path_).completeBaseName();
}

bool Project::isModified() const {
    if (!stack_.isClean() || differsFromFile_) return true;
    const bool measured =
        measuredCells_ > 0 || std::ranges::any_of(runs_, [](const RunFigures& run) {
            return run.kind == RunKind::measurement;
        });
    return resultsChanged_ && (!path_.isEmpty() || measured || workSeconds_ >= worthAskingAfter_);
}

/// Counts the time of a job whose result is kept, while it runs and when it is done.
void Project::countWork(Job* job) {
    atWork_[job].start();
    connect(job, &Job::finished, this, [this, job] {
        const auto timer = atWork_.extract(job);
        if (timer.empty() || !job->isKept() || (!job->failure().isEmpty() && !job->wasCancelled()))
            return;
        workSeconds_ += double(timer.mapped().elapsed()) / 1e3;
    });
}

bool Project::hasDearChanges() const {
    if (stack_.isClean()) return false;
    if (stack_.cleanIndex() < 0) return true;
    const auto [first, last] = std::minmax({stack_.cleanIndex(), stack_.index()});
    for (int i = first; i < last; ++i)
        if (!isCheap(*stack_.command(i))) return true;
    return false;
}

bool Project::isWorthAsking() const {
    if (differsFromFile_ || hasDearChanges() ||
        (resultsChanged_ && workSeconds_ >= worthAskingAfter_))
        return true;
    return std::ranges::any_of(atWork_, [this](const auto& entry) {
        return entry.first->isKept() && double(entry.second.elapsed()) / 1e3 >= worthAskingAfter_;
    });
}

void Project::refreshModified() {
    if (const bool modified = isModified(); std::exchange(wasModified_, modified) != modified)
        emit modifiedChanged(modified);
    emit changed();
}

ModelReference Project::reference() const {
    const ModelSource& source = opened_.opened()->source;
    ModelReference model;
    model.sample = QString::fromStdString(source.sample);
    if (!model.sample.isEmpty()) return model;
    const std::filesystem::path& file =
        source.file.empty() ? opened_.opened()->model->path : source.file;
    if (!file.empty())
        model.path = QFileInfo(QString::fromStdU16String(file.u16string())).absoluteFilePath();
    model.bytes = source.file_bytes ? source.file_bytes : opened_.opened()->model->file_bytes;
    model.external_bytes = opened_.opened()->model->external_bytes;
    if (hashed_.path == model.path && hashed_.bytes == model.bytes &&
        hashedModified_ == source.file_modified)
        model.sha256 = hashed_.sha256;
    return model;
}

ProjectState Project::state() const {
    ProjectState state;
    state.notes = notes_;
    state.page = page_;
    state.settings = opened_.runSettings();
    if (!opened_.opened()) return state;
    VariantStore& store = variants_;
    state.model = reference();
    state.chosen = recipe_;
    for (const VariantPtr& variant : store.list())
        if (!variant->isOriginal()) state.variants.push_back(variant->recipe);
    for (Recipe& recipe : store.missing()) state.variants.push_back(std::move(recipe));
    if (state.variants.size() > most_kept_variants) state.variants.resize(most_kept_variants);
    for (const Slot slot : {Slot::A, Slot::B}) {
        const auto at = std::size_t(slot);
        if (wantedSlots_[at]) state.compared[at] = wantedSlots_[at];
        else if (const VariantPtr variant = store.slot(slot); variant && store.isChosen(slot))
            state.compared[at] = variant->recipe;
    }
    state.shown = wantedShown_ ? *wantedShown_ : recipeOf(opened_.document()->variant);
    state.runs = runs_;
    state.guards = guards_;
    if (measuredCells_ > 0) {
        state.sweep = tuning_.result();
        state.swept = tuning_.recipe();
    }
    return state;
}

void Project::setNotes(const QString& notes) {
    if (notes != notes_) stack_.push(new NotesChange(*this, notes));
}

void Project::applyNotes(const QString& notes) {
    notes_ = notes;
    emit notesChanged();
}

void Project::setRecipe(const Recipe& recipe, const QString& what) {
    if (recipe == recipe_) return;
    stack_.push(new Change(
        what, [this, recipe] { applyRecipe(recipe); },
        [this, before = recipe_] { applyRecipe(before); },
        isOneClick(recipe) && isOneClick(recipe_)));
}

void Project::followRecipe(const Recipe& recipe) {
    if (recipe != recipe_) applyRecipe(recipe);
}

void Project::applyRecipe(const Recipe& recipe) {
    recipe_ = recipe;
    emit recipeChanged(recipe_);
}

void Project::setSlot(Slot slot, const VariantPtr& variant) {
    const VariantPtr held = variants_.slot(slot);
    // the slot holds the running variant of `variant` already
    const bool isHeld =
        variant && held && held->recipe == variant->recipe.running() && variants_.isChosen(slot);
    if (!variant || isHeld) return;
    std::optional<Recipe> before;
    if (held) before = held->recipe;
    const Recipe running = variant->recipe.running();
    stack_.push(new Change(
        (slot == Slot::A ? tr("compare %1 as A") : tr("compare %1 as B")).arg(nameOf(running)),
        [this, slot, running] { putInSlot(slot, running); },
        [this, slot, before] { putInSlot(slot, before); }, true));
}

void Project::putInSlot(Slot slot, const std::optional<Recipe>& recipe) {
    auto& wanted = wantedSlots_[std::size_t(slot)];
    wanted.reset();
    VariantStore& store = variants_;
    if (!recipe) return store.setSlot(slot, nullptr);
    if (const VariantPtr made = store.find(*recipe)) return store.setSlot(slot, made);
    wanted = recipe;
    store.require({*recipe});
}

void Project::swapSlots() {
    const VariantPtr first = comparison_.a(), second = comparison_.b();
    if (!first || !second) return;
    stack_.beginMacro(tr("swap A and B"));
    setSlot(Slot::A, second);
    setSlot(Slot::B, first);
    stack_.endMacro();
}

void Project::removeVariant(const VariantPtr& variant) {
    VariantStore& store = variants_;
    if (!variant || !store.canRemove(variant)) return;
    stack_.push(new Change(
        tr("remove %1").arg(variant->name),
        [this, recipe = variant->recipe] {
            if (const VariantPtr made = variants_.find(recipe)) variants_.remove(made);
        },
        [this, recipe = variant->recipe] { variants_.require({recipe}); }, false));
}

void Project::makeUp(const VariantPtr& made) {
    VariantStore& store = variants_;
    if (made->recipe.quantization && std::ranges::find(adopted_, made->recipe) == adopted_.end()) {
        adopted_.push_back(made->recipe);
        reportResults(false);
    }
    for (const Slot slot : {Slot::A, Slot::B}) {
        auto& wanted = wantedSlots_[std::size_t(slot)];
        if (!wanted || store.find(*wanted) != made) continue;
        wanted.reset();
        store.setSlot(slot, made);
    }
    if (wantedShown_ && store.find(*wantedShown_) == made) {
        wantedShown_.reset();
        opened_.showVariant(made);
    }
}

void Project::setPage(const QString& page) {
    if (page == page_) return;
    page_ = page;
    emit changed();
}

void Project::addRun() {
    const RunRecordPtr run = opened_.run();
    if (!run || !run->model || !run->profile || run->profile->run_spans.empty()) return;
    std::erase_if(seenRuns_, [](const auto& seen) { return seen.expired(); });
    if (std::ranges::any_of(seenRuns_, [&](const auto& seen) { return seen.lock() == run; }))
        return;
    seenRuns_.push_back(run);
    RunFigures figures;
    setMedian(figures, estimate_run_time(*run->profile));
    figures.recipe = opened_.recipeInForce().running();
    figures.threads = run->profile->threads;
    figures.repetitions = run->profile->runs;
    figures.warmups = opened_.runSettings().warmups;
    if (opened_.opened()) figures.sizes = sizesOf(*opened_.opened()->model, run->inputs);
    figures.peak_bytes = run->profile->peak_bytes;
    figures.cpu = QString::fromStdString(run->machine);
    figures.verdict = QString::fromStdString(run->summary.verdict);
    addFigures(std::move(figures));
}

/// Newly measured cells count as results; a change of the list of cells does not.
void Project::noteSweep() {
    const auto sweep = tuning_.result();
    const std::size_t before = measuredCells_;
    measuredCells_ =
        sweep ? std::size_t(std::ranges::count(sweep->cells, CellState::done, &SweepCell::state))
              : 0;
    if (measuredCells_ <= before) return emit changed();
    resultsChanged_ = true;
    ++results_;
    refreshModified();
}

void Project::addMeasurements() {
    const ComparisonPtr result = comparison_.result();
    if (!result || !result->complete) return;
    std::erase_if(seenComparisons_, [](const auto& seen) { return seen.expired(); });
    if (std::ranges::any_of(seenComparisons_,
                            [&](const auto& seen) { return seen.lock() == result; }))
        return;
    seenComparisons_.push_back(result);
    const QString on = result->ranOn;
    if (result->measured_a)
        addMeasurement(result->a, *result->measured_a, result->settings, false, on);
    if (result->measured_b)
        addMeasurement(result->b, *result->measured_b, result->settings, false, on);
    addComparedOutputs(*result);
}

/// Comparing a level with the original shows the same as the guard. Cards, badges and Checklist
/// show this result unless a guard, which is more thorough, has run.
void Project::addComparedOutputs(const ComparisonRecord& record) {
    if (!record.outputs_compared || record.outputs.empty() || !record.a || !record.b) return;
    const Recipe& recipe = record.b->recipe;
    if (!record.a->isOriginal() || record.b->isOriginal() || recipe.runs_on ||
        !recipe.base().isOriginal())
        return;
    if (std::ranges::find(guards_, recipe, &GuardFigures::recipe) != guards_.end()) return;
    GuardReport report;
    report.matches =
        std::ranges::all_of(record.outputs, [](const auto& o) { return o.comparison.matches; });
    report.tolerance = same_result;
    for (const auto& output : record.outputs) {
        GuardOutput& reported = report.outputs.emplace_back();
        reported.name = output.name;
        reported.comparison = output.comparison;
    }
    addGuard(record.b, report, true);
}

void Project::addMeasurement(const VariantPtr& variant, const Measurement& measured,
                             const RunSettings& settings, bool unasked, const QString& machine) {
    if (!opened_.opened() || !measured.error.empty() || measured.wall.median.samples == 0) return;
    RunFigures figures;
    figures.recipe = recipeOf(variant).running();
    figures.kind = RunKind::measurement;
    figures.threads = measured.configuration.resources.threads;
    figures.batch = measured.configuration.batch;
    figures.sizes = conditionsOf(*opened_.opened()->model, settings).sizes;
    figures.repetitions = int(measured.wall.median.samples);
    setMedian(figures, measured.wall.median);
    figures.verdict = QString::fromStdString(measured.wall.note);
    figures.cpu = machine;
    addFigures(std::move(figures), unasked);
}

void Project::addFigures(RunFigures figures, bool unasked) {
    static const QString cpu = QString::fromStdString(machine_info().cpu);
    figures.date = now();
    if (figures.cpu.isEmpty()) figures.cpu = cpu;
    runs_.push_back(std::move(figures));
    if (runs_.size() > most_kept_runs) runs_.erase(runs_.begin());
    reportResults(unasked);
}

void Project::reportResults(bool unasked) {
    if (!unasked) {
        resultsChanged_ = true;
        ++results_;
    }
    emit figuresChanged();
    refreshModified();
}

void Project::addGuard(const VariantPtr& variant, const GuardReport& report, bool unasked) {
    GuardFigures figures;
    figures.recipe = recipeOf(variant);
    figures.date = now();
    figures.matches = report.matches;
    figures.rtol = report.tolerance.rtol;
    figures.atol = report.tolerance.atol;
    figures.failure = QString::fromStdString(report.failure);
    for (const GuardOutput& output : report.outputs)
        if (std::isfinite(output.comparison.max_abs))
            figures.largest = std::max(figures.largest, output.comparison.max_abs);
    std::erase_if(guards_,
                  [&](const GuardFigures& guard) { return guard.recipe == figures.recipe; });
    guards_.push_back(std::move(figures));
    if (guards_.size() > most_kept_variants) guards_.erase(guards_.begin());
    reportResults(unasked);
}

void Project::forgetChanges() {
    resultsChanged_ = differsFromFile_ = false;
    workSeconds_ = 0;
    stack_.setClean();
    refreshModified();
}

void Project::leaveThen(std::function<void()> next) {
    if (!isWorthAsking() || !ask_) return next();
    ask_(std::move(next));
}

}  // namespace lapidary::app
