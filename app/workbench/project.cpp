// SPDX-License-Identifier: GPL-3.0-or-later
// What a project holds and how it changes. Files: project_opening.cpp.
#include "workbench/project.h"

#include <QDateTime>
#include <QFileInfo>

#include <algorithm>
#include <cmath>

#include <lapidary/guard.h>

#include "workbench/comparison.h"
#include "workbench/project_changes.h"
#include "workbench/project_pending.h"
#include "workbench/tuning.h"
#include "workbench/workbench.h"

namespace lapidary::app {
namespace {

constexpr int most_steps = 200;
constexpr Level first_level = Level::extended;  // what runs everywhere

QString now() { return QDateTime::currentDateTimeUtc().toString(Qt::ISODate); }

void setMedian(RunFigures& figures, const MedianEstimate& median) {
    figures.median_ms = median.median;
    figures.low_ms = median.low;
    figures.high_ms = median.high;
}

Recipe recipeOf(const VariantPtr& variant) { return variant ? variant->recipe : Recipe(); }

}  // namespace

bool isProjectFile(const QString& path) {
    return QFileInfo(path).suffix().compare(QLatin1String(project_suffix), Qt::CaseInsensitive) == 0;
}

Project::Project(Workbench& workbench) : QObject(&workbench), workbench_(workbench) {
    stack_.setUndoLimit(most_steps);
    recipe_.level = first_level;
    connect(&stack_, &QUndoStack::indexChanged, this, &Project::refreshModified);
    connect(&stack_, &QUndoStack::cleanChanged, this, &Project::refreshModified);
    connect(&workbench, &Workbench::openedChanged, this, &Project::startOver);
    connect(&workbench, &Workbench::openFailed, this, [this] {  // the workbench says why
        if (pending_ && pending_->loading) pending_.reset();
    });
    connect(&workbench, &Workbench::openCancelled, this, [this] {
        if (pending_ && pending_->loading) pending_.reset();
    });
    connect(&workbench, &Workbench::runChanged, this, &Project::addRun);
    connect(&workbench, &Workbench::runSettingsChanged, this, &Project::changed);
    connect(&workbench, &Workbench::documentChanged, this, [this] {
        if (workbench_.document() && workbench_.document()->variant) wantedShown_.reset();
        emit changed();
    });
    VariantStore& store = workbench.variants();
    connect(&store, &VariantStore::made, this, &Project::makeUp);
    connect(&store, &VariantStore::slotsChanged, this, &Project::changed);
    connect(&store, &VariantStore::listChanged, this, &Project::changed);
    connect(&store, &VariantStore::failed, this, [this](const Recipe& recipe, const QString& reason) {
        for (auto* wanted : {&wantedSlots_[0], &wantedSlots_[1], &wantedShown_})
            if (*wanted == recipe) wanted->reset();
        emit workbench_.logged(tr("%1 could not be made: %2").arg(nameOf(recipe), reason));
    });
    connect(&workbench.comparison(), &Comparison::changed, this, &Project::addMeasurements);
    connect(&workbench.tuning(), &Tuning::changed, this, &Project::noteSweep);
}

Project::~Project() {
    stack_.disconnect(this);  // it tells of its own end
}

QString Project::title() const { return path_.isEmpty() ? QString() : QFileInfo(path_).completeBaseName(); }

bool Project::isModified() const {
    if (!stack_.isClean() || differsFromFile_) return true;
    const bool measured = measuredCells_ > 0 || std::ranges::any_of(runs_, [](const RunFigures& run) {
                              return run.kind == RunKind::measurement;
                          });
    return resultsChanged_ && (!path_.isEmpty() || measured);
}

void Project::refreshModified() {
    if (const bool modified = isModified(); std::exchange(wasModified_, modified) != modified)
        emit modifiedChanged(modified);
    emit changed();
}

ModelReference Project::reference() const {
    const ModelSource& source = workbench_.opened()->source;
    ModelReference model;
    model.sample = QString::fromStdString(source.sample);
    if (!model.sample.isEmpty()) return model;
    const std::filesystem::path& file = source.file.empty() ? workbench_.opened()->model->path : source.file;
    if (!file.empty()) model.path = QFileInfo(QString::fromStdU16String(file.u16string())).absoluteFilePath();
    model.bytes = source.file_bytes ? source.file_bytes : workbench_.opened()->model->file_bytes;
    model.external_bytes = workbench_.opened()->model->external_bytes;
    if (hashed_.path == model.path && hashed_.bytes == model.bytes && hashedModified_ == source.file_modified)
        model.sha256 = hashed_.sha256;
    return model;
}

ProjectState Project::state() const {
    ProjectState state;
    state.notes = notes_;
    state.page = page_;
    state.settings = workbench_.runSettings();
    if (!workbench_.opened()) return state;
    VariantStore& store = workbench_.variants();
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
    state.shown = wantedShown_ ? *wantedShown_ : recipeOf(workbench_.document()->variant);
    state.runs = runs_;
    state.guards = guards_;
    if (measuredCells_ > 0) {
        state.sweep = workbench_.tuning().result();
        state.swept = workbench_.tuning().recipe();
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
        what, [this, recipe] { applyRecipe(recipe); }, [this, before = recipe_] { applyRecipe(before); }));
}

void Project::applyRecipe(const Recipe& recipe) {
    recipe_ = recipe;
    emit recipeChanged(recipe_);
}

