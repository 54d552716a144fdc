// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/form_parts.h"

namespace lapidary::views {
namespace {

FormPart partOf(QString word) {
    const bool isPlace = !word.isEmpty() && word[0].isUpper();
    if (!isPlace) {
        const QStringList choices = word.split(u'|');
        return {choices.size() > 1 ? FormPart::Kind::choice : FormPart::Kind::sign, choices};
    }
    if (word.endsWith(u'*')) {
        word.chop(1);
        return {FormPart::Kind::rest, {word}};
    }
    if (word.endsWith(QLatin1String(",..."))) {
        word.chop(4);
        return {FormPart::Kind::list, {word}};
    }
    if (word.contains(u'.')) return {FormPart::Kind::attribute, word.split(u'.')};
    return {FormPart::Kind::place, {word}};
}

}  // namespace

QList<FormGroup> formGroups(const QString& form) {
    QList<FormGroup> groups;
    bool isInside = false;
    for (QString word : form.split(u' ', Qt::SkipEmptyParts)) {
        const bool begins = word.startsWith(u'['), ends = word.endsWith(u']');
        if (begins) word.remove(0, 1);
        if (ends) word.chop(1);
        if (!isInside) groups.append(FormGroup{begins, {}});
        groups.last().parts.append(partOf(word));
        isInside = (isInside || begins) && !ends;
    }
    return groups;
}

QString verbOf(const QString& form) { return form.section(u' ', 0, 0); }

}  // namespace lapidary::views
