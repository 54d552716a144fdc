// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/pass_list_panel.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/table/column_width.h"
#include "widgets/table/heat_bar_delegate.h"
#include "widgets/table/table_export.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int least_wide = 46;  // characters that names and all figures want

}  // namespace

PassListPanel::PassListPanel(QWidget* parent)
    : QWidget(parent), filter_(new QLineEdit), view_(new QTreeView), details_(new QLabel),
      defaults_(new QPushButton(tr("Defaults"))), rules_(new QToolButton),
      ruleMenu_(new QMenu(rules_)) {
    setObjectName(QStringLiteral("passListPanel"));
    filter_->setObjectName(QStringLiteral("passFilter"));
    filter_->setPlaceholderText(tr("Filter passes, also by ONNX Runtime's names"));
    filter_->setToolTip(filter_->placeholderText());  // which is cut where there is little room
    filter_->setAccessibleName(tr("Filter passes"));
    filter_->setClearButtonEnabled(true);
    defaults_->setObjectName(QStringLiteral("defaultPasses"));
    defaults_->setToolTip(tr("Switch every pass back to its default"));
    rules_->setObjectName(QStringLiteral("passRules"));
    rules_->setToolTip(tr("Files of rewriting rules of your own, which run with every level"));
    rules_->setText(tr("Rules"));
    rules_->setIcon(themedIcon(QStringLiteral("open")));
    rules_->setAccessibleName(tr("Rules"));
    rules_->setPopupMode(QToolButton::InstantPopup);
    rules_->setMenu(ruleMenu_);
    ruleMenu_->setObjectName(QStringLiteral("passRulesMenu"));
    fillRules({});
    proxy_.setSourceModel(&model_);
    proxy_.setFilterRole(PassModel::SearchRole);
    proxy_.setFilterCaseSensitivity(Qt::CaseInsensitive);
    proxy_.setRecursiveFilteringEnabled(true);
    view_->setObjectName(QStringLiteral("passList"));
    view_->setAccessibleName(tr("Passes by level"));
    installTableMenu(*view_);
    view_->setModel(&proxy_);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setUniformRowHeights(true);
    view_->setAllColumnsShowFocus(true);
    view_->setAlternatingRowColors(true);
    view_->setIndentation(12);
    view_->setItemDelegate(new HeatBarDelegate(view_));
    view_->header()->setStretchLastSection(false);
    view_->header()->setSectionResizeMode(PassModel::Name, QHeaderView::Stretch);
    view_->header()->setMinimumSectionSize(30);
    view_->expandAll();
    details_->setObjectName(QStringLiteral("passDetails"));
    details_->setTextFormat(Qt::PlainText);
    details_->setWordWrap(true);
    details_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    details_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    details_->setAccessibleName(tr("About the chosen pass"));
    details_->setContentsMargins(10, 6, 10, 6);
    details_->setMinimumHeight(fontMetrics().lineSpacing() * 6);

    auto* top = new QHBoxLayout;
    top->setContentsMargins(6, 6, 6, 4);
    top->addWidget(filter_, 1);
    top->addWidget(rules_);
    top->addWidget(defaults_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(view_, 1);
    column->addWidget(details_);

    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        proxy_.setFilterFixedString(text.trimmed());
        view_->expandAll();
    });
    connect(&model_, &PassModel::modelReset, view_, &QTreeView::expandAll);
    connect(defaults_, &QPushButton::clicked, this, &PassListPanel::defaultsRequested);
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &PassListPanel::refreshDetails);
    connect(view_, &QTreeView::activated, this, [this](const QModelIndex& at) {
        if (const PassInfo* pass = model_.passAt(proxy_.mapToSource(at)))
            emit passActivated(exactText(pass->name));
    });
    refreshDetails();
}

void PassListPanel::show(const app::Recipe& recipe, app::VariantPtr variant) {
    model_.show(recipe, std::move(variant));
    for (const auto column : {PassModel::Applied, PassModel::Missed, PassModel::Time})
        fitColumn(*view_, column, model_.widestText(column));
    // without a near miss its room is for the names of passes
    view_->setColumnHidden(PassModel::Missed, model_.widestText(PassModel::Missed).isEmpty());
    fillRules(recipe.rules);
    defaults_->setEnabled(!recipe.disabled_passes.empty() || !recipe.enabled_passes.empty());
    refreshDetails();
}

void PassListPanel::fillRules(const std::vector<RuleText>& rules) {
    QStringList files;
    for (const RuleText& text : rules) files << exactText(text.file);
    if (files == ruleFiles_ && !ruleMenu_->isEmpty()) return;  // it may be open
    ruleFiles_ = files;
    ruleMenu_->clear();
    QAction* add = ruleMenu_->addAction(themedIcon(QStringLiteral("open")), tr("&Add a file …"));
    add->setObjectName(QStringLiteral("addRules"));
    connect(add, &QAction::triggered, this, &PassListPanel::chooseRules);
    for (const QString& file : files) {
        QAction* remove =
            ruleMenu_->addAction(tr("Take %1 away").arg(labelText(QFileInfo(file).fileName(), 60)));
        remove->setToolTip(plainToolTip(file));
        // posted, because the menu is filled anew
        connect(
            remove, &QAction::triggered, this, [this, file] { emit rulesRemoved(file); },
            Qt::QueuedConnection);
    }
}

void PassListPanel::chooseRules() {
    auto* dialog = new QFileDialog(this, tr("Rules of your own"));
    dialog->setObjectName(QStringLiteral("rulesFileDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Rules (*.rules *.txt)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &PassListPanel::rulesChosen);
    dialog->open();
}

void PassListPanel::showProblem(const QString& reason) {
    view_->setCurrentIndex({});
    details_->setForegroundRole(QPalette::WindowText);
    details_->setText(sentenceText(QStringLiteral("✕ ") + reason));
}

/// If there is little room, hides less important figures so that names can be read.
void PassListPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const bool isNarrow = width() < fontMetrics().averageCharWidth() * least_wide;
    rules_->setToolButtonStyle(isNarrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    for (const auto column : {PassModel::Missed, PassModel::Time})
        view_->setColumnHidden(column, isNarrow);
}

void PassListPanel::choose(const std::string& pass) {
    filter_->clear();
    const QModelIndex at = proxy_.mapFromSource(model_.indexOf(pass));
    if (!at.isValid()) return;
    view_->setCurrentIndex(at);
    view_->scrollTo(at);
}

void PassListPanel::refreshDetails() {
    const PassInfo* pass = model_.passAt(proxy_.mapToSource(view_->currentIndex()));
    details_->setForegroundRole(pass ? QPalette::WindowText : QPalette::PlaceholderText);
    details_->setText(pass ? model_.describe(*pass)
                           : tr("Choose a pass to read what it does. Space switches it off and on, "
                                "Enter shows what it changed."));
}

}  // namespace lapidary::views