void Project::setSlot(Slot slot, const VariantPtr& variant) {
    if (!variant || workbench_.variants().slot(slot) == variant) return;
    std::optional<Recipe> before;
    if (const VariantPtr held = workbench_.variants().slot(slot)) before = held->recipe;
    stack_.push(new Change((slot == Slot::A ? tr("compare %1 as A") : tr("compare %1 as B")).arg(variant->name),
                           [this, slot, recipe = variant->recipe] { putInSlot(slot, recipe); },
                           [this, slot, before] { putInSlot(slot, before); }));
}

void Project::putInSlot(Slot slot, const std::optional<Recipe>& recipe) {
    auto& wanted = wantedSlots_[std::size_t(slot)];
    wanted.reset();
    VariantStore& store = workbench_.variants();
    if (!recipe) return store.setSlot(slot, nullptr);
    if (const VariantPtr made = store.find(*recipe)) return store.setSlot(slot, made);
    wanted = recipe;
    store.require({*recipe});
}

void Project::removeVariant(const VariantPtr& variant) {
    VariantStore& store = workbench_.variants();
    if (!variant || !store.canRemove(variant)) return;
    stack_.push(new Change(
        tr("remove %1").arg(variant->name),
        [this, recipe = variant->recipe] {
            if (const VariantPtr made = workbench_.variants().find(recipe)) workbench_.variants().remove(made);
        },
        [this, recipe = variant->recipe] { workbench_.variants().require({recipe}); }));
}

void Project::makeUp(const VariantPtr& made) {
    VariantStore& store = workbench_.variants();
    for (const Slot slot : {Slot::A, Slot::B}) {
        auto& wanted = wantedSlots_[std::size_t(slot)];
        if (!wanted || store.find(*wanted) != made) continue;
        wanted.reset();
        store.setSlot(slot, made);
    }
    if (wantedShown_ && store.find(*wantedShown_) == made) {
        wantedShown_.reset();
        workbench_.showVariant(made);
    }
}

void Project::setPage(const QString& page) {
    if (page == page_) return;
    page_ = page;
    emit changed();
}

void Project::addRun() {
    const RunRecordPtr run = workbench_.run();
    if (!run || !run->model || !run->profile || run->profile->run_spans.empty()) return;
    std::erase_if(seenRuns_, [](const auto& seen) { return seen.expired(); });
    if (std::ranges::any_of(seenRuns_, [&](const auto& seen) { return seen.lock() == run; })) return;
    seenRuns_.push_back(run);
    std::vector<double> ms;
    for (const Span& span : run->profile->run_spans) ms.push_back(double(span.duration_ns()) / 1e6);
    RunFigures figures;
    setMedian(figures, summarize_samples(ms).median);
    figures.recipe = recipeOf(workbench_.document() ? workbench_.document()->variant : nullptr);
    figures.threads = run->profile->threads;
    figures.repetitions = run->profile->runs;
    figures.warmups = workbench_.runSettings().warmups;
    figures.peak_bytes = run->profile->peak_bytes;
    figures.verdict = QString::fromStdString(run->summary.verdict);
    addFigures(std::move(figures));
}

/// Cells that were measured since the last look are results; that the list of cells changed is none.
void Project::noteSweep() {
    const auto sweep = workbench_.tuning().result();
    const std::size_t before = measuredCells_;
    measuredCells_ = sweep ? std::size_t(std::ranges::count(sweep->cells, CellState::done, &SweepCell::state)) : 0;
    if (measuredCells_ <= before) return emit changed();
    resultsChanged_ = true;
    ++results_;
    refreshModified();
}

void Project::addMeasurements() {
    const ComparisonPtr result = workbench_.comparison().result();
    if (!result || !result->complete) return;
    std::erase_if(seenComparisons_, [](const auto& seen) { return seen.expired(); });
    if (std::ranges::any_of(seenComparisons_, [&](const auto& seen) { return seen.lock() == result; })) return;
    seenComparisons_.push_back(result);
    const auto add = [&](const VariantPtr& variant, const std::optional<Measurement>& measured) {
        if (!measured || !measured->error.empty() || measured->wall.median.samples == 0) return;
        RunFigures figures;
        figures.recipe = recipeOf(variant);
        figures.kind = RunKind::measurement;
        figures.threads = measured->configuration.intra;
        figures.batch = measured->configuration.batch;
        figures.repetitions = int(measured->wall.median.samples);
        setMedian(figures, measured->wall.median);
        figures.verdict = QString::fromStdString(measured->wall.note);
        addFigures(std::move(figures));
    };
    add(result->a, result->measured_a);
    add(result->b, result->measured_b);
}

void Project::addFigures(RunFigures figures) {
    static const QString cpu = QString::fromStdString(machine_info().cpu);
    figures.date = now();
    figures.cpu = cpu;
    runs_.push_back(std::move(figures));
    if (runs_.size() > most_kept_runs) runs_.erase(runs_.begin());
    resultsChanged_ = true;
    ++results_;
    emit figuresChanged();
    refreshModified();
}

void Project::addGuard(const VariantPtr& variant, const GuardReport& report) {
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
    std::erase_if(guards_, [&](const GuardFigures& guard) { return guard.recipe == figures.recipe; });
    guards_.push_back(std::move(figures));
    if (guards_.size() > most_kept_variants) guards_.erase(guards_.begin());
    resultsChanged_ = true;
    ++results_;
    emit figuresChanged();
    refreshModified();
}

void Project::forgetChanges() {
    resultsChanged_ = differsFromFile_ = false;
    stack_.setClean();
    refreshModified();
}

void Project::leaveThen(std::function<void()> next) {
    if (!isModified() || !ask_) return next();
    ask_(std::move(next));
}

}  // namespace lapidary::app
