// SPDX-License-Identifier: GPL-3.0-or-later
#include "checklist/checklist_page.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

#include "panels/notes_panel.h"
#include "theme/theme.h"
#include "widgets/cards/empty_state.h"
#include "widgets/visible_tabs.h"
#include "widgets/table/wrapping_delegate.h"
#include "workbench/text/bounded_text.h"
#include "workbench/project/project.h"
#include "workbench/tuning/level_trial.h"

namespace lapidary::views {
namespace {

constexpr int refresh_delay_ms = 150;
constexpr int most_lines = 3;           // of a cell
constexpr std::size_t most_places = 8;  // listed of a check
constexpr int longest_column = 30;      // in average characters; what is longer breaks

QString stateText(AdviceState state) {
    switch (state) {
    case AdviceState::worth_doing: return ChecklistPage::tr("\u25cf Worth doing");
    case AdviceState::unknown: return ChecklistPage::tr("? Not known yet");
    case AdviceState::done: return ChecklistPage::tr("\u2713 Done");
    case AdviceState::no_gain: break;
    }
    return ChecklistPage::tr("\u2013 Gains nothing");
}

QString worded(const std::string& text) { return sentenceText(std::string_view(text)); }

/// The title, behind the group that the check is one of.
QString titleText(const Advice& advice) {
    return advice.group == "export" ? ChecklistPage::tr("Export: %1").arg(worded(advice.title))
                                    : worded(advice.title);
}

/// The finding, and the places behind the first, which it names.
QString findingText(const Advice& advice) {
    QString text = worded(advice.finding);
    for (std::size_t i = 1; i < std::min(advice.places.size(), most_places); ++i)
        text += QStringLiteral("\n\u2022 %1: %2")
                    .arg(worded(advice.places[i].text), worded(advice.places[i].reason));
    return text;
}

const Column<Advice> advice_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "State"),
     [](const Advice& a) -> QVariant { return int(a.state); },
     [](const Advice& a) { return stateText(a.state); },
     {},
     {},
     Qt::AlignLeft | Qt::AlignVCenter},
    {QT_TRANSLATE_NOOP("Columns", "Check"),
     [](const Advice& a) -> QVariant { return titleText(a); }},
    {QT_TRANSLATE_NOOP("Columns", "Expected gain"),
     [](const Advice& a) -> QVariant { return a.gain.share; },
     [](const Advice& a) { return worded(a.gain.text); }},
    {QT_TRANSLATE_NOOP("Columns", "Finding"),
     [](const Advice& a) -> QVariant { return worded(a.finding); }},
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
    : Page(parent), workbench_(workbench), model_(advice_columns), stack_(new QStackedWidget),
      empty_(new EmptyState) {
    setObjectName(QStringLiteral("checklistPage"));
    model_.setRows(std::vector<Advice>());
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
    connect(&workbench_.checklist(), &app::Checklist::changed, this, later);
    connect(&workbench_, &app::Workbench::openedChanged, this, &ChecklistPage::refresh);
    connect(&workbench_, &app::Workbench::documentChanged, this,
            &ChecklistPage::lookCloselyIfVisible);
    connect(&workbench_, &app::Workbench::runSettingsChanged, this,
            &ChecklistPage::lookCloselyIfVisible);
    refresh();
}

ChecklistPage::~ChecklistPage() = default;

