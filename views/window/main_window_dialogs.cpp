// SPDX-License-Identifier: GPL-3.0-or-later
// Dialogs of the Help menu.
#include <QPlainTextEdit>

#include "window/dialogs/about_dialog.h"
#include "window/dialogs/diagnostics_dialog.h"
#include "window/dialogs/diagnostics_text.h"
#include "window/main_window.h"

namespace lapidary::views {

void MainWindow::showAbout() {
    auto* dialog = new AboutDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::showDiagnostics() {
    const auto* log = findChild<QPlainTextEdit*>(QStringLiteral("logPanel"));
    auto* dialog = new DiagnosticsDialog(
        diagnosticsText(workbench_, log ? log->toPlainText() : QString()), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

}  // namespace lapidary::views
