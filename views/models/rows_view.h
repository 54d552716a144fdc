// SPDX-License-Identifier: GPL-3.0-or-later
// How every table looks and behaves: sorted by a click on the header, columns picked by a right click on it,
// Ctrl+C copies the selected rows as tab-separated text.
#pragma once

#include <QTreeView>

namespace lapidary::views {

class RowsView : public QTreeView {
    Q_OBJECT
public:
    explicit RowsView(QWidget* parent = nullptr);
    /// Header and selected rows (all rows when nothing is selected), visible columns, tab-separated.
    QString selectedText() const;

public slots:
    void copy();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void pickColumns(const QPoint& at);
};

}  // namespace lapidary::views
