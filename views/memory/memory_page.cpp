// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/memory_page.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QPainter>
#include <QPointer>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <lapidary/base/error.h>

#include "memory/context_memory_panel.h"
#include "memory/copy_table.h"
#include "memory/memory_card.h"
#include "memory/memory_history.h"
#include "memory/memory_map.h"
#include "memory/memory_tables.h"
#include "theme/theme.h"
#include "widgets/cards/empty_state.h"
#include "widgets/flow_layout.h"
#include "widgets/text/quantity.h"
#include "widgets/table/table_view.h"
#include "workbench/text/bounded_text.h"
#include "workbench/document/planned_memory.h"
#include "workbench/jobs/generating.h"
#include "workbench/workbench.h"

namespace lapidary::views {
namespace {

// config_keys()
constexpr const char *plan_key = "enable_mem_pattern", *arena_key = "enable_cpu_mem_arena";

}  // namespace

MemoryPage::MemoryPage(app::Workbench& workbench, QWidget* parent)
    : Page(parent), workbench_(workbench), stack_(new QStackedWidget), empty_(new EmptyState),
      content_(nullptr), card_(new MemoryCard), history_(new MemoryHistory), map_(new MemoryMap),
      alive_(new TensorTable(TensorTable::Kind::alive)),
      lifetimes_(new TensorTable(TensorTable::Kind::lifetimes)), copies_(new CopyTable(this)),
      contexts_(new ContextMemoryPanel(workbench, this)), whatIf_(new WhatIfPanel),
      tabs_(new QTabWidget), coloring_(new QComboBox) {
    setObjectName(QStringLiteral("memoryPage"));
    copies_->hide();
    contexts_->hide();
    makeActions();
    content_ = makeContent();
    stack_->addWidget(empty_);
    stack_->addWidget(content_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(stack_);

    connect(empty_, &EmptyState::clicked, this, [this] {
        if (state_ == State::nothingOpen) emit openRequested();
        else if (state_ == State::working && job_) job_.cancel();
        else refresh();
    });
    for (StepCanvas* canvas :
         {static_cast<StepCanvas*>(history_), static_cast<StepCanvas*>(map_)}) {
        connect(canvas, &StepCanvas::cursorMoved, this, &MemoryPage::setCursorStep);
        connect(canvas, &StepCanvas::stepActivated, this, &MemoryPage::goToStep);
        connect(canvas, &StepCanvas::hovered, this,
                [this](const QString& sentence) { emit statusMessage(sentence); });
    }
    connect(history_, &StepCanvas::stepsShown, map_, &StepCanvas::setSteps);
    connect(map_, &StepCanvas::stepsShown, history_, &StepCanvas::setSteps);
    connect(map_, &MemoryMap::tensorPicked, this, [this](int tensor) { pick(tensor, map_); });
    connect(map_, &MemoryMap::tensorActivated, this, &MemoryPage::goToGraph);
    for (TensorTable* table : {alive_, lifetimes_}) {
        connect(table, &TensorTable::tensorPicked, this,
                [this, table](int tensor) { pick(tensor, table); });
        connect(table, &TensorTable::tensorActivated, this, &MemoryPage::goToGraph);
    }
    connect(whatIf_, &WhatIfPanel::assumptionsChanged, this, [this] {
        isStale_ = true;
        refresh();
    });
    connect(whatIf_, &WhatIfPanel::applyRequested, this, &MemoryPage::applyToRunSettings);
    connect(whatIf_, &WhatIfPanel::resetRequested, this, &MemoryPage::takeRunSettings);

    using app::Workbench;
    connect(&workbench_, &Workbench::documentChanged, this, &MemoryPage::takeDocument);
    connect(&workbench_, &Workbench::runChanged, this, [this] {
        isStale_ = true;
        if (isVisible()) refresh();
    });
    connect(&workbench_, &Workbench::runSettingsChanged, this, &MemoryPage::takeRunSettings);
    connect(&workbench_, &Workbench::focusChanged, this, &MemoryPage::showFocus);
    followVariants();
    takeDocument();
}

int MemoryPage::cursorStep() const { return history_->cursorStep(); }

void MemoryPage::shown() { refresh(); }

void MemoryPage::changeEvent(QEvent* event) {
    // Paints the legend in the new theme's colours. Posted, because the card makes new labels while
    // the change of style still visits all widgets.
    if (event->type() == QEvent::PaletteChange)
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (picture_) card_->setPicture(*picture_, conditionsText());
            },
            Qt::QueuedConnection);
    Page::changeEvent(event);
}

