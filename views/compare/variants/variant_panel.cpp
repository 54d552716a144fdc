// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/variants/variant_panel.h"

#include <QHeaderView>
#include <QUndoStack>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/cards/message_banner.h"
#include "widgets/flow_layout.h"
#include "widgets/text/mnemonics.h"
#include "workbench/document/run_conditions.h"
#include "workbench/jobs/comparison.h"
#include "workbench/project/project.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr std::size_t most = app::VariantComparison::most;
constexpr std::size_t fewest = app::VariantComparison::fewest;

/// In a menu an ampersand would underline the letter behind it.
QString menuText(const app::Variant& variant) {
    return labelText(variant.name, 60).replace(u'&', QStringLiteral("&&"));
}

}  // namespace

VariantPanel::VariantPanel(app::Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench),
      comparison_(new app::VariantComparison(workbench.model(), workbench.jobs(),
                                             workbench.engine(), this)),
      variants_(new QToolButton), pairs_(new QToolButton),
      start_(new QPushButton(themedIcon(QStringLiteral("run")), tr("Compare all"))),
      verdict_(new QLabel), conditions_(new QLabel), banner_(new MessageBanner),
      view_(new TableView(tr("Variants side by side"))) {
    setObjectName(QStringLiteral("variantPanel"));
    putTogether();
    app::VariantStore& store = workbench_.variants();
    connect(start_, &QPushButton::clicked, this, &VariantPanel::start);
    connect(banner_, &MessageBanner::cancelRequested, comparison_, &app::VariantComparison::cancel);
    connect(view_, &QTreeView::activated, this, [this](const QModelIndex& index) {
        const std::vector<app::VariantPtr> shown = chosen();
        if (index.column() > 1 && std::size_t(index.column()) <= shown.size())
            showPair(shown[std::size_t(index.column()) - 1]);
    });
    connect(comparison_, &app::VariantComparison::changed, this, &VariantPanel::refresh);
    connect(comparison_, &app::VariantComparison::failed, this, [this](const QString& reason) {
        banner_->showMessage(MessageBanner::Kind::error, tr("The variants could not be compared"),
                             reason, reason);
    });
    connect(comparison_, &app::VariantComparison::measured, &workbench_.project(),
            &app::Project::addMeasurement);
    connect(&store, &app::VariantStore::listChanged, this, &VariantPanel::refresh);
    connect(&workbench_.plannedMemory(), &app::PlannedMemory::changed, this,
            &VariantPanel::refresh);
    connect(&workbench_, &app::Workbench::runSettingsChanged, this, &VariantPanel::refresh);
    connect(&workbench_, &app::Workbench::openedChanged, this, [this] {
        leftOut_.clear();
        banner_->hide();
        refresh();
    });
    refresh();
}

void VariantPanel::putTogether() {
    const auto menuButton = [this](QToolButton* button, const char* name, const QString& text,
                                   const QString& tip, void (VariantPanel::*fill)()) {
        button->setObjectName(QLatin1String(name));
        button->setText(text);
        button->setToolTip(plainToolTip(tip));
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setPopupMode(QToolButton::InstantPopup);
        button->setFocusPolicy(Qt::TabFocus);
        auto* menu = new QMenu(button);
        menu->setObjectName(QLatin1String(name) + QStringLiteral("Menu"));
        button->setMenu(menu);
        connect(menu, &QMenu::aboutToShow, this, fill);
    };
    menuButton(variants_, "chooseVariants", tr("Variants"),
               tr("The variants that are columns of the table: two to eight"),
               &VariantPanel::fillVariants);
    menuButton(pairs_, "variantPairs", tr("In detail"),
               tr("Put the first column into slot A and another one into slot B, and show where "
                  "they differ"),
               &VariantPanel::fillPairs);
    start_->setObjectName(QStringLiteral("compareVariants"));
    start_->setToolTip(plainToolTip(
        tr("Measure all columns in turn, and compare their outputs with those of the first")));
    auto* tools = new QWidget;
    auto* bar = new FlowLayout(tools, spacing, 4);
    bar->setContentsMargins(spacing, 4, spacing, 4);
    for (QWidget* widget : std::initializer_list<QWidget*>{variants_, start_, pairs_})
        bar->addWidget(widget);
    verdict_->setObjectName(QStringLiteral("variantVerdict"));
    verdict_->setAccessibleName(tr("Verdict"));
    verdict_->setFont(scaledFont(1.1, true));
    conditions_->setObjectName(QStringLiteral("variantConditions"));
    conditions_->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel* label : {verdict_, conditions_}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setContentsMargins(spacing, 2, spacing, 4);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    view_->setObjectName(QStringLiteral("variantFigures"));
    view_->setModel(&rows_);
    view_->header()->setMinimumSectionSize(fontMetrics().averageCharWidth() * 12);
    view_->header()->setStretchLastSection(false);
    view_->setEmptyText(
        tr("Two variants of the open model are needed. The menu Variants makes the "
           "levels; the pages Optimize and Quantize make others."));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tools);
    layout->addWidget(banner_);
    layout->addWidget(verdict_);
    layout->addWidget(conditions_);
    layout->addWidget(view_, 1);
    banner_->hide();
}

