// SPDX-License-Identifier: GPL-3.0-or-later
// Choices about the open model: what a filter says and which row is chosen is nothing to the next
// model.
#pragma once

class QWidget;

namespace lapidary::views {

/// The widget's choice outlasts the model, or what it belongs to puts it in order itself.
void keepAcrossModels(QWidget& widget);
/// Empties every text field under `root`, but for those of dialogs, spin boxes and
/// keepAcrossModels(), and chooses no row of any list: another model was opened, and nothing is
/// hidden or marked that was meant for the one before.
void forgetModelChoices(const QWidget& root);

}  // namespace lapidary::views
