// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QLabel>
#include <QPlainTextEdit>

namespace lapidary::views {

/// Shows the text that goes along with a report of a fault, to be looked over, copied or saved.
/// Nothing is sent.
class DiagnosticsDialog : public QDialog {
    Q_OBJECT
public:
    DiagnosticsDialog(const QString& text, QWidget* parent);
    QString text() const { return text_->toPlainText(); }
    /// Writes the text; the dialog says where it is, or why it could not be written.
    void saveTo(const QString& path);

private:
    void choosePath();
    QPlainTextEdit* text_;
    QLabel* result_;
};

}  // namespace lapidary::views