/// Those that can run, levels first. A graph without a level is only drawn: it runs at a level.
std::vector<app::VariantPtr> VariantPanel::offered() const {
    std::vector<app::VariantPtr> found;
    for (const app::VariantPtr& variant : workbench_.variants().list())
        if (variant->recipe.level && variant->faults.empty()) found.push_back(variant);
    std::ranges::stable_sort(found, {}, [](const app::VariantPtr& variant) {
        return std::tuple(!variant->recipe.isPlainLevel(), variant->recipe.level);
    });
    return found;
}

std::vector<app::VariantPtr> VariantPanel::chosen() const {
    std::vector<app::VariantPtr> shown = offered();
    std::erase_if(shown, [this](const app::VariantPtr& variant) {
        return std::ranges::find(leftOut_, variant->recipe) != leftOut_.end();
    });
    if (shown.size() > most) shown.resize(most);
    return shown;
}

/// The newest result if it is of exactly these variants, else null.
const app::VariantsRecord* VariantPanel::recordOf(
    const std::vector<app::VariantPtr>& variants) const {
    const app::VariantsRecordPtr record = comparison_->result();
    const bool isSame =
        record && std::ranges::equal(record->variants, variants, {}, &app::VariantFigures::variant);
    return isSame ? record.get() : nullptr;
}

std::vector<VariantColumn> VariantPanel::columns() const {
    const std::vector<app::VariantPtr> shown = chosen();
    const app::VariantsRecord* record = recordOf(shown);
    std::vector<VariantColumn> made;
    for (std::size_t i = 0; i < shown.size(); ++i)
        made.push_back({shown[i], workbench_.plannedMemory().of(shown[i]),
                        record ? &record->variants[i] : nullptr});
    return made;
}

void VariantPanel::start() {
    banner_->hide();
    comparison_->start(chosen());
}

void VariantPanel::setChosen(const app::VariantPtr& variant, bool isChosen) {
    if (!variant) return;
    std::erase(leftOut_, variant->recipe);
    if (!isChosen) leftOut_.push_back(variant->recipe);
    refresh();
}

void VariantPanel::makeLevels() {
    for (const Level level : {Level::disabled, Level::basic, Level::extended, Level::all}) {
        const app::Recipe recipe = app::Recipe::plain(level);
        std::erase(leftOut_, recipe);
        if (!workbench_.variants().find(recipe)) workbench_.variants().requestAlso(recipe);
    }
    refresh();
}

void VariantPanel::showPair(const app::VariantPtr& variant) {
    const std::vector<app::VariantPtr> shown = chosen();
    if (shown.size() < fewest || !variant || variant == shown.front()) return;
    const app::VariantStore& store = workbench_.variants();
    const app::Comparison& pair = workbench_.comparison();
    if (pair.a() == shown.front() && pair.b() == variant && store.isChosen(app::Slot::A) &&
        store.isChosen(app::Slot::B))
        return emit pairShown();
    QUndoStack& history = workbench_.project().undoStack();
    history.beginMacro(tr("compare %1 with %2")
                           .arg(labelText(variant->name, 60), labelText(shown.front()->name, 60)));
    workbench_.project().setSlot(app::Slot::A, shown.front());
    workbench_.project().setSlot(app::Slot::B, variant);
    history.endMacro();
    emit pairShown();
}

