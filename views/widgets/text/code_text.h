// SPDX-License-Identifier: GPL-3.0-or-later
// Source text to read, copy and save, under what chooses it.
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
    /// Children are called by `name`: nameText, nameProblem, nameCopy, nameSave.
    explicit CodeText(const QString& name, QWidget* parent = nullptr);
    /// Left of the buttons, in the order of the calls.
    void addControl(QWidget* control);
    /// Between the buttons and the text.
    void addRow(QLayout* row);
    /// What "Save code …" proposes: "Python", "py", "run_model.py".
    void setProposal(const QString& language, const QString& suffix, const QString& fileName);
    /// The code, or where it is empty why there is none.
    void showCode(const QString& code, const QString& problem);
    /// What is copied and saved: all of it, where lines that are shown may be cut.
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