QWidget* ChecklistPage::makeContent() {
    summary_ = new QLabel;
    summary_->setObjectName(QStringLiteral("checklistSummary"));
    summary_->setFont(scaledFont(1.1, true));
    summary_->setContentsMargins(12, 10, 12, 6);
    summary_->setWordWrap(true);
    all_ = new QCheckBox(tr("Show what gains &nothing"));
    all_->setObjectName(QStringLiteral("showAllChecks"));
    all_->setToolTip(tr(
        "Lists the checks that do not concern this model or gain nothing, each with the reason"));
    connect(all_, &QCheckBox::toggled, this, &ChecklistPage::refresh);

    table_ = new TableView(tr("Checks"));
    table_->setObjectName(QStringLiteral("checklistTable"));
    table_->setModel(&model_);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setTextElideMode(Qt::ElideRight);
    table_->setItemDelegate(new WrappingDelegate(*table_, most_lines));
    table_->setSortingEnabled(true);
    table_->header()->setSortIndicator(-1, Qt::AscendingOrder);  // the most important first
    model_.sort(-1);
    table_->header()->setStretchLastSection(true);  // the finding, which is longest
    table_->setEmptyText(tr("Looking at the model …"));
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        showDetails();
        if (table_->hasFocus()) kept_->setCurrentIndex(0);
    });
    connect(table_, &QTreeView::activated, this,
            [this](const QModelIndex& at) { act(labelText(model_.row(at.row()).id)); });

    runs_ = new KeptRuns(workbench_);
    kept_ = new QTabWidget;
    keepTabsVisible(*kept_);
    kept_->setObjectName(QStringLiteral("keptTabs"));
    kept_->setDocumentMode(true);
    kept_->setAccessibleName(tr("The chosen check, and what the project keeps"));
    kept_->addTab(makeDetails(), themedIcon(QStringLiteral("check")), tr("&Why and how"));
    kept_->addTab(runs_, themedIcon(QStringLiteral("clock")), tr("&Runs kept"));
    kept_->addTab(new NotesPanel(workbench_, QStringLiteral("projectNotes")),
                  themedIcon(QStringLiteral("file")), tr("N&otes"));

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
    auto* top = new QHBoxLayout;
    top->addWidget(summary_, 1);
    top->addWidget(all_);
    top->addSpacing(12);
    column->addLayout(top);
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
        if (const QModelIndex at = table_->currentIndex(); at.isValid())
            act(labelText(model_.row(at.row()).id));
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
    workbench_.checklist().lookClosely();
    refresh();
    if (stack_->currentIndex() == 1 && !isAncestorOf(QApplication::focusWidget()))
        table_->setFocus();
}

/// Memory is planned only while the page is visible, because it takes longer than the rest.
void ChecklistPage::lookCloselyIfVisible() {
    if (isVisible()) workbench_.checklist().lookClosely();
}

