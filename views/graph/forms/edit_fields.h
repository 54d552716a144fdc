// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of one form of an edit, which give its line.
#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>

#include "graph/forms/edit_target.h"
#include "graph/forms/form_parts.h"
#include "graph/forms/place_field.h"

class QFormLayout;

namespace lapidary::views {

class EditFields : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    /// One line, or several with breaks between them; empty while something is missing.
    virtual QString lines() const = 0;
    /// All is entered, and it is what the model has already.
    virtual bool changesNothing() const { return false; }
    /// What is missing, as names of fields; empty: nothing.
    virtual QStringList missing() const { return {}; }
    /// Shows why the line cannot be done at the field that the reason names; empty: nowhere.
    virtual void showRefusal(const QString&) {}

signals:
    void changed();
};

/// A field for each place of any form, a box for keywords, a check box for what may be left out.
class PlainFields : public EditFields {
    Q_OBJECT
public:
    /// `model` has to outlive the fields.
    PlainFields(const QString& form, const FormModel& model, const EditTarget& target,
                QWidget* parent = nullptr);
    QString lines() const override;
    QStringList missing() const override;
    bool changesNothing() const override;
    void showRefusal(const QString& reason) override;
    /// The field of a place; null: the form has none.
    PlaceField* field(const QString& place) const;

private:
    /// What stands in a line for a part of the form.
    struct Entry {
        FormPart part;
        QCheckBox* wanted = nullptr;  // of a part that may be left out
        QComboBox* choice = nullptr;  // of several keywords
        QList<PlaceField*> fields;    // of places; two of an attribute
        QString title;
        bool isWanted() const { return !wanted || wanted->isChecked(); }
    };
    void addRequired(const FormPart& part, QFormLayout* rows);
    void addOptional(const FormGroup& group, QFormLayout* rows);
    PlaceField* fieldToFillIn() const;
    QString groupTitle(const FormGroup& group) const;
    QComboBox* makeChoice(const QStringList& keywords, const QString& title);
    PlaceField* makeField(const QString& place, FormPart::Kind kind);
    QString wordOf(const Entry& entry) const;

    QString form_;
    const FormModel& model_;
    EditTarget target_;
    QList<Entry> entries_;
};

}  // namespace lapidary::views
