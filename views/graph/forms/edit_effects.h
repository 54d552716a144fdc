// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>

#include <lapidary/edit/apply_edits.h>

namespace lapidary::views {

/// What lines of edits do: a row for each line; types that change and problems below it.
class EditEffects : public QTreeWidget {
    Q_OBJECT
public:
    explicit EditEffects(QWidget* parent = nullptr);
    void show(const EditReport& report);
    using QWidget::show;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();
    void addTypes(QTreeWidgetItem* row, const EditLineReport& line);
    void addProblems(QTreeWidgetItem* row, const EditLineReport& line);
};

}  // namespace lapidary::views
