// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/change_panel.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>

#include "models/rows_model.h"
#include "optimize/review/rewrite_review.h"
#include "optimize/rewrite_text.h"
#include "theme/theme.h"
#include "widgets/table/column_width.h"
#include "widgets/table/heat_bar_delegate.h"
#include "widgets/text/quantity.h"
#include "widgets/table/table_export.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {

void ChangeModel::setVariant(app::VariantPtr variant) {
    beginResetModel();
    variant_ = std::move(variant);
    rules_.clear();
    places_.clear();
    if (variant_) {
        const auto& rewrites = variant_->report.rewrites;
        for (std::size_t i = 0; i < rewrites.size(); ++i) {
            auto rule = std::ranges::find(rules_, rewrites[i].rewrite.pass, &RuleRewrites::pass);
            if (rule == rules_.end())
                rule = rules_.insert(rules_.end(), {rewrites[i].rewrite.pass, {}, 0, 0});
            places_.emplace_back(std::uint32_t(rule - rules_.begin()),
                                 std::uint32_t(rule->rewrites.size()));
            rule->rewrites.push_back(i);
            rule->removed += rewrites[i].rewrite.removed.size();
            rule->added += rewrites[i].rewrite.added.size();
        }
    }
    endResetModel();
}

QString ChangeModel::widestText(Column column) const {
    QString widest = column == Step && variant_
                         ? QStringLiteral("#%1").arg(variant_->report.rewrites.size())
                         : QString();
    for (int rule = 0; rule < rowCount(); ++rule) {
        const QString shown = data(index(rule, column), Qt::DisplayRole).toString();
        if (shown.size() > widest.size()) widest = shown;
    }
    return widest;
}

std::size_t ChangeModel::stepAt(const QModelIndex& at) const {
    if (!at.isValid()) return 0;
    if (at.internalId() == 0) return rules_[std::size_t(at.row())].rewrites.front() + 1;
    return rules_[at.internalId() - 1].rewrites[std::size_t(at.row())] + 1;
}

QModelIndex ChangeModel::indexOf(std::size_t step) const {
    if (step == 0 || step > places_.size()) return {};
    const auto [rule, row] = places_[step - 1];
    return index(int(row), 0, index(int(rule), 0));
}

QModelIndex ChangeModel::indexOfPass(const std::string& pass) const {
    const auto rule = std::ranges::find(rules_, pass, &RuleRewrites::pass);
    return rule == rules_.end() ? QModelIndex() : index(int(rule - rules_.begin()), 0);
}

QModelIndex ChangeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row() + 1) : quintptr(0));
}

QModelIndex ChangeModel::parent(const QModelIndex& child) const {
    return child.isValid() && child.internalId() > 0
               ? createIndex(int(child.internalId()) - 1, 0, quintptr(0))
               : QModelIndex();
}

int ChangeModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return int(rules_.size());
    return parent.internalId() == 0 && parent.column() == 0
               ? int(rules_[std::size_t(parent.row())].rewrites.size())
               : 0;
}

QVariant ChangeModel::data(const QModelIndex& at, int role) const {
    if (!checkIndex(at, CheckIndexOption::IndexIsValid)) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (at.column() == Rule ? Qt::AlignLeft : Qt::AlignRight));
    if (at.internalId() == 0) {
        const RuleRewrites& rule = rules_[std::size_t(at.row())];
        if (role == Qt::FontRole) return scaledFont(1.0, true);
        if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
        if (at.column() == Rule) return labelText(rule.pass);
        if (at.column() == Step) return QStringLiteral("%1×").arg(rule.rewrites.size());
        return QStringLiteral("%1 → %2").arg(rule.removed).arg(rule.added);
    }
    const std::size_t i = rules_[at.internalId() - 1].rewrites[std::size_t(at.row())];
    const AppliedRewrite& applied = variant_->report.rewrites[i];
    if (role == Qt::ToolTipRole) return plainToolTip(describeRewrite(*variant_, i + 1));
    if (role == Qt::AccessibleTextRole) return tr("step %1, %2").arg(i + 1).arg(remarkOf(applied));
    if (role != Qt::DisplayRole) return {};
    if (at.column() == Rule) return rewriteLine(*variant_, applied);
    if (at.column() == Step) return QStringLiteral("#%1").arg(i + 1);
    return QStringLiteral("%1 → %2")
        .arg(applied.rewrite.removed.size())
        .arg(applied.rewrite.added.size());
}

QVariant ChangeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (section == Rule ? Qt::AlignLeft : Qt::AlignRight));
    const QString titles[] = {tr("Rule and what it did"), tr("Step"), tr("Nodes")};
    return role == Qt::DisplayRole ? QVariant(titles[section]) : QVariant();
}