MemoryAssumptions MemoryPage::assumptionsOfRunSettings() const {
    return app::assumptionsOf(variant_ ? workbench_.sourceOf(variant_) : app::ModelSource(),
                              workbench_.runSettings());
}

/// Of the variant that runs.
app::MemoryJob MemoryPage::plannedUnder(const MemoryAssumptions& assumptions) const {
    return {workbench_.sourceOf(variant_), assumptions, false, study_};
}

void MemoryPage::takeDocument() {
    job_.drop();
    effectsJob_.drop();
    if (picture_) workbench_.jobs().releaseLater(std::exchange(picture_, nullptr));
    if (study_) workbench_.jobs().releaseLater(std::exchange(study_, nullptr));
    contexts_->setVariant(nullptr, {});
    variant_ = workbench_.runningVariant();
    if (variant_) study_ = std::make_shared<MemoryStudy>(variant_->model);
    isStale_ = isNewDocument_ = true;
    whatIf_->setAssumptions(assumptionsOfRunSettings());
    const QString fault = workbench_.faultText();
    if (!fault.isEmpty()) return showState(State::failed, fault);
    showState(workbench_.document() ? State::working : State::nothingOpen);
    if (isVisible()) refresh();
}

/// If a graph without a level is in force, the variant that runs has to be made first.
void MemoryPage::followVariants() {
    app::VariantStore& variants = workbench_.variants();
    connect(&variants, &app::VariantStore::made, this, [this] {
        if (!study_ && workbench_.runningVariant()) takeDocument();
    });
    const auto fail = [this](const QString& reason) {
        if (!study_ && state_ == State::working && workbench_.document())
            showState(State::failed, reason);
    };
    connect(&variants, &app::VariantStore::failed, this,
            [this, fail](const app::Recipe& recipe, const QString& reason) {
                if (recipe == workbench_.recipeInForce().running()) fail(reason);
            });
    connect(&variants, &app::VariantStore::cancelled, this,
            [fail] { fail(tr("It was cancelled.")); });
}

void MemoryPage::takeRunSettings() {
    const MemoryAssumptions wanted = assumptionsOfRunSettings();
    if (whatIf_->assumptions() == wanted) return showApplicable();
    whatIf_->setAssumptions(wanted);
    isStale_ = true;
    if (isVisible()) refresh();
}

void MemoryPage::refresh() {
    if (!study_ && workbench_.document() && workbench_.faultText().isEmpty()) {
        showState(State::working);
        workbench_.requestRunning();
    }
    if (!study_ || !isStale_) return;
    isStale_ = false;
    job_.drop();
    effectsJob_.drop();
    if (!picture_) showState(State::working);
    const app::RunRecordPtr run = workbench_.run();
    const app::RunRecordPtr ofThisModel =
        run && run->model && run->model == study_->model() ? run : nullptr;
    job_.start<Answer>(
        workbench_.jobs(),
        tr("Memory of %1 · %2")
            .arg(workbench_.opened()->title, app::runNameOf(workbench_.recipeInForce())),
        [engine = &workbench_.engine(), job = plannedUnder(whatIf_->assumptions()),
         record = ofThisModel](const Progress& progress) {
            Answer answer;
            app::PlannedRun planned = engine->call(job, progress);
            answer.picture = makeMemoryPicture(std::move(planned.report),
                                               record ? record->profile.get() : nullptr,
                                               record ? &record->placement : nullptr);
            answer.rows = rowsOf(answer.picture);
            answer.dimensions = std::move(planned.free_dimensions);
            return answer;
        },
        [this](Answer answer) { showAnswer(std::move(answer)); },
        [this](const Error& error) {
            isStale_ = true;
            if (error.code() == ErrorCode::cancelled)
                showState(State::failed, tr("It was cancelled."));
            else showState(State::failed, tipText(error.what()));
        });
}

