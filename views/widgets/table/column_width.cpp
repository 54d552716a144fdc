// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/column_width.h"

#include <QFontMetrics>
#include <QHeaderView>
#include <QTreeView>

#include <algorithm>

#include "theme/theme.h"

namespace lapidary::views {

void fitColumn(QTreeView& view, int column, const QString& widest) {
    QFont bold = view.font();
    bold.setBold(true);
    const int margins =
        2 * (view.style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, &view) + 1) + spacing;
    const int width = QFontMetrics(bold).horizontalAdvance(widest) + margins;
    view.header()->setSectionResizeMode(column, QHeaderView::Fixed);
    view.header()->resizeSection(column, std::max(width, view.header()->sectionSizeHint(column)));
}

void showWholeTitles(QTreeView& view) {
    QHeaderView& header = *view.header();
    for (int column = 0; column < header.count(); ++column) {
        if (header.isSectionHidden(column)) continue;
        const int needed = header.sectionSizeHint(column);
        if (header.sectionSize(column) < needed) header.resizeSection(column, needed);
    }
}

}  // namespace lapidary::views
