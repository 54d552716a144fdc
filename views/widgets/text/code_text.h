// SPDX-License-Identifier: GPL-3.0-or-later
// Source text to read, copy and save, below controls that choose it.
#pragma once

#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QWidget>

namespace lapidary::views {

class CodeText : public QWidget {
    Q_OBJECT
public:
    /// `name`: start of the children's object names: nameText, nameProblem, nameCopy, nameSave.
    explicit CodeText(const QString& name, QWidget* parent = nullptr);
    /// Adds a control at the left of the buttons, in the order of the calls.
    void addControl(QWidget* control);
    /// Adds a row between the buttons and the text.
    void addRow(QLayout* row);
    /// Sets the proposal of "Save code …": "Python", "py", "run_model.py".
    void setProposal(const QString& language, const QString& suffix, const QString& fileName);
    /// Shows the code; if it is empty, `problem` says why there is none.
    void showCode(const QString& code, const QString& problem);
    /// The whole code, which is copied and saved. Shown lines may be cut.
    QString code() const { return code_; }

signals:
    void statusMessage(const QString& text);

private:
    void save();

    QHBoxLayout* row_;
    QPushButton *copy_, *save_;
    QLabel* problem_;
    QPlainTextEdit* text_;
    QString code_, language_, suffix_, fileName_;
};

}  // namespace lapidary::views
