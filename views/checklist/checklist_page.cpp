// SPDX-License-Identifier: GPL-3.0-or-later
#include "checklist/checklist_page.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

#include <lapidary/guard.h>

#include "panels/notes_panel.h"
#include "theme/theme.h"
#include "widgets/empty_state.h"
#include "widgets/wrapping_delegate.h"
#include "workbench/bounded_text.h"
#include "workbench/comparison.h"
#include "workbench/planned_memory.h"
#include "workbench/project.h"
#include "workbench/tuning.h"

namespace lapidary::views {
namespace {

constexpr int refresh_delay_ms = 150;
constexpr int most_lines = 3;       // of a cell
constexpr int longest_column = 30;  // in average characters; what is longer breaks
using app::AdviceState;

QString stateText(AdviceState state) {
    switch (state) {
    case AdviceState::worthDoing: return ChecklistPage::tr("\u25cf Worth doing");
    case AdviceState::unknown: return ChecklistPage::tr("? Not known yet");
    case AdviceState::done: return ChecklistPage::tr("\u2713 Done");
    case AdviceState::notApplicable: break;
    }
    return ChecklistPage::tr("\u2013 Not applicable");
}

const Column<AdviceRow> advice_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "State"),
     [](const AdviceRow& r) -> QVariant { return int(r.advice.state); },
     [](const AdviceRow& r) { return stateText(r.advice.state); },
     {},
     {},
     Qt::AlignLeft | Qt::AlignVCenter},
    {QT_TRANSLATE_NOOP("Columns", "Check"), [](const AdviceRow& r) -> QVariant { return r.text.title; }},
    {QT_TRANSLATE_NOOP("Columns", "Expected gain"), [](const AdviceRow& r) -> QVariant { return r.advice.gain; }},
    {QT_TRANSLATE_NOOP("Columns", "Finding"), [](const AdviceRow& r) -> QVariant { return r.advice.finding; }},
};

QLabel* paragraph() {
    auto* label = new QLabel;
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

}  // namespace

ChecklistPage::ChecklistPage(app::Workbench& workbench, QWidget* parent)
    : Page(parent), workbench_(workbench), model_(advice_columns), stack_(new QStackedWidget), empty_(new EmptyState) {
    setObjectName(QStringLiteral("checklistPage"));
    model_.setRows(std::vector<AdviceRow>());
    stack_->addWidget(empty_);
    stack_->addWidget(makeContent());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(stack_);
    connect(empty_, &EmptyState::clicked, this, &ChecklistPage::openRequested);

    refreshing_.setSingleShot(true);
    refreshing_.setInterval(refresh_delay_ms);
    connect(&refreshing_, &QTimer::timeout, this, &ChecklistPage::refresh);
    const auto later = [this] {
        if (!refreshing_.isActive()) refreshing_.start();
    };
    app::Project& project = workbench_.project();
    connect(&workbench_, &app::Workbench::openedChanged, this, &ChecklistPage::lookAtModel);
    connect(&workbench_, &app::Workbench::documentChanged, this, [this, later] {
        if (isVisible()) lookAtMemory();
        later();
    });
    connect(&workbench_, &app::Workbench::runChanged, this, later);
    connect(&workbench_, &app::Workbench::runSettingsChanged, this, [this, later] {
        if (isVisible()) lookAtMemory();
        later();
    });
    connect(&workbench_.variants(), &app::VariantStore::listChanged, this, later);
    connect(&workbench_.tuning(), &app::Tuning::changed, this, later);
    connect(&project, &app::Project::figuresChanged, this, later);
    connect(&project, &app::Project::recipeChanged, this, later);
    refresh();
}

ChecklistPage::~ChecklistPage() = default;

