// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/status_text.h"

#include <QApplication>
#include <QMainWindow>
#include <QStatusBar>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {

void reportStatus(const QWidget& widget, const QString& text) {
    for (QWidget* top : {widget.window(), QApplication::activeWindow()})
        if (auto* window = qobject_cast<QMainWindow*>(top))
            return window->statusBar()->showMessage(labelText(text), 8000);
}

}  // namespace lapidary::views
