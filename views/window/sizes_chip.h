// SPDX-License-Identifier: GPL-3.0-or-later
// The sizes of the inputs in force, for all pages: in the toolbar, with presets.
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

/// A field for each symbolic dimension; 0 leaves it to the input generator.
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
