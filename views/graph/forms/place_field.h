// SPDX-License-Identifier: GPL-3.0-or-later
// Fields for the places of a form of an edit: what a user enters, as words of a line.
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QListWidget>
#include <QSpinBox>
#include <QWidget>

#include "graph/forms/form_model.h"

namespace lapidary::views {

class PlaceField : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    /// As the line has it; empty: nothing yet.
    virtual QString word() const = 0;
    virtual void setWord(const QString& word) = 0;
    /// What of the field is missing while word() is empty; empty: all of it.
    virtual QString missingPart() const { return {}; }
    /// The field alone says what changes, and its word is what the model has already.
    virtual bool isUnchanged() const { return false; }
    /// Another keyword of the form was chosen, on which the names depend.
    virtual void useKeyword(const QString&) {}
    /// Another value or node was named in the form, on which the field may depend.
    virtual void useName(const QString&) {}

signals:
    void changed();
};

/// How the text of a field becomes a word.
enum class WordStyle {
    asWritten,  // a selection, a type, a list of numbers
    name,       // in quotes where it is no plain word; quotes of the user stay
    pattern,    // the same; * and ? stay what they are
    text,       // any text, in quotes where needed
    value,      // a number, a list in brackets, or a text
};
QString styledWord(const QString& text, WordStyle style);

/// A line of text.
class TextField : public PlaceField {
    Q_OBJECT
public:
    TextField(const QString& title, WordStyle style, const QString& example);
    QString word() const override { return styledWord(text_->text(), style_); }
    void setWord(const QString& word) override;

private:
    QLineEdit* text_;
    WordStyle style_;
};

/// A name that the model has, or another text.
class NameField : public PlaceField {
    Q_OBJECT
public:
    NameField(const QString& title, WordStyle style, NamedWords names);
    void setNames(NamedWords names);
    /// Names with commas between them are one word: a list. What is chosen is appended.
    void takeList();
    QString word() const override;
    void setWord(const QString& word) override;

private:
    QString wordOf(const QString& shown) const;
    int chosenRow() const;  // of the list; -1: another text
    QComboBox* box_;
    WordStyle style_;
    NamedWord given_;   // what setWord() wrote
    QString listText_;  // of a list, before a name was chosen
    bool isList_ = false;
};

/// Names whose list depends on a keyword of the form: "input", "outputs", "before".
class KeywordNameField : public NameField {
    Q_OBJECT
public:
    KeywordNameField(const QString& title, WordStyle style, const FormModel& model);
    void useKeyword(const QString& keyword) override;

private:
    const FormModel& model_;
};

/// An input of the node that the form names, by its name in the operator's schema.
class InputField : public NameField {
    Q_OBJECT
public:
    InputField(const QString& title, const FormModel& model);
    void useName(const QString& word) override;

private:
    const FormModel& model_;
};

/// Whole numbers.
class NumberField : public PlaceField {
    Q_OBJECT
public:
    NumberField(const QString& title, int least, int most, int value);
    QString word() const override { return QString::number(number_->value()); }
    void setWord(const QString& word) override { number_->setValue(word.toInt()); }

private:
    QSpinBox* number_;
};

/// A share from 0 to 1.
class ShareField : public PlaceField {
    Q_OBJECT
public:
    ShareField(const QString& title, double value);
    QString word() const override { return QString::number(share_->value()); }
    void setWord(const QString& word) override { share_->setValue(word.toDouble()); }

private:
    QDoubleSpinBox* share_;
};

/// A file, with a button that looks for one.
class FileField : public PlaceField {
    Q_OBJECT
public:
    enum class Use { read, write, readOrValue };
    FileField(const QString& title, Use use, const QString& filter);
    QString word() const override;
    void setWord(const QString& word) override;
    QString path() const { return path_->text().trimmed(); }

private:
    void choose();
    QLineEdit* path_;
    Use use_;
    QString title_, filter_;
};

}  // namespace lapidary::views
