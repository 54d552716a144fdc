// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QLabel>

#include "compare/code_panel.h"

namespace lapidary::views {

/// A program that runs the open model in ONNX Runtime with the variant and the run settings in
/// force, to be read, copied or saved. It follows them while it is open.
class SnippetDialog : public QDialog {
    Q_OBJECT
public:
    SnippetDialog(app::Workbench& workbench, QWidget* parent);
    CodePanel* panel() const { return panel_; }

private:
    CodePanel* panel_;
    QLabel* result_;
};

}  // namespace lapidary::views
