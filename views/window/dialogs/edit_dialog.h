// SPDX-License-Identifier: GPL-3.0-or-later
// The Edit dialog: changes of the model by lines of text, one edit a line, with all edits that
// there are beside them. While the user writes, a job says what each line does and what becomes
// invalid. The result is a variant of the model. The lines are for the model as it was opened (the
// variant then has what the variant in force has besides, such as its level), or for what the level
// in force makes.
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QTreeWidget>

#include <array>
#include <optional>

#include <lapidary/base/error.h>
#include <lapidary/edit/apply_edits.h>

#include "graph/forms/edit_form_dialog.h"
#include "window/dialogs/edit_verb_list.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class EditDialog : public QDialog {
    Q_OBJECT
public:
    explicit EditDialog(app::Workbench& workbench, QWidget* parent = nullptr);

    QString script() const { return script_->toPlainText(); }
    void setScript(const QString& script);
    /// Writes a form of an edit as a new line, with the selected node or value in its place.
    void insertForm(const QString& form);
    /// Opens a dialog with fields for a form; the line that they make is appended.
    void openForm(const QString& form);
    /// Lines for what the level in force makes, instead of for the model as it was opened. Each
    /// place has a script of its own.
    void setAfterLevel(bool after);
    bool isAfterLevel() const { return place_->currentIndex() == 1; }
    bool isChecking() const { return delay_.isActive() || check_.isRunning() || waitsForLevel_; }
    QString sentence() const { return sentence_->text(); }
    /// A row for each line, problems below it.
    QTreeWidget* effects() const { return effects_; }
    /// Makes the variant and closes. Does nothing while there is something to mend.
    void makeVariant();
    void done(int result) override;
    bool eventFilter(QObject* object, QEvent* event) override;

signals:
    void checked();

private:
    void keepScript(const QString& script);
    void restoreScript();
    QWidget* makeForms();
    void makePlaces();
    void changePlace();
    void showPlace();
    app::VariantPtr madeLevel() const;
    std::optional<app::ModelSource> source() const;
    app::Recipe recipe() const;
    QWidget* makeScript();
    void openCurrentForm();
    void changed();
    void startCheck();
    void makeLevel();
    void showReport(const EditReport& report);
    bool canBeKept(const EditReport& report) const;
    void showInvalid(const EditProblem& problem);
    bool makes() const;
    void showWhetherMade();
    QString command() const;
    void refuse(const Error& error);
    void showFirst(int lines);
    void showRed(const QString& sentence);
    void appendLine(const QString& line);
    void markLines(const QList<int>& lines);
    void refresh();
    QString wordFor(const QString& place) const;

    app::Workbench& workbench_;
    app::DocumentPtr document_;
    app::Recipe kept_;         // the recipe in force without its edits
    app::ModelSource source_;  // what the first line before the level is applied to
    app::Focus focus_;
    app::Recipe level_;               // what lines after a level are for
    std::array<QString, 2> scripts_;  // before the level and after it; that of the other place
    int shownPlace_ = 0;              // index of the script that is shown
    QComboBox* place_;
    QPlainTextEdit *script_, *command_;
    QLineEdit* filter_;
    EditVerbList* forms_;
    EditEffects* effects_;
    QLabel *help_, *sentence_;
    QLabel* keptNote_ = nullptr;  // what else the variant has; null: nothing
    QCheckBox* keep_;
    QProgressBar* progress_;
    QPushButton *make_, *copy_, *close_;
    QTimer delay_;
    bool canMake_ = false, waitsForLevel_ = false;
    bool canKeep_ = false;  // the lines make the model invalid, and it may be made so
    app::LatestJob check_;
    app::LatestJob first_;  // the lines before the one at fault
};

}  // namespace lapidary::views