ChangePanel::ChangePanel(app::JobRunner& jobs, QWidget* parent)
    : QWidget(parent), view_(new QTreeView), review_(new RewriteReview(jobs)),
      pictures_(new QCheckBox(tr("Pict&ures"))), nothing_(new QLabel) {
    setObjectName(QStringLiteral("changePanel"));
    makeTree();
    pictures_->setObjectName(QStringLiteral("changePictures"));
    pictures_->setToolTip(
        tr("Every rewrite in its order, with the nodes around it before and after"));
    nothing_->setTextFormat(Qt::PlainText);
    nothing_->setWordWrap(true);
    nothing_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    nothing_->setForegroundRole(QPalette::PlaceholderText);
    nothing_->setContentsMargins(12, 12, 12, 12);
    auto* top = new QVBoxLayout;
    top->setContentsMargins(spacing, 4, spacing, 4);
    top->addWidget(pictures_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(nothing_);
    column->addLayout(top);
    column->addWidget(view_, 1);
    column->addWidget(review_, 1);
    connect(pictures_, &QCheckBox::toggled, this, &ChangePanel::showChosen);
    connect(review_, &RewriteReview::stepChosen, this, &ChangePanel::stepChosen);
    showChosen();
}

/// The tree or the cards; neither where nothing was rewritten.
void ChangePanel::showChosen() {
    const bool isEmpty = !nothing_->text().isEmpty();
    nothing_->setVisible(isEmpty);
    pictures_->setVisible(!isEmpty);
    view_->setVisible(!isEmpty && !pictures_->isChecked());
    review_->setVisible(!isEmpty && pictures_->isChecked());
}

void ChangePanel::makeTree() {
    view_->setObjectName(QStringLiteral("changeList"));
    view_->setAccessibleName(tr("Rewrites by rule"));
    installTableMenu(*view_);
    view_->setModel(&model_);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setUniformRowHeights(true);
    view_->setAllColumnsShowFocus(true);
    view_->setAlternatingRowColors(true);
    view_->setIndentation(14);
    view_->setTextElideMode(Qt::ElideMiddle);  // both ends say what a row is about
    view_->setItemDelegate(new HeatBarDelegate(view_));
    view_->header()->setStretchLastSection(false);
    view_->header()->setSectionResizeMode(ChangeModel::Rule, QHeaderView::Stretch);
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& at) {
                if (!quiet_ && at.isValid() && at.parent().isValid())
                    emit stepChosen(model_.stepAt(at));
            });
    // the row is current already, or a rule
    const auto again = [this](const QModelIndex& at) {
        if (at.isValid()) emit stepChosen(model_.stepAt(at));
    };
    connect(view_, &QTreeView::clicked, this, again);
    connect(view_, &QTreeView::activated, this, again);
}

void ChangePanel::setVariant(app::VariantPtr variant) {
    const QScopedValueRollback guard(quiet_, true);
    QString why;
    if (variant && variant->isOriginal()) {
        why =
            tr("This is the model as it was opened. Choose a level above to see what it changes.");
    } else if (variant && variant->report.rewrites.empty()) {
        const auto ran = std::ranges::count_if(variant->report.passes,
                                               [](const PassRun& p) { return p.skipped.empty(); });
        why = tr("Nothing to optimize: 0 of %1 passes match.").arg(ran);
        const auto misses = variant->report.near_misses.size();
        why += QLatin1Char('\n') +
               (misses == 0 ? tr("None came near either: the model holds no pattern they look for.")
                            : tr("%n came near; the tab Near misses says what each lacked.",
                                 nullptr, int(misses)));
    }
    nothing_->setText(sentenceText(why));
    showChosen();
    review_->setVariant(variant);
    model_.setVariant(std::move(variant));
    for (const auto column : {ChangeModel::Step, ChangeModel::Nodes})
        fitColumn(*view_, column, model_.widestText(column));
    if (model_.rowCount() > 0 && model_.rowCount() <= 3) view_->expandAll();
}

void ChangePanel::showStep(std::size_t step) {
    const QScopedValueRollback guard(quiet_, true);
    review_->showStep(step);
    const QModelIndex at = model_.indexOf(step);
    if (!at.isValid()) {
        view_->setCurrentIndex({});
        return;
    }
    if (model_.stepAt(view_->currentIndex()) == step && view_->currentIndex().parent().isValid())
        return;
    view_->setCurrentIndex(at);
    view_->scrollTo(at);
}

void ChangePanel::choosePass(const std::string& pass) {
    const QModelIndex at = model_.indexOfPass(pass);
    if (!at.isValid()) return;
    view_->expand(at);
    view_->setCurrentIndex(model_.index(0, 0, at));
    view_->setFocus();
}

}  // namespace lapidary::views
