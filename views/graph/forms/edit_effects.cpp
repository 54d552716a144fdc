// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/edit_effects.h"

#include <QHeaderView>

#include <algorithm>

#include "models/sorted_table_model.h"
#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/edit_words.h"

namespace lapidary::views {
namespace {

constexpr int shownTypes = 20;  // of a line

}  // namespace

EditEffects::EditEffects(QWidget* parent) : QTreeWidget(parent) {
    setObjectName(QStringLiteral("editEffects"));
    setAccessibleName(tr("What each line does"));
    setHeaderLabels({tr("Line"), tr("What it does")});
    header()->setStretchLastSection(true);
    setColumnWidth(0, 220);
}

void EditEffects::show(const EditReport& report) {
    clear();
    const auto counted = [](QStringList& parts, const QString& text, std::size_t count) {
        if (count > 0) parts << text.arg(formatCount(qint64(count)));
    };
    for (const EditLineReport& line : report.lines) {
        QStringList parts;
        counted(parts, tr("%1 removed"), line.nodes_removed);
        counted(parts, tr("%1 added"), line.nodes_added);
        counted(parts, tr("%1 changed"), line.nodes_changed);
        counted(parts, tr("%1 types changed"), line.type_count);
        for (const std::string& note : line.notes) parts << labelText(app::editReason(note), 200);
        const QString does =
            parts.isEmpty() ? QStringLiteral("✓") : parts.join(QStringLiteral(", "));
        auto* row = new QTreeWidgetItem(this, {labelText(line.text, 200), does});
        row->setToolTip(0, plainToolTip(exactText(line.text)));
        row->setToolTip(1, plainToolTip(does));
        addProblems(row, line);
        addTypes(row, line);
        row->setExpanded(true);
    }
    fitColumns();
}

/// The lines have their width, as far as what they do has its own or half of the room.
void EditEffects::fitColumns() {
    const int room = viewport()->width();
    const int does = std::min(sizeHintForColumn(1), room / 2);
    setColumnWidth(0, std::clamp(sizeHintForColumn(0), 160, std::max(160, room - does)));
}

void EditEffects::resizeEvent(QResizeEvent* event) {
    QTreeWidget::resizeEvent(event);
    if (topLevelItemCount() > 0) fitColumns();
}

void EditEffects::addProblems(QTreeWidgetItem* row, const EditLineReport& line) {
    for (const EditProblem& problem : line.problems) {
        auto* below = new QTreeWidgetItem(row, {QStringLiteral("✕ ") + labelText(problem.node, 100),
                                                labelText(app::editReason(problem.reason), 300)});
        below->setForeground(0, themeColors(palette()).error);
        below->setForeground(1, themeColors(palette()).error);
        below->setToolTip(1, plainToolTip(app::editReason(problem.reason)));
    }
}

void EditEffects::addTypes(QTreeWidgetItem* row, const EditLineReport& line) {
    int shown = 0;
    for (const ChangedType& type : line.types) {
        if (++shown > shownTypes) break;
        const QString change =
            labelText(type.before, 100) + QStringLiteral(" → ") + labelText(type.after, 100);
        auto* below = new QTreeWidgetItem(row, {labelText(type.value, 100), change});
        below->setToolTip(1, plainToolTip(change));
    }
    if (const auto more = qint64(line.type_count) - shownTypes; more > 0)
        new QTreeWidgetItem(row, {QString(), tr("and %1 more").arg(formatCount(more))});
}

}  // namespace lapidary::views
