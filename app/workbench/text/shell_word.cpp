// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/text/shell_word.h"

#include <algorithm>

namespace lapidary::app {

QString shellWord(const QString& word) {
    const bool plain = !word.isEmpty() && std::all_of(word.begin(), word.end(), [](QChar c) {
        return c.unicode() < 128 ? c.isLetterOrNumber() || QStringLiteral("_-./=:,+@%").contains(c)
                                 : c.isLetterOrNumber();
    });
    if (plain) return word;
    QString quoted = word;
    return u'\'' + quoted.replace(u'\'', QStringLiteral("'\\''")) + u'\'';
}

}  // namespace lapidary::app
