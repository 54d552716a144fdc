// SPDX-License-Identifier: GPL-3.0-or-later
// A form for one edit: fields made from the form of its verb. Below them stands the line that
// results, with what it does or why it cannot be done, tried while the user enters it.
#pragma once

#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>

#include "graph/forms/edit_effects.h"
#include "graph/forms/edit_fields.h"
#include "graph/forms/edit_trial.h"

namespace lapidary::views {

class EditFormDialog : public QDialog {
    Q_OBJECT
public:
    /// `form`: EditVerb::form, or a verb: its first form. A model has to be open.
    EditFormDialog(app::Workbench& workbench, const QString& form, const EditTarget& target,
                   QWidget* parent = nullptr);

    /// The line that the fields make, or several with breaks between them; empty while something is
    /// missing.
    QString line() const;
    /// Lines that are applied before this one; initially the edits of the recipe in force.
    void setBefore(const QString& script);
    /// What all lines are applied to; initially the model as it was opened.
    void setSource(const app::ModelSource& source) { trial_.setSource(source); }
    /// The edit can be applied, or the user keeps an invalid model.
    bool canApply() const { return apply_->isEnabled(); }
    /// The user wants the edit although the model becomes invalid.
    bool keepsInvalid() const { return keep_->isVisibleTo(this) && keep_->isChecked(); }
    bool isTrying() const { return trial_.isTrying(); }
    QString sentence() const { return sentence_->text(); }
    EditFields* fields() const { return fields_; }

signals:
    void tried();

private:
    QWidget* makeResult();
    void apply();
    bool writesFiles() const;
    QString invalidText() const;
    QString doneText() const;
    bool changesNothing() const;
    void changed();
    void refresh();
    QString missingText() const;

    const QString prefix_;
    FormModel model_;
    EditTrial trial_;
    EditFields* fields_;
    bool hasOtherBefore_ = false;  // lines before this one that the fields do not know
    QPlainTextEdit* line_;
    QLabel* sentence_;
    EditEffects* effects_;
    QCheckBox* keep_;
    QProgressBar* progress_;
    QPushButton *apply_, *close_;
};

}  // namespace lapidary::views
