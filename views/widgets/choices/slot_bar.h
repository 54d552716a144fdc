// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the variants in slots A and B: from a list, by swapping, or by dropping from the Variants
// panel.
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

/// Variants that are made, then the levels that are not made yet. Accepts variants dropped from the
/// Variants panel.
class SlotCombo : public QComboBox {
    Q_OBJECT
public:
    SlotCombo(app::Workbench& workbench, app::Slot slot, QWidget* parent = nullptr);
    void refresh();
    /// Puts the variant of this recipe into the slot, as soon as it is made.
    void choose(const app::Recipe& recipe);
    bool isWaiting() const { return wanted_.has_value(); }
    /// Takes a dropped variant. False if the data holds none.
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
    /// Adds a button at the end of the bar. Buttons without room are in a menu there.
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

/// The MIME type of a dragged variant, whose data is the JSON of its recipe.
extern const char* const variant_mime_type;
/// True if the drag is of a variant of this window. Its file is for other programs and must not be
/// opened here.
bool isDraggedVariant(const QMimeData* data);

}  // namespace lapidary::views
