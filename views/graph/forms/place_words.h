// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lapidary::views {

/// What a place of a form of an edit (EditVerb::form) is called beside its field: "NODES" is
/// "Nodes".
/// `form`: of the edit, or its verb alone.
QString placeTitle(const QString& form, const QString& place);
/// EditVerb::help in the language of the window, with what its fields are called in place of the
/// words in capitals.
QString formHelp(const QString& form, QString help);
/// What a keyword that may be left out is called: "bare" is "Without a default".
QString keywordTitle(const QString& keyword);
/// What keywords of a form are called beside the box that they are chosen in.
QString choiceTitle(const QString& verb);

}  // namespace lapidary::views