void VariantPanel::fillVariants() {
    QMenu* menu = variants_->menu();
    menu->clear();
    const std::vector<app::VariantPtr> shown = chosen();
    for (const app::VariantPtr& variant : offered()) {
        QAction* action = menu->addAction(menuText(*variant));
        const bool isShown = std::ranges::find(shown, variant) != shown.end();
        action->setCheckable(true);
        action->setChecked(isShown);
        action->setEnabled(isShown || shown.size() < most);
        connect(action, &QAction::triggered, this,
                [this, variant](bool on) { setChosen(variant, on); });
    }
    menu->addSeparator();
    menu->addAction(tr("Make all levels"), this, &VariantPanel::makeLevels)
        ->setEnabled(workbench_.opened() && workbench_.faultText().isEmpty());
    giveMnemonics(*menu);
}

void VariantPanel::fillPairs() {
    QMenu* menu = pairs_->menu();
    menu->clear();
    const std::vector<app::VariantPtr> shown = chosen();
    for (std::size_t i = 1; i < shown.size(); ++i)
        menu->addAction(menuText(*shown[i]), this,
                        [this, variant = shown[i]] { showPair(variant); });
    giveMnemonics(*menu);
}

void VariantPanel::refresh() {
    const std::vector<app::VariantPtr> shown = chosen();
    const bool isEnough = shown.size() >= fewest;
    variants_->setEnabled(workbench_.opened() != nullptr);
    pairs_->setEnabled(isEnough);
    start_->setEnabled(isEnough && !comparison_->isRunning());
    showProgress();
    const std::vector<VariantColumn> made = columns();
    const int before = rows_.columnCount();
    std::vector<QString> names;
    for (const app::VariantPtr& variant : shown) names.push_back(labelText(variant->name));
    rows_.setRows(std::move(names), isEnough ? variantRows(made) : std::vector<VariantRow>());
    const bool isNew = rows_.columnCount() != before || comparison_->isRunning();
    const QAbstractItemView& cells = *view_;  // where the hint is public
    for (int column = 0; column < rows_.columnCount(); ++column)
        if (isNew || cells.sizeHintForColumn(column) > view_->columnWidth(column))
            view_->resizeColumnToContents(column);
    showSentences(made);
    if (!isVisible() || !isEnough) return;
    // A newer request replaces an older one: the pair above the tabs is to be planned, too.
    std::vector<app::VariantPtr> wanted = shown;
    wanted.push_back(workbench_.comparison().a());
    wanted.push_back(workbench_.comparison().b());
    workbench_.plannedMemory().want(wanted);
}

void VariantPanel::showSentences(const std::vector<VariantColumn>& columns) {
    const app::VariantsRecord* record = recordOf(chosen());
    const bool isComplete = record && record->complete;
    const QString fastest = isComplete ? fastestSentence(columns) : QString();
    verdict_->setText(sentenceText(fastest));
    verdict_->setVisible(!fastest.isEmpty());
    QStringList sentences;
    if (record) {
        sentences
            << tr("Measured for this table, apart from the cards above, with %1, threads: %2.")
                   .arg(app::inputsText(record->sizes, record->settings.given))
                   .arg(record->threads);
        if (!isComplete && !comparison_->isRunning())
            sentences << tr("It ended early and is not complete.");
        if (!record->ranOn.isEmpty())
            sentences << tr("It ran on %1.").arg(labelText(record->ranOn));
        if (!(record->settings == workbench_.runSettings()))
            sentences << tr("The run settings have changed since.");
        for (const app::VariantFigures& figures : record->variants)
            if (!figures.failure.isEmpty())
                sentences << QStringLiteral("%1: %2").arg(labelText(figures.variant->name),
                                                          figures.failure);
    } else if (columns.size() >= fewest) {
        sentences << tr("Press Compare all for times and accuracy. %1 is what the others are "
                        "compared with.")
                         .arg(labelText(columns.front().variant->name));
    }
    conditions_->setText(sentenceText(sentences.join(u' ')));
    conditions_->setVisible(!sentences.isEmpty());
}

void VariantPanel::showProgress() {
    const app::Job* job = comparison_->job();
    if (!job) {
        if (banner_->kind() == MessageBanner::Kind::busy) banner_->hide();
        return;
    }
    const auto report = [this, job] {
        if (comparison_->job() != job) return;
        banner_->showMessage(MessageBanner::Kind::busy, tr("Comparing the variants …"),
                             labelText(job->stage()));
        banner_->setFraction(job->fraction());
    };
    if (banner_->isHidden() || banner_->kind() != MessageBanner::Kind::busy)
        connect(job, &app::Job::progressed, banner_, report);
    report();
}

void VariantPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

}  // namespace lapidary::views
