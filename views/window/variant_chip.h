// SPDX-License-Identifier: GPL-3.0-or-later
// A button in the toolbar, visible on all pages, that shows the variant in force, its time and its
// slots. Its menu puts another one in force. The tick means "in force", as on the cards of levels
// and in the Variants panel.
#pragma once

#include <QMenu>
#include <QToolButton>

#include "workbench/workbench.h"

namespace lapidary::views {

class VariantChip : public QToolButton {
    Q_OBJECT
public:
    explicit VariantChip(app::Workbench& workbench, QWidget* parent = nullptr);

private:
    void refresh();
    void fillMenu();
    QString lineOf(const app::Recipe& recipe, const app::VariantPtr& variant) const;

    app::Workbench& workbench_;
    QMenu* menu_;
};

}  // namespace lapidary::views
