// SPDX-License-Identifier: GPL-3.0-or-later
// The Optimize page: makes variants of recipes, and shows what was done to the chosen one.
#include "optimize/optimize_page.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QVBoxLayout>

#include <algorithm>
#include <span>

#include <lapidary/base/error.h>
#include <lapidary/passes/user_rules.h>

#include "optimize/change_panel.h"
#include "optimize/export_dialog.h"
#include "optimize/guard_panel.h"
#include "optimize/level_cards.h"
#include "optimize/near_miss_panel.h"
#include "optimize/pass_list_panel.h"
#include "optimize/rewrite_words.h"
#include "optimize/step_bar.h"
#include "widgets/cards/empty_state.h"
#include "widgets/text/quantity.h"
#include "widgets/visible_tabs.h"
#include "workbench/text/bounded_text.h"
#include "workbench/jobs/checklist.h"
#include "workbench/tuning/level_times.h"
#include "workbench/tuning/level_trial.h"
#include "workbench/document/planned_memory.h"

namespace lapidary::views {
namespace {

QString verdictOf(const app::Variant& variant) {
    const PipelineReport& report = variant.report;
    if (variant.isOriginal())
        return OptimizePage::tr("Original: %1, nothing applied.")
            .arg(nodeCountText(report.nodes_before));
    if (variant.rewrites() == 0)
        return OptimizePage::tr("%1: nothing to optimize, 0 of %2 passes match; near misses: %3.")
            .arg(variant.name)
            .arg(std::ranges::count_if(report.passes,
                                       [](const PassRun& p) { return p.skipped.empty(); }))
            .arg(report.near_misses.size());
    const std::span<const AppliedRewrite> own(report.rewrites.data(), variant.rewrites());
    const QString name = variant.recipe.isEditedAlone() ? LevelCards::tr("Edited") : variant.name;
    QString text = OptimizePage::tr("%1: %2; %3 → %4 nodes")
                       .arg(name, headlineOf(own), formatCount(qint64(report.nodes_before)),
                            formatCount(qint64(report.nodes_after)));
    if (report.nodes_before > report.nodes_after)
        text += QStringLiteral(" (%1%2)")
                    .arg(QChar(0x2212))
                    .arg(formatPercent(double(report.nodes_before - report.nodes_after) /
                                       double(report.nodes_before)));
    if (variant.sessionNodes > 0 && variant.sessionNodes != report.nodes_after)
        text += OptimizePage::tr("; a session's own passes leave %1")
                    .arg(formatCount(qint64(variant.sessionNodes)));
    return text + QLatin1Char('.');
}

}  // namespace

OptimizePage::OptimizePage(app::Workbench& workbench, QWidget* parent)
    : Page(parent), workbench_(workbench), editor_(workbench.project()), stack_(new QStackedWidget),
      empty_(new EmptyState), cards_(new LevelCards), passes_(new PassListPanel),
      changes_(new ChangePanel(workbench.jobs())), misses_(new NearMissPanel),
      guards_(new GuardPanel(workbench)), diff_(new DiffView), steps_(new StepBar) {
    setObjectName(QStringLiteral("optimizePage"));
    const GraphFonts fonts = GraphFonts::standard();
    titleWidths_ = fonts.titleWidths();
    bodyWidths_ = fonts.bodyWidths();
    makeActions();
    content_ = makeContent();
    stack_->addWidget(empty_);
    stack_->addWidget(content_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(stack_);

    using app::VariantStore;
    VariantStore& store = workbench_.variants();
    connect(&workbench_, &app::Workbench::openedChanged, this, &OptimizePage::reset);
    connect(&store, &VariantStore::made, this, [this](const app::VariantPtr& variant) {
        refreshCards();
        planMemory();
        if (variant == workbench_.variants().find(editor_.shown())) showVariant(variant);
        if (isWanted_ && variant == workbench_.variants().find(wanted_)) {
            isWanted_ = false;
            workbench_.showVariant(variant);
        }
    });
    for (const auto signal : {&VariantStore::progressed, &VariantStore::listChanged})
        connect(&store, signal, this, &OptimizePage::refreshCards);
    connect(&workbench_, &app::Workbench::documentChanged, this, &OptimizePage::refreshCards);
    connect(&workbench_, &app::Workbench::runSettingsChanged, this, [this] {
        refreshCards();
        planMemory();
    });
    connect(&workbench_.project(), &app::Project::figuresChanged, this,
            &OptimizePage::refreshCards);
    connect(&workbench_.plannedMemory(), &app::PlannedMemory::changed, this,
            &OptimizePage::refreshCards);
    connect(&workbench_.levelTimes(), &app::LevelTimes::changed, this, &OptimizePage::refreshCards);
    connect(&workbench_.levelTrial(), &app::LevelTrial::changed, this, &OptimizePage::refreshCards);
    connect(&workbench_.levelTimes(), &app::LevelTimes::failed, this, &Page::statusMessage);
    connect(&store, &VariantStore::failed, this, &OptimizePage::refreshState);
    connect(&store, &VariantStore::cancelled, this, [this] {
        started_ = variant_ != nullptr;
        refreshState();
    });
    connect(empty_, &EmptyState::clicked, this, [this] {
        if (!workbench_.opened()) return emit openRequested();
        workbench_.variants().forgetFailures();
        started_ = false;
        start();
    });
    connect(&editor_, &RecipeEditor::changed, this, &OptimizePage::showRecipe);
    connect(cards_, &LevelCards::chosen, this, &OptimizePage::chooseLevel);
    connect(&store, &VariantStore::slotsChanged, this, &OptimizePage::refreshCards);
    followPasses();
    connect(changes_, &ChangePanel::stepChosen, this, [this](std::size_t step) {
        steps_->setStep(int(step));
        drawStep(int(step), true);
    });
    connect(guards_, &GuardPanel::stepChosen, this, [this](std::size_t step) {
        tabs_->setCurrentWidget(changes_);
        steps_->setStep(int(step));
        drawStep(int(step), true);
    });
    connect(steps_, &StepBar::stepChosen, this, [this](int step) { drawStep(step, true); });
    connect(misses_, &NearMissPanel::missChosen, this, &OptimizePage::showMiss);
    reset();
}

/// Switches, rules and chosen passes of the list.
void OptimizePage::followPasses() {
    connect(&passes_->model(), &PassModel::toggled, this,
            [this](const PassInfo* pass, bool on) { editor_.setPass(*pass, on); });
    connect(&passes_->model(), &PassModel::levelToggled, &editor_, &RecipeEditor::setPasses);
    connect(passes_, &PassListPanel::defaultsRequested, &editor_, &RecipeEditor::setDefaults);
    connect(passes_, &PassListPanel::rulesChosen, this, &OptimizePage::addRules);
    connect(passes_, &PassListPanel::rulesRemoved, this,
            [this](const QString& file) { editor_.removeRules(file.toStdString()); });
    connect(passes_, &PassListPanel::passActivated, this, [this](const QString& pass) {
        if (!changes_->model().indexOfPass(pass.toStdString()).isValid()) return;
        tabs_->setCurrentWidget(changes_);
        changes_->choosePass(pass.toStdString());
    });
}

OptimizePage::~OptimizePage() = default;

void OptimizePage::shown() {
    start();
    planMemory();
    if (stack_->currentWidget() == content_ && !isAncestorOf(QApplication::focusWidget()))
        cards_->card(editor_.recipe().level)->setFocus();
}

void OptimizePage::reset() {
    job_.drop();
    started_ = false;
    isWanted_ = false;
    showDiff(nullptr, nullptr, false);
    if (base_) workbench_.jobs().releaseLater(std::exchange(base_, nullptr));
    if (drawnFrom_) workbench_.jobs().releaseLater(std::exchange(drawnFrom_, nullptr));
    showVariant(nullptr);
    if (isVisible()) start();
}

void OptimizePage::start() {
    if (started_ || !workbench_.opened()) return refreshState();
    started_ = true;
    showRecipe();
}

/// Requests the chosen variant first, then the other levels with the same switched passes, and the
/// edited model that they apply to.
void OptimizePage::showRecipe() {
    const app::Recipe recipe = editor_.shown();
    app::VariantStore& store = workbench_.variants();
    if (started_ && workbench_.opened()) {
        std::vector<app::Recipe> recipes{recipe};
        for (const Level level : {Level::disabled, Level::basic, Level::extended, Level::all})
            if (app::Recipe other = LevelCards::recipeOf(level, editor_.recipe()); other != recipe)
                recipes.push_back(std::move(other));
        if (app::Recipe base = recipe.base(); !base.isOriginal()) recipes.push_back(base);
        if (isWanted_) recipes.push_back(wanted_);
        store.request(recipes);
    }
    if (const app::VariantPtr made = store.find(recipe)) showVariant(made);
    else passes_->show(editor_.recipe(), nullptr);
    refreshCards();
}

void OptimizePage::refreshCards() {
    cards_->refresh(workbench_.variants(), editor_.recipe(),
                    [this](const app::VariantPtr& variant) { return factsOf(variant); });
    refreshState();
}

LevelFacts OptimizePage::factsOf(const app::VariantPtr& variant) const {
    LevelFacts facts;
    if (!variant->isOriginal()) {
        facts.time = workbench_.timeOf(variant->recipe);
        facts.memory = workbench_.plannedMemory().of(variant);
    }
    const auto& guards = workbench_.project().guards();
    const auto guard = std::ranges::find(guards, variant->recipe, &app::GuardFigures::recipe);
    if (guard != guards.end() && !variant->isOriginal()) facts.guard = &*guard;
    const app::Recipe inForce = workbench_.recipeInForce();
    facts.inForce = variant->isOriginal() ? inForce.isOriginal() : variant->recipe == inForce;
    facts.letters = workbench_.variants().lettersOf(variant);
    facts.measuring = workbench_.levelTimes().isRunning() || workbench_.levelTrial().isRunning();
    facts.sizes = app::textOf(workbench_.conditions().sizes);
    return facts;
}

/// The variants of the four levels with the recipe's switched passes that are already made.
std::vector<app::VariantPtr> OptimizePage::madeLevels() const {
    std::vector<app::VariantPtr> made;
    for (const Level level : {Level::disabled, Level::basic, Level::extended, Level::all})
        if (const auto variant =
                workbench_.variants().find(LevelCards::recipeOf(level, editor_.recipe())))
            made.push_back(variant);
    return made;
}

/// Puts the level with the page's switched passes in force.
void OptimizePage::chooseLevel(std::optional<Level> level) {
    if (!workbench_.opened()) return;
    app::Recipe recipe = editor_.recipe();
    if (level != recipe.level) recipe.edits_after.clear();  // they are for the level before
    recipe.level = level;
    const app::Recipe chosen = LevelCards::recipeOf(level, recipe);
    workbench_.choose(
        chosen, recipe,
        tr("choose %1").arg(app::nameOf(level ? app::Recipe::plain(*level) : chosen)));
}

void OptimizePage::planMemory() {
    if (!isVisible() || !started_) return;
    workbench_.plannedMemory().want(madeLevels());
    // posted, because the store is idle only afterwards
    QMetaObject::invokeMethod(this, &OptimizePage::tryLevels, Qt::QueuedConnection);
}

/// Starts the trial when all levels are made and no other job runs.
void OptimizePage::tryLevels() {
    if (!isVisible() || !started_ || !workbench_.variants().isIdle() || workbench_.isRunning())
        return;
    std::vector<app::VariantPtr> unknown = madeLevels();
    if (unknown.size() + 1 < cards_->count()) return;  // the original is none
    std::erase_if(unknown, [this](const app::VariantPtr& level) {
        const app::RunFigures* time = workbench_.timeOf(level->recipe);
        return time && time->kind == app::RunKind::measurement;
    });
    workbench_.levelTrial().want(unknown);
}

void OptimizePage::measureLevels() {
    app::LevelTimes& times = workbench_.levelTimes();
    if (times.isRunning()) times.cancel();
    else times.start(madeLevels());
}

void OptimizePage::refreshState() {
    const QString failure = workbench_.variants().failureOf(editor_.shown());
    if (!workbench_.opened()) {
        empty_->setMessage(QStringLiteral("optimize"), tr("No model is open"),
                           tr("Open an ONNX model to see what each optimization level does to it, "
                              "rewrite by rewrite."));
        empty_->setButton(QStringLiteral("open"), tr("Open …"));
        empty_->showProgress(false);
        stack_->setCurrentWidget(empty_);
    } else if (!started_ || (!variant_ && !failure.isEmpty())) {
        empty_->setMessage(failure.isEmpty() ? QStringLiteral("optimize") : QStringLiteral("error"),
                           failure.isEmpty() ? tr("Nothing is optimized yet")
                                             : tr("The model could not be optimized"),
                           failure);
        empty_->setButton(QStringLiteral("run"),
                          failure.isEmpty() ? tr("Optimize") : tr("Try again"));
        empty_->showProgress(false);
        stack_->setCurrentWidget(empty_);
    } else if (stack_->currentWidget() != content_) {
        const bool focused = isAncestorOf(QApplication::focusWidget());
        stack_->setCurrentWidget(content_);
        if (focused) cards_->card(editor_.recipe().level)->setFocus();
    }
    if (!failure.isEmpty())
        verdict_->setText(
            sentenceText(tr("%1 failed: %2").arg(app::nameOf(editor_.shown()), failure)));
    else if (variant_ && variant_ == workbench_.variants().find(editor_.shown()))
        verdict_->setText(sentenceText(verdictOf(*variant_)));
    else if (started_) verdict_->setText(tr("Optimizing: %1 …").arg(app::nameOf(editor_.shown())));
    verdict_->setToolTip(plainToolTip(verdict_->text()));
    refreshActions();
}

void OptimizePage::refreshActions() {
    const bool drawn = diff_->diff() != nullptr;
    for (QAction* action : {split_, overlay_, compactResult_, fit_}) action->setEnabled(drawn);
    zoomStep_->setEnabled(drawn && !diff_->diff()->focus.isEmpty());
    compare_->setEnabled(drawn);
    const app::Recipe inForce = workbench_.recipeInForce(), shown = shownRecipe();
    const app::Recipe used = shown.stop_after == std::size_t(0) ? shown.base() : shown;
    use_->setEnabled(variant_ && workbench_.opened() &&
                     !(used.isOriginal() ? inForce.isOriginal() : used == inForce));
    const bool measuring = workbench_.levelTimes().isRunning();
    measure_->setEnabled(measuring ||
                         (workbench_.opened() && workbench_.variants().isIdle() && started_));
    measure_->setText(measuring ? tr("Stop measuring the levels") : tr("Measure the levels"));
    guard_->setEnabled(variant_ && !variant_->isOriginal());
    export_->setEnabled(workbench_.opened() != nullptr && variant_ != nullptr);
    copy_->setEnabled(variant_ != nullptr && workbench_.opened());
}

void OptimizePage::showVariant(const app::VariantPtr& variant) {
    miss_ = nullptr;
    passes_->show(editor_.recipe(), variant);
    if (variant && variant == variant_) return refreshState();
    const app::VariantPtr old = std::exchange(variant_, variant);
    changes_->setVariant(variant);
    misses_->setVariant(variant,
                        variant ? app::sharesOf(*variant, workbench_.run()) : TimeShares());
    guards_->setVariant(variant);
    const int count = variant ? int(variant->report.rewrites.size()) : 0;
    const int near = variant ? int(variant->report.near_misses.size()) : 0;
    const int own = variant ? int(variant->rewrites()) : 0;
    setTabTitle(*tabs_, tabs_->indexOf(changes_),
                count > own
                    ? tr("&Changes (%1 + %2)").arg(formatCount(own), formatCount(count - own))
                : count > 0 ? tr("&Changes (%1)").arg(formatCount(count))
                            : tr("&Changes"),
                tr("&Changes"));
    tabs_->setTabToolTip(
        tabs_->indexOf(changes_),
        count > own ? tr("Rewrites of the model, and those that a session makes in its own copy")
                    : QString());
    setTabTitle(*tabs_, tabs_->indexOf(misses_),
                near > 0 ? tr("&Near misses (%1)").arg(formatCount(near)) : tr("&Near misses"),
                tr("M&isses"));
    std::vector<RewriteKind> kinds;
    kinds.reserve(std::size_t(count));
    if (variant)
        for (const AppliedRewrite& applied : variant->report.rewrites)
            kinds.push_back(kindOf(applied.rewrite.pass));
    steps_->setSteps(std::move(kinds), own);
    refreshState();
    if (film_) workbench_.jobs().releaseLater(std::exchange(film_, nullptr));
    if (old) workbench_.jobs().releaseLater(old);
    if (!variant) return;
    drawStep(own, false);
    emit variantShown();
}

app::Recipe OptimizePage::shownRecipe() const {
    if (!variant_) return editor_.shown();
    return steps_->step() < ownSteps() ? recipeAtStep(variant_->recipe, steps_->step(), ownSteps())
                                       : variant_->recipe;
}

void OptimizePage::useVariant() {
    if (!variant_) return;
    const app::Recipe recipe = shownRecipe();
    if (recipe == variant_->recipe) return workbench_.showVariant(variant_);
    if (recipe.isOriginal() || recipe.stop_after == std::size_t(0))
        return workbench_.showVariant(workbench_.variants().baseOf(recipe.base()));
    if (const app::VariantPtr made = workbench_.variants().find(recipe))
        return workbench_.showVariant(made);
    wanted_ = recipe;
    isWanted_ = true;
    showRecipe();
}

void OptimizePage::addRules(const QString& path) {
    try {
        editor_.addRules(load_rules(toPath(path)));
    } catch (const Error& error) {
        passes_->showProblem(tipText(error.what()));
        emit statusMessage(tipText(error.what()));
    }
}

void OptimizePage::choosePass(const QString& pass) {
    tabs_->setCurrentWidget(passes_);
    passes_->choose(pass.toStdString());
}

QString OptimizePage::command() const {
    if (!workbench_.opened()) return {};
    const auto& path = workbench_.opened()->model->path;
    const QString model = path.empty() ? workbench_.opened()->title + QStringLiteral(".onnx")
                                       : exactText(path.string());
    const QString output = QFileInfo(model).completeBaseName() + QStringLiteral(".optimized.onnx");
    return app::commandLine(shownRecipe(), model, output);
}

void OptimizePage::copyCommand() {
    QApplication::clipboard()->setText(command());
    emit statusMessage(tr("Copied: %1").arg(command()));
}

void OptimizePage::exportModel() {
    if (!workbench_.opened()) return;
    // the recipe in force; if that is the original, the one that this page draws
    const app::Recipe inForce = workbench_.recipeInForce();
    auto* dialog =
        new ExportDialog(workbench_, inForce.isOriginal() ? shownRecipe() : inForce, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::saved, this,
            [this](const QString& path) { emit statusMessage(tr("Wrote %1").arg(path)); });
    dialog->open();
}

}  // namespace lapidary::views
