// SPDX-License-Identifier: GPL-3.0-or-later
// Resets filters and selected rows when another model is opened, because they referred to the
// previous one.
#pragma once

class QWidget;

namespace lapidary::views {

/// Keeps the widget's content when another model is opened.
void keepAcrossModels(QWidget& widget);
/// Clears all text fields below `root` and all selections in lists, except in dialogs, spin boxes
/// and widgets of keepAcrossModels(). Called when another model was opened.
void forgetModelChoices(const QWidget& root);

}  // namespace lapidary::views
