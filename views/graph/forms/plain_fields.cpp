// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>

#include "graph/forms/attribute_table.h"
#include "graph/forms/edit_fields.h"
#include "graph/forms/make_place_field.h"
#include "graph/forms/place_words.h"

namespace lapidary::views {

PlainFields::PlainFields(const QString& form, const FormModel& model, const EditTarget& target,
                         QWidget* parent)
    : EditFields(parent), form_(form), model_(model), target_(target) {
    auto* rows = new QFormLayout(this);
    rows->setRowWrapPolicy(QFormLayout::WrapLongRows);
    rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (const FormGroup& group : formGroups(form))
        if (group.isOptional) addOptional(group, rows);
        else addRequired(group.parts.front(), rows);
    for (const Entry& entry : entries_)
        if (entry.choice && !entry.wanted)
            for (PlaceField* field : findChildren<PlaceField*>())
                field->useKeyword(entry.choice->currentText());
    setFocusProxy(fieldToFillIn());
}

/// The first field without a word. Where all have one: the field behind the name of what is
/// edited, such as the new name.
PlaceField* PlainFields::fieldToFillIn() const {
    QList<PlaceField*> needed;
    for (const Entry& entry : entries_)
        if (!entry.wanted) needed += entry.fields;
    for (PlaceField* field : needed)
        if (field->word().isEmpty()) return field;
    return needed.isEmpty() ? nullptr : needed[needed.size() > 1 ? 1 : 0];
}

QComboBox* PlainFields::makeChoice(const QStringList& keywords, const QString& title) {
    auto* box = new QComboBox;
    box->addItems(keywords);
    box->setAccessibleName(title);
    box->setObjectName(QStringLiteral("choice_") + keywords.join(u'_'));
    for (const QString& keyword : target_.keywords)
        if (keywords.contains(keyword)) box->setCurrentText(keyword);
    if (verbOf(form_) == QLatin1String("rename") && target_.keywords.isEmpty() &&
        target_.nodes.isEmpty() && !target_.value.isEmpty())
        box->setCurrentText(QStringLiteral("value"));
    connect(box, &QComboBox::currentTextChanged, this, [this](const QString& keyword) {
        for (PlaceField* field : findChildren<PlaceField*>()) field->useKeyword(keyword);
        emit changed();
    });
    return box;
}

PlaceField* PlainFields::makeField(const QString& place, FormPart::Kind kind) {
    PlaceField* field = makePlaceField(form_, place, kind, model_, target_);
    connect(field, &PlaceField::changed, this, &EditFields::changed);
    if (place == QLatin1String("NAME") || place == QLatin1String("NODE"))
        connect(field, &PlaceField::changed, this, [this, field] {
            for (PlaceField* other : findChildren<PlaceField*>()) other->useName(field->word());
        });
    return field;
}

void PlainFields::addRequired(const FormPart& part, QFormLayout* rows) {
    Entry entry{part, nullptr, nullptr, {}, {}};
    switch (part.kind) {
    case FormPart::Kind::sign: break;
    case FormPart::Kind::choice:
        entry.title = choiceTitle(verbOf(form_));
        entry.choice = makeChoice(part.words, entry.title);
        rows->addRow(entry.title, entry.choice);
        break;
    case FormPart::Kind::place:
    case FormPart::Kind::list:
    case FormPart::Kind::rest:
    case FormPart::Kind::attribute:
        for (const QString& place : part.words) {
            PlaceField* field = makeField(place, part.kind);
            entry.fields.append(field);
            entry.title = placeTitle(form_, place);
            rows->addRow(entry.title, field);
        }
        break;
    }
    entries_.append(entry);
}

/// What a part of the form that may be left out is called: its place, else its keyword.
QString PlainFields::groupTitle(const FormGroup& group) const {
    const FormPart &first = group.parts.front(), &last = group.parts.back();
    if (last.kind == FormPart::Kind::choice) return choiceTitle(verbOf(form_));
    return last.kind == FormPart::Kind::sign ? keywordTitle(first.words.front())
                                             : placeTitle(form_, last.words.front());
}

/// A check box, and behind it what belongs to it.
void PlainFields::addOptional(const FormGroup& group, QFormLayout* rows) {
    const FormPart& first = group.parts.front();
    auto* wanted = new QCheckBox(groupTitle(group));
    wanted->setObjectName(QStringLiteral("wanted_") + first.words.join(u'_'));
    connect(wanted, &QCheckBox::toggled, this, &EditFields::changed);
    auto* inner = new QWidget;
    auto* row = new QHBoxLayout(inner);
    row->setContentsMargins(0, 0, 0, 0);
    for (const FormPart& part : group.parts) {
        Entry entry{part, wanted, nullptr, {}, wanted->text()};
        if (part.kind == FormPart::Kind::sign) {
            if (target_.keywords.contains(part.words.front())) wanted->setChecked(true);
        } else if (part.kind == FormPart::Kind::choice) {
            entry.choice = makeChoice(part.words, entry.title);
            if (target_.keywords.contains(entry.choice->currentText())) wanted->setChecked(true);
            row->addWidget(entry.choice);
        } else {
            for (const QString& place : part.words) {
                entry.fields.append(makeField(place, part.kind));
                row->addWidget(entry.fields.last(), 1);
            }
        }
        entries_.append(entry);
    }
    inner->setEnabled(wanted->isChecked());
    connect(wanted, &QCheckBox::toggled, inner, &QWidget::setEnabled);
    if (row->count() > 0) rows->addRow(wanted, inner);
    else {
        rows->addRow(wanted);
        delete inner;
    }
}

PlaceField* PlainFields::field(const QString& place) const {
    return findChild<PlaceField*>(QStringLiteral("place_") + place);
}

/// What stands for the entry in the line.
QString PlainFields::wordOf(const Entry& entry) const {
    if (entry.choice) return entry.choice->currentText();
    if (entry.part.kind == FormPart::Kind::sign) return entry.part.words.front();
    const QString word = entry.fields.front()->word();
    return entry.part.kind == FormPart::Kind::attribute ? word + u'.' + entry.fields.last()->word()
                                                        : word;
}

QStringList PlainFields::missing() const {
    QStringList names;
    for (const Entry& entry : entries_)
        for (const PlaceField* field : entry.fields)
            if (entry.isWanted() && field->word().isEmpty())
                names << (field->missingPart().isEmpty() ? entry.title : field->missingPart());
    names.removeDuplicates();
    return names;
}

bool PlainFields::changesNothing() const {
    for (const PlaceField* field : findChildren<PlaceField*>())
        if (field->isUnchanged()) return true;
    return false;
}

QString PlainFields::lines() const {
    if (!missing().isEmpty()) return {};
    QStringList words;
    for (const Entry& entry : entries_)
        if (entry.isWanted()) words << wordOf(entry);
    return words.join(u' ');
}

void PlainFields::showRefusal(const QString& reason) {
    for (AttributeTable* table : findChildren<AttributeTable*>()) table->showRefusal(reason);
}

}  // namespace lapidary::views