void MemoryPage::showAnswer(Answer answer) {
    const bool isFirst = std::exchange(isNewDocument_, false);
    const MemoryPicturePtr old = std::exchange(picture_, std::move(answer.picture));
    const bool sameSteps = old && old->report.step_nodes == picture_->report.step_nodes;
    if (isFirst) {
        whatIf_->setDimensions(answer.dimensions);
        const auto& report = picture_->report;
        // Weights many times as large would press everything else flat.
        if (auto* box = findChild<QCheckBox*>(QStringLiteral("weightsBand")))
            box->setChecked(report.weight_bytes <= 2 * report.block_bytes);
    }
    if (auto* box = findChild<QCheckBox*>(QStringLiteral("measuredLine")))
        box->setEnabled(!picture_->measured.empty());
    card_->setPicture(*picture_, conditionsText());
    const int before = cursorStep();
    history_->setPicture(picture_);
    map_->setPicture(picture_);
    lifetimes_->setRows(std::move(answer.rows));
    showCopies();
    showContexts();
    showState(State::done);
    setCursorStep(sameSteps && !isFirst ? before : int(picture_->report.peak_step));
    showFocus(workbench_.focus());
    showApplicable();
    if (old) workbench_.jobs().releaseLater(old);
    startEffects();
    emit pictureChanged();
}

QString MemoryPage::conditionsText() const {
    const MemoryAssumptions& assumptions = picture_->report.assumptions;
    app::InputSizes sizes(assumptions.dimensions.begin(), assumptions.dimensions.end());
    sizes.insert(picture_->report.assumed.begin(), picture_->report.assumed.end());
    const int threads =
        assumptions.threads > 0 ? assumptions.threads : workbench_.conditions().threads;
    return app::conditionsText(workbench_.recipeInForce(), threads, sizes);
}

/// Shows the table only if there is more than one kind of memory.
void MemoryPage::showCopies() {
    copies_->setCopies(picture_->copies);
    const int at = tabs_->indexOf(copies_);
    const bool wanted = !picture_->memories.empty();
    if (wanted && at < 0) tabs_->addTab(copies_, tr("&Copies"));
    else if (!wanted && at >= 0) tabs_->removeTab(at);
    if (!wanted) copies_->hide();
}

/// Shows memory by context only of decoders.
void MemoryPage::showContexts() {
    const bool wanted = workbench_.opened() && workbench_.generating().refusal().isEmpty();
    const int at = tabs_->indexOf(contexts_);
    contexts_->setVariant(wanted ? variant_ : nullptr, picture_->report.assumptions);
    if (wanted && at < 0) tabs_->addTab(contexts_, tr("By conte&xt"));
    else if (!wanted && at >= 0) tabs_->removeTab(at);
    if (!wanted) contexts_->hide();
}

void MemoryPage::startEffects() {
    effectsJob_.start<MemoryEffects>(
        workbench_.jobs(), tr("Memory with other settings"),
        [engine = &workbench_.engine(), job = plannedUnder(picture_->report.assumptions),
         picture = picture_](const Progress& progress) {
            return effectsOf(*engine, job, picture->report, progress);
        },
        [this](MemoryEffects effects) { whatIf_->setEffects(effects); }, [](const Error&) {});
}

