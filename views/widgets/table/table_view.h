// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeView>

namespace lapidary::views {

/// A flat, sortable table: heat bars behind numbers, Ctrl+C copies the selected rows with the
/// header as tab-separated text, a right click on the header chooses columns.
class TableView : public QTreeView {
    Q_OBJECT
public:
    explicit TableView(const QString& name, QWidget* parent = nullptr);
    /// The selected rows in table order, header first.
    QString selectedText() const;
    /// Sets the text that is shown while there are no rows.
    void setEmptyText(const QString& text);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void chooseColumns(const QPoint& at);
    QString emptyText_;
};

}  // namespace lapidary::views
