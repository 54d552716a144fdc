// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a form of an edit (EditVerb::form), for fields that are made from it.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace lapidary::views {

struct FormPart {
    enum class Kind {
        sign,       // a keyword or sign that is written as it stands
        choice,     // one of several keywords
        place,      // a word in capitals, which is replaced
        list,       // NAME,...: several words with commas between them
        rest,       // PAIRS*: all that follows
        attribute,  // NODES.ATTRIBUTE
    };
    Kind kind = Kind::sign;
    QStringList words;  // the keyword, the keywords, or the name of the place without its marks
};

/// Parts that stand together or are left out together.
struct FormGroup {
    bool isOptional = false;
    QList<FormPart> parts;
};

/// In the order of the form, the verb first. Parts that may not be left out are a group each.
QList<FormGroup> formGroups(const QString& form);

/// The verb of a form: its first word.
QString verbOf(const QString& form);

}  // namespace lapidary::views
