// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QString;
class QWidget;

namespace lapidary::views {

/// Shows a sentence for some seconds in the status bar of the widget's window; for a dialog, of the
/// active window.
void reportStatus(const QWidget& widget, const QString& text);

}  // namespace lapidary::views