QWidget* ChecklistPage::makeContent() {
    summary_ = new QLabel;
    summary_->setObjectName(QStringLiteral("checklistSummary"));
    summary_->setFont(scaledFont(1.1, true));
    summary_->setContentsMargins(12, 10, 12, 6);
    summary_->setWordWrap(true);

    table_ = new TableView(tr("Checks"));
    table_->setObjectName(QStringLiteral("checklistTable"));
    table_->setModel(&model_);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setTextElideMode(Qt::ElideRight);
    table_->setItemDelegate(new WrappingDelegate(*table_, most_lines));
    table_->setSortingEnabled(true);
    table_->header()->setSortIndicator(-1, Qt::AscendingOrder);  // what matters most first
    model_.sort(-1);
    table_->header()->setStretchLastSection(true);  // the finding, which is longest
    table_->setEmptyText(tr("Looking at the model …"));
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        showDetails();
        if (table_->hasFocus()) kept_->setCurrentIndex(0);
    });
    connect(table_, &QTreeView::activated, this,
            [this](const QModelIndex& at) { act(model_.row(at.row()).advice.id); });

    runs_ = new KeptRuns(workbench_);
    kept_ = new QTabWidget;
    kept_->setObjectName(QStringLiteral("keptTabs"));
    kept_->setDocumentMode(true);
    kept_->setAccessibleName(tr("The chosen check, and what the project keeps"));
    kept_->addTab(makeDetails(), themedIcon(QStringLiteral("check")), tr("&Why and how"));
    kept_->addTab(runs_, themedIcon(QStringLiteral("clock")), tr("&Runs kept"));
    kept_->addTab(new NotesPanel(workbench_, QStringLiteral("projectNotes")), themedIcon(QStringLiteral("file")),
                  tr("N&otes"));

    auto* whole = new QSplitter(Qt::Vertical);
    whole->addWidget(table_);
    whole->addWidget(kept_);
    whole->setStretchFactor(0, 1);
    whole->setStretchFactor(1, 0);
    whole->setSizes({400, 190});
    whole->setChildrenCollapsible(false);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(summary_);
    column->addWidget(whole, 1);
    return content;
}

QWidget* ChecklistPage::makeDetails() {
    title_ = paragraph();
    title_->setFont(scaledFont(1.15, true));
    finding_ = paragraph();
    why_ = paragraph();
    how_ = paragraph();
    button_ = new QPushButton;
    button_->setObjectName(QStringLiteral("doIt"));
    button_->setMinimumSize(160, button_->sizeHint().height() + 6);
    connect(button_, &QPushButton::clicked, this, [this] {
        if (const QModelIndex at = table_->currentIndex(); at.isValid()) act(model_.row(at.row()).advice.id);
    });
    const auto heading = [](const QString& text) {
        auto* label = new QLabel(text);
        label->setFont(scaledFont(0.95, true));
        label->setForegroundRole(QPalette::PlaceholderText);
        return label;
    };
    auto* body = new QWidget;
    auto* both = new QHBoxLayout(body);
    both->setContentsMargins(12, 10, 12, 10);
    both->setSpacing(24);
    const auto addColumn = [&] {
        auto* column = new QVBoxLayout;
        column->setSpacing(6);
        both->addLayout(column, 1);
        return column;
    };
    auto* what = addColumn();
    what->addWidget(title_);
    what->addWidget(finding_);
    what->addSpacing(4);
    what->addWidget(button_, 0, Qt::AlignLeft);
    what->addStretch();
    auto* reasons = addColumn();
    reasons->addWidget(heading(tr("Why")));
    reasons->addWidget(why_);
    reasons->addSpacing(4);
    reasons->addWidget(heading(tr("How")));
    reasons->addWidget(how_);
    reasons->addStretch();
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(tr("About the chosen check"));
    scroll->setWidget(body);
    return scroll;
}

void ChecklistPage::shown() {
    lookAtMemory();
    refresh();
    if (stack_->currentIndex() == 1 && !isAncestorOf(QApplication::focusWidget())) table_->setFocus();
}

void ChecklistPage::lookAtModel() {
    facts_ = nullptr;
    job_.drop();
    const app::DocumentPtr opened = workbench_.opened();
    if (opened) {
        using Facts = std::shared_ptr<const app::ModelFacts>;
        job_.start<Facts>(
            workbench_.jobs(), tr("Look for advice"),
            [model = opened->model](const Progress&) {
                return std::make_shared<const app::ModelFacts>(app::factsOf(*model));
            },
            [this](Facts facts) {
                facts_ = std::move(facts);
                refresh();
            },
            [this](const Error& error) {
                if (error.code() != ErrorCode::cancelled) emit statusMessage(tipText(error.what()));
            });
    }
    refresh();
}

