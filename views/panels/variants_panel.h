// SPDX-License-Identifier: GPL-3.0-or-later
// The open model and its variants, with what they weigh.
#pragma once

#include <QStandardItemModel>
#include <QTreeView>

#include "workbench/workbench.h"

namespace lapidary::views {

class VariantsPanel : public QTreeView {
    Q_OBJECT
public:
    explicit VariantsPanel(app::Workbench& workbench, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    app::Workbench& workbench_;
    QStandardItemModel* model_;
};

}  // namespace lapidary::views
