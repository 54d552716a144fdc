// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/window_application.h"

#include <exception>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {

bool WindowApplication::notify(QObject* receiver, QEvent* event) {
    QString reason;
    try {
        return QApplication::notify(receiver, event);
    } catch (const std::exception& error) { reason = tipText(error.what()); } catch (...) {
        reason = tr("An exception of an unknown kind.");
    }
    emit failed(reason);
    return false;
}

}  // namespace lapidary::views