void MemoryPage::showState(State state, const QString& reason) {
    state_ = state;
    for (QAction* action : actions_) action->setEnabled(state == State::done);
    if (state == State::done) return stack_->setCurrentWidget(content_);
    stack_->setCurrentWidget(empty_);
    empty_->showProgress(state == State::working);
    switch (state) {
    case State::nothingOpen:
        empty_->setMessage(QStringLiteral("memory"), tr("No model is open"),
                           tr("Open an ONNX model or take a sample from the start page: you will "
                              "see what it holds in "
                              "memory and why. Nothing has to run."));
        empty_->setButton(QStringLiteral("open"), tr("Open …"));
        break;
    case State::working:
        empty_->setMessage(QStringLiteral("memory"), tr("Planning memory …"), {});
        empty_->setButton({}, {});
        break;
    case State::failed:
        empty_->setMessage(QStringLiteral("error"),
                           tr("The memory of this model cannot be computed"), reason);
        empty_->setButton(QStringLiteral("memory"), tr("Try again"));
        break;
    case State::done: break;
    }
}

void MemoryPage::setCursorStep(int step) {
    if (!picture_ || picture_->steps() == 0) return;
    history_->setCursorStep(step);
    map_->setCursorStep(step);
    const auto at = std::size_t(history_->cursorStep());
    const MemoryReport& report = picture_->report;
    alive_->setRows(rowsAlive(picture_, at));
    alive_->setSentence((at == report.peak_step ? tr("Step %1 (the peak): %2 in use, %3 held; %4")
                                                : tr("Step %1: %2 in use, %3 held; %4"))
                            .arg(formatCount(qint64(at)), formatBytes(report.moments[at].used()),
                                 formatBytes(report.block_bytes), labelText(report.steps[at])));
    alive_->selectTensor(map_->selected());
}

void MemoryPage::goToPeak() {
    if (picture_) setCursorStep(int(picture_->report.peak_step));
}

bool MemoryPage::isInDocument(const TensorLifetime& tensor) const {
    const app::DocumentPtr document = workbench_.document();
    return document && tensor.value && document->model->graph.is_alive(tensor.value) &&
           document->model->graph.value(tensor.value).name == tensor.name;
}

void MemoryPage::pick(int tensor, const QObject* by) {
    const TensorLifetime& t = picture_->report.tensors[std::size_t(tensor)];
    if (by != map_) map_->select(tensor);
    if (by == lifetimes_) {
        const auto step = std::size_t(cursorStep());
        if (step < t.first_step || step > t.last_step) setCursorStep(int(t.first_step));
    }
    if (by != alive_) alive_->selectTensor(tensor);
    if (by != lifetimes_) lifetimes_->selectTensor(tensor);
    emit statusMessage(sentenceOf(picture_->report, std::size_t(tensor)));
    const QScopedValueRollback guard(settingFocus_, true);
    if (isInDocument(t)) workbench_.focusValue(t.value);
    else if (const NodeId writer = workbench_.model().shownNode(*study_->model(), t.writer))
        workbench_.focusNode(writer);
}

void MemoryPage::goToGraph(int tensor) {
    const TensorLifetime& t = picture_->report.tensors[std::size_t(tensor)];
    pick(tensor, nullptr);
    if (isInDocument(t) || workbench_.model().shownNode(*study_->model(), t.writer))
        emit pageRequested(QStringLiteral("graph"));
    else
        emit statusMessage(
            tr("This tensor is made by the session itself and is not part of the open model."));
}

void MemoryPage::goToStep(int step) {
    if (!picture_ || step < 0 || std::size_t(step) >= picture_->steps()) return;
    const NodeId node = workbench_.model().shownNode(
        *study_->model(), picture_->report.step_nodes[std::size_t(step)]);
    if (!node) return emit statusMessage(tr("This step is not a node of the open model."));
    workbench_.focusNode(node);
    emit pageRequested(QStringLiteral("graph"));
}