/// Planning memory takes longer than the rest: only for those who look.
void ChecklistPage::lookAtMemory() {
    const app::DocumentPtr document = workbench_.document();
    const ModelPtr model = document ? document->model : nullptr;
    const MemoryAssumptions assumptions =
        document ? app::assumptionsOf(workbench_.sourceOf(document->variant), workbench_.runSettings())
                 : MemoryAssumptions();
    if (model == peakModel_ && assumptions == peakAssumptions_) return;
    peakJob_.drop();
    peak_ = nullptr;
    peakModel_ = model;
    peakAssumptions_ = assumptions;
    if (!model) return;
    using Peak = std::shared_ptr<const app::PeakTensor>;
    peakJob_.start<Peak>(
        workbench_.jobs(), tr("Plan the memory of %1").arg(document->title),
        [model, assumptions](const Progress& progress) {
            return std::make_shared<const app::PeakTensor>(
                app::peakTensor(memory_report(model, assumptions, progress)));
        },
        [this](Peak peak) {
            peak_ = std::move(peak);
            refresh();
        },
        [this](const Error&) {
            // a model that cannot be compiled: the first check says why
            peak_ = std::make_shared<const app::PeakTensor>();
            refresh();
        });
}

app::AdvisorInput ChecklistPage::input() const {
    app::AdvisorInput in;
    const app::DocumentPtr opened = workbench_.opened();
    if (!opened) return in;
    in.opened = opened->model;
    in.summary = &opened->summary;
    in.facts = facts_;
    in.peak = peak_;
    in.variants = workbench_.variants().list();
    in.chosen = workbench_.project().recipe();
    in.run = workbench_.run() && workbench_.run()->model ? workbench_.run() : nullptr;
    in.runs = workbench_.project().runs();
    in.guards = workbench_.project().guards();
    in.sweep = workbench_.tuning().result();
    in.settings = workbench_.runSettings();
    static const int cores = machine_info().cores;
    in.cores = cores;
    return in;
}

void ChecklistPage::refresh() {
    refreshing_.stop();
    if (const QString locale = QLocale().name(); locale != locale_) {
        locale_ = locale;
        texts_ = loadAdviceTexts(locale);
    }
    if (!workbench_.opened()) {
        empty_->setMessage(QStringLiteral("check"), tr("No model is open"),
                           tr("Open an ONNX model to see what is worth doing with it: what was tried, what was not, "
                              "and what it may gain."));
        empty_->setButton(QStringLiteral("open"), tr("Open …"));
        stack_->setCurrentIndex(0);
        model_.setRows(std::vector<AdviceRow>());
        emit badgeChanged(0, {});
        emit refreshed();
        return;
    }
    stack_->setCurrentIndex(1);
    const QModelIndex current = table_->currentIndex();
    const auto keyOf = [](const AdviceRow& row) { return std::pair(row.advice.id, row.advice.state); };
    // What was chosen stays chosen, until it is done: then the next point is.
    const auto chosen = current.isValid() ? std::optional(keyOf(model_.row(current.row()))) : std::nullopt;
    std::vector<AdviceRow> rows;
    for (app::Advice& advice : app::advise(input())) {
        const AdviceText text = texts_.value(advice.id, {AdviceSeverity::useful, advice.id, {}, {}, {}, 0});
        rows.push_back({std::move(advice), text});
    }
    std::ranges::stable_sort(
        rows, {}, [](const AdviceRow& r) { return std::tuple(r.advice.state, r.text.severity, r.text.order); });
    const auto count = [&](AdviceState state) {
        return int(std::ranges::count_if(rows, [&](const AdviceRow& r) { return r.advice.state == state; }));
    };
    const int open = count(AdviceState::worthDoing);
    QStringList parts;
    const auto part = [&](const QString& text, int number) {
        if (number > 0) parts << text.arg(number);
    };
    part(tr("%1 worth doing"), open);
    part(tr("%1 not known yet"), count(AdviceState::unknown));
    part(tr("%1 done"), count(AdviceState::done));
    part(tr("%1 not applicable"), count(AdviceState::notApplicable));
    summary_->setText(rows.empty() ? tr("Looking at the model …") : parts.join(QStringLiteral(" · ")));
    const bool first = model_.rowCount() == 0;
    model_.setRows(std::move(rows));
    if (first && model_.rowCount() > 0) setWidths();
    int line = 0;
    for (int i = 0; i < model_.rowCount(); ++i)
        if (chosen == keyOf(model_.row(i))) line = i;
    if (model_.rowCount() > 0) table_->setCurrentIndex(model_.index(line, 0));
    showDetails();
    emit badgeChanged(open, tr("%n thing(s) worth doing", nullptr, open));
    emit refreshed();
}

