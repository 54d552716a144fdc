// SPDX-License-Identifier: GPL-3.0-or-later
// Which variants stand in A and B: chosen from a list, swapped, or dropped from the Variants dock.
#pragma once

#include <QComboBox>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>

#include <optional>

#include "workbench/workbench.h"

class QMimeData;
class QToolBar;

namespace lapidary::views {

/// Variants that are made, then the levels that are not made yet. Takes variants dropped from the
/// Variants dock.
class SlotCombo : public QComboBox {
    Q_OBJECT
public:
    SlotCombo(app::Workbench& workbench, app::Slot slot, QWidget* parent = nullptr);
    void refresh();
    /// Puts the variant of this recipe into the slot, as soon as it is made.
    void choose(const app::Recipe& recipe);
    bool isWaiting() const { return wanted_.has_value(); }
    /// False when it carries no variant.
    bool take(const QMimeData& data);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    app::Workbench& workbench_;
    app::Slot slot_;
    std::optional<app::Recipe> wanted_;
    std::vector<app::Recipe> recipes_;  // by line
};

class SlotBar : public QWidget {
    Q_OBJECT
public:
    explicit SlotBar(app::Workbench& workbench, QWidget* parent = nullptr);
    SlotCombo* combo(app::Slot slot) const { return slot == app::Slot::A ? a_ : b_; }
    QPushButton* startButton() const { return start_; }
    /// Buttons at the end of the bar; those that have no room are in a menu at its end.
    void addTool(QAction* action);
    void addMenu(QAction* action, QMenu* menu);

signals:
    void startRequested();

private:
    void refresh();
    QToolButton* makeTool(QAction* action);
    app::Workbench& workbench_;
    SlotCombo *a_, *b_;
    QToolButton* swap_;
    QPushButton* start_;
    QToolBar* tools_;
};

/// What a dragged variant carries: the JSON of its recipe.
extern const char* const variant_mime_type;
/// Whether a drag is of a variant of this window: its file, which other programs ask for, is not to
/// be opened here.
bool isDraggedVariant(const QMimeData* data);

}  // namespace lapidary::views