void MemoryPage::showFocus(const app::Focus& focus) {
    if (!picture_ || settingFocus_ || focus.body) return;
    if (focus.value) {
        const std::ptrdiff_t tensor = picture_->tensorOf(focus.value);
        map_->select(tensor);
        if (tensor >= 0) {
            const TensorLifetime& t = picture_->report.tensors[std::size_t(tensor)];
            if (std::size_t(cursorStep()) < t.first_step || std::size_t(cursorStep()) > t.last_step)
                setCursorStep(int(t.first_step));
        }
        alive_->selectTensor(tensor);
        lifetimes_->selectTensor(tensor);
    } else if (focus.node) {
        const auto& nodes = picture_->report.step_nodes;
        const NodeId ran = workbench_.model().ranNode(*study_->model(), focus.node);
        if (const auto at = std::find(nodes.begin(), nodes.end(), ran); at != nodes.end())
            setCursorStep(int(at - nodes.begin()));
    }
}

void MemoryPage::showApplicable() {
    const MemoryAssumptions &now = whatIf_->assumptions(), settings = assumptionsOfRunSettings();
    const bool differs = now.threads != settings.threads || now.dimensions != settings.dimensions ||
                         now.plan != settings.plan || now.arena != settings.arena;
    whatIf_->setApplicable(
        differs, differs ? tr("Plan, arena, threads and sizes as here, from the next run on; "
                              "sharing and fusing have no setting")
                         : tr("The run settings say the same of plan, arena, threads and sizes"));
}

void MemoryPage::applyToRunSettings() {
    app::RunSettings settings = workbench_.runSettings();
    const MemoryAssumptions& now = whatIf_->assumptions();
    settings.resources.threads = now.threads;
    settings.dimensions = now.dimensions;
    for (const auto& [key, on] : {std::pair{plan_key, now.plan}, std::pair{arena_key, now.arena}})
        if (on) settings.resources.config.erase(key);
        else settings.resources.config[key] = "0";
    const MemoryAssumptions kept = now;
    workbench_.setRunSettings(settings);
    whatIf_->setAssumptions(kept);
    showApplicable();
    emit statusMessage(tr("Applied: press F5 to run with these settings."));
}

QImage MemoryPage::drawn() {
    const qreal ratio = devicePixelRatioF();
    const QSize size(std::max(history_->width(), map_->width()),
                     history_->height() + map_->height());
    QImage image(size * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(themeColors(palette()).canvas);
    QPainter painter(&image);
    history_->render(&painter, {0, 0});
    map_->render(&painter, {0, history_->height()});
    return image;
}

void MemoryPage::savePicture(const QString& path) {
    if (!picture_) return;
    const QPointer<MemoryPage> page(this);
    workbench_.jobs().start<bool>(
        tr("Save %1").arg(QFileInfo(path).fileName()),
        [image = drawn(), path](const Progress&) {
            if (!image.save(path, "PNG"))
                fail(ErrorCode::io_failure,
                     "cannot write the picture \"" + path.toStdString() + "\"");
            return true;
        },
        [page, path](bool) {
            if (page) emit page->statusMessage(tr("Saved the picture %1.").arg(path));
        },
        [page](const Error& error) {
            if (page) emit page->statusMessage(tipText(error.what()));
        });
}

void MemoryPage::saveTable(const QString& path) {
    if (!picture_) return;
    const QPointer<MemoryPage> page(this);
    workbench_.jobs().start<bool>(
        tr("Save %1").arg(QFileInfo(path).fileName()),
        [picture = picture_, path](const Progress&) {
            writeLifetimes(picture->report, path.toStdString());
            return true;
        },
        [page, path](bool) {
            if (page) emit page->statusMessage(tr("Saved the table %1.").arg(path));
        },
        [page](const Error& error) {
            if (page) emit page->statusMessage(tipText(error.what()));
        });
}

}  // namespace lapidary::views