/// The finding gets what the others leave, and that is most.
void ChecklistPage::setWidths() {
    const int most = table_->fontMetrics().averageCharWidth() * longest_column;
    for (int column = 0; column < 3; ++column) {
        table_->resizeColumnToContents(column);
        table_->header()->resizeSection(column, qMin(table_->header()->sectionSize(column) + 8, most));
    }
}

void ChecklistPage::showDetails() {
    const QModelIndex at = table_->currentIndex();
    const bool any = at.isValid() && at.row() < model_.rowCount();
    for (QLabel* label : {title_, finding_, why_, how_})
        if (!any) label->clear();
    button_->setVisible(any && model_.row(at.row()).advice.action != app::AdviceAction::none);
    if (!any) return;
    const AdviceRow& row = model_.row(at.row());
    title_->setText(row.text.title);
    finding_->setText(sentenceText(row.advice.gain.isEmpty()
                                       ? row.advice.finding
                                       : tr("%1\nExpected gain: %2").arg(row.advice.finding, row.advice.gain)));
    why_->setText(row.text.why);
    how_->setText(row.text.how);
    const bool open = row.advice.state == AdviceState::worthDoing || row.advice.state == AdviceState::unknown;
    button_->setText(guardJob_ && row.advice.action == app::AdviceAction::guard ? tr("Cancel")
                     : open                                                     ? row.text.button
                                                                                : tr("Show"));
    button_->setIcon(themedIcon(open ? QStringLiteral("run") : QStringLiteral("next")));
    button_->setDefault(open);
    button_->setToolTip(row.text.how);
}

void ChecklistPage::act(const QString& id) {
    const auto at = std::ranges::find_if(rows(), [&](const AdviceRow& r) { return r.advice.id == id; });
    if (at == rows().end()) return;
    const app::Advice advice = at->advice;
    switch (advice.action) {
    case app::AdviceAction::none: return;
    case app::AdviceAction::showPage: return emit pageRequested(advice.page);
    case app::AdviceAction::run: return workbench_.startRun();
    case app::AdviceAction::guard: return guard();
    case app::AdviceAction::showNode:
        if (workbench_.document()->model->graph.is_alive(advice.node)) workbench_.focusNode(advice.node);
        return emit pageRequested(QStringLiteral("graph"));
    case app::AdviceAction::fixDimensions: break;
    }
    app::Recipe recipe = workbench_.project().recipe();
    recipe.dimensions = app::sizesToFix(input());
    workbench_.project().setRecipe(recipe, tr("fix the sizes of free dimensions"));
    emit pageRequested(QStringLiteral("optimize"));
}

void ChecklistPage::guard() {
    if (guardJob_) return guardJob_.cancel();
    const app::VariantPtr variant = app::optimizedVariant(input());
    if (!variant) return;
    GuardOptions options;
    options.dimensions = variant->recipe.dimensions;
    options.session_passes = variant->recipe.sessionPasses();
    options.threads = workbench_.runSettings().threads;
    for (const auto& [name, size] : workbench_.runSettings().dimensions)
        if (size > 0) options.dimensions.emplace(name, size);
    guardJob_.start<GuardReport>(
        workbench_.jobs(), tr("Compare %1 with the original").arg(variant->name),
        [variant, options, given = workbench_.runSettings().given](const Progress& progress) mutable {
            options.inputs = app::given_values(*variant->parent->model, given, options.dimensions);
            return lapidary::guard(*variant->parent->model, *variant->model, options, progress);
        },
        [this, variant](const GuardReport& report) {
            workbench_.project().addGuard(variant, report);
            refresh();
        },
        [this](const Error& error) {
            emit statusMessage(error.code() == ErrorCode::cancelled
                                   ? tr("The comparison was cancelled.")
                                   : tr("The original does not run: %1").arg(tipText(error.what())));
            refresh();
        });
    showDetails();
}

}  // namespace lapidary::views