void ChecklistPage::refresh() {
    refreshing_.stop();
    if (!workbench_.opened()) {
        empty_->setMessage(QStringLiteral("check"), tr("No model is open"),
                           tr("Open an ONNX model to see what is worth doing with it: what was "
                              "tried, what was not, "
                              "and what it may gain."));
        empty_->setButton(QStringLiteral("open"), tr("Open …"));
        stack_->setCurrentIndex(0);
        model_.setRows(std::vector<Advice>());
        emit badgeChanged(0, {});
        emit refreshed();
        return;
    }
    stack_->setCurrentIndex(1);
    const QModelIndex current = table_->currentIndex();
    const auto keyOf = [](const Advice& row) { return std::pair(row.id, row.state); };
    // Keeps the selected advice, or selects the next one if it is done.
    const auto chosen =
        current.isValid() ? std::optional(keyOf(model_.row(current.row()))) : std::nullopt;
    std::vector<Advice> rows = workbench_.checklist().advice();
    const auto count = [&](AdviceState state) {
        return int(std::ranges::count(rows, state, &Advice::state));
    };
    const int open = count(AdviceState::worth_doing);
    QStringList parts;
    const auto part = [&](const QString& text, int number) {
        if (number > 0) parts << text.arg(number);
    };
    part(tr("%1 worth doing"), open);
    part(tr("%1 not known yet"), count(AdviceState::unknown));
    part(tr("%1 done"), count(AdviceState::done));
    part(tr("%1 gain nothing"), count(AdviceState::no_gain));
    const app::VariantPtr judged = workbench_.checklist().judged();
    summary_->setText(
        rows.empty() || !judged
            ? tr("Looking at the model …")
            : tr("%1: %2").arg(labelText(judged->name), parts.join(QStringLiteral(" · "))));
    if (!all_->isChecked())
        std::erase_if(rows, [](const Advice& a) { return a.state == AdviceState::no_gain; });
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

/// The column of findings gets the remaining width, which is most of it.
void ChecklistPage::setWidths() {
    const int most = table_->fontMetrics().averageCharWidth() * longest_column;
    for (int column = 0; column < 3; ++column) {
        table_->resizeColumnToContents(column);
        table_->header()->resizeSection(column,
                                        qMin(table_->header()->sectionSize(column) + 8, most));
    }
}

void ChecklistPage::showDetails() {
    const QModelIndex at = table_->currentIndex();
    const bool any = at.isValid() && at.row() < model_.rowCount();
    for (QLabel* label : {title_, finding_, why_, how_})
        if (!any) label->clear();
    button_->setVisible(any && model_.row(at.row()).action != AdviceAction::none);
    if (!any) return;
    const Advice& row = model_.row(at.row());
    const bool open = row.state == AdviceState::worth_doing || row.state == AdviceState::unknown;
    title_->setText(titleText(row));
    const QString gain = open ? tr("%1\nExpected gain: %2") : tr("%1\nIt brought: %2");
    finding_->setText(row.gain.text.empty() ? findingText(row)
                                            : gain.arg(findingText(row), worded(row.gain.text)));
    why_->setText(worded(row.why));
    how_->setText(worded(row.how));
    button_->setText(guardJob_ && row.action == AdviceAction::guard ? tr("Cancel")
                     : open                                         ? worded(row.button)
                                                                    : tr("Show"));
    button_->setIcon(themedIcon(open ? QStringLiteral("run") : QStringLiteral("next")));
    button_->setDefault(open);
    button_->setToolTip(worded(row.how));
}

void ChecklistPage::act(const QString& id) {
    const std::vector<Advice> all = workbench_.checklist().advice();
    const auto at = std::ranges::find(all, id.toStdString(), &Advice::id);
    if (at == all.end()) return;
    switch (at->action) {
    case AdviceAction::none: return;
    case AdviceAction::show_page: return emit pageRequested(labelText(at->page));
    case AdviceAction::run: return workbench_.startRun();
    case AdviceAction::guard: return guard();
    case AdviceAction::show_node:
        if (const auto judged = workbench_.checklist().judged())
            if (const NodeId shown = workbench_.model().shownNode(*judged->model, at->node))
                workbench_.focusNode(shown);
        return emit pageRequested(QStringLiteral("graph"));
    case AdviceAction::show_place:
        if (const app::DocumentPtr opened = workbench_.opened())
            if (const NodeId shown = workbench_.model().shownNode(*opened->model, at->node))
                workbench_.focusNode(shown);
        return emit pageRequested(QStringLiteral("graph"));
    case AdviceAction::fix_dimensions: break;
    }
    app::Recipe recipe = workbench_.project().recipe();
    recipe.dimensions = workbench_.checklist().sizesToFix();
    workbench_.project().setRecipe(recipe, tr("fix the sizes of free dimensions"));
    emit pageRequested(QStringLiteral("optimize"));
}

void ChecklistPage::guard() {
    if (guardJob_) return guardJob_.cancel();
    const app::VariantPtr variant = workbench_.checklist().judged();
    if (!variant || variant->isOriginal()) return;
    guardJob_.start<GuardReport>(
        workbench_.jobs(), tr("Compare %1 with the original").arg(variant->name),
        [engine = &workbench_.engine(),
         job = app::guardJobOf(workbench_.model(), *variant, workbench_.runSettings())](
            const Progress& progress) { return engine->call(job, progress); },
        [this, variant](const GuardReport& report) {
            workbench_.project().addGuard(variant, report);
            refresh();
        },
        [this](const Error& error) {
            emit statusMessage(
                error.code() == ErrorCode::cancelled
                    ? tr("The comparison was cancelled.")
                    : tr("The original does not run: %1").arg(tipText(error.what())));
            refresh();
        });
    showDetails();
}

}  // namespace lapidary::views
