// SPDX-License-Identifier: GPL-3.0-or-later
// A button in the toolbar, visible on all pages, that shows the sizes of inputs in force and offers
// presets.
#pragma once

#include <QDialog>
#include <QMenu>
#include <QSpinBox>
#include <QToolButton>

#include <vector>

#include "workbench/workbench.h"

namespace lapidary::views {

class SizesChip : public QToolButton {
    Q_OBJECT
public:
    explicit SizesChip(app::Workbench& workbench, QWidget* parent = nullptr);

private:
    void refresh();
    void fillMenu();
    void choose(const std::vector<std::string>& names, std::int64_t size);
    void askSizes();

    app::Workbench& workbench_;
    QMenu* menu_;
};

/// A dialog with a field for each symbolic dimension; 0: the generator of inputs chooses the size.
class SizesDialog : public QDialog {
    Q_OBJECT
public:
    SizesDialog(app::Workbench& workbench, QWidget* parent);

private:
    void take();
    app::Workbench& workbench_;
    std::vector<std::pair<std::string, QSpinBox*>> fields_;
};

}  // namespace lapidary::views
