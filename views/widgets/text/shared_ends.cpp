// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/shared_ends.h"

#include <QFontMetrics>

#include <algorithm>

namespace lapidary::views {
namespace {

bool isSeparator(QChar c) { return c == u'/' || c == u'.' || c == u':' || c == u'_' || c == u' '; }

}  // namespace

SharedEnds sharedEnds(const QStringList& names) {
    if (names.size() < 2) return {};
    const QString& first = names.front();
    qsizetype shortest = first.size(), front = first.size(), back = first.size();
    for (const QString& name : names) {
        shortest = std::min(shortest, name.size());
        front = std::min(front, shortest);
        for (qsizetype i = 0; i < front; ++i)
            if (name[i] != first[i]) front = i;
        back = std::min(back, shortest);
        for (qsizetype i = 0; i < back; ++i)
            if (name[name.size() - 1 - i] != first[first.size() - 1 - i]) back = i;
    }
    while (front > 0 && !isSeparator(first[front - 1])) --front;
    while (back > 0 && !isSeparator(first[first.size() - back])) --back;
    if (front >= shortest) front = 0;
    if (front + back >= shortest) back = 0;
    return {front, back};
}

QString withoutSharedEnds(const QString& name, const SharedEnds& ends, const QFontMetrics& metrics,
                          int width) {
    if (metrics.horizontalAdvance(name) <= width || (ends.front == 0 && ends.back == 0))
        return name;
    const QChar ellipsis(0x2026);
    QString shown = ends.front > 1 ? ellipsis + name.mid(ends.front) : name;
    if (ends.back > 1 && metrics.horizontalAdvance(shown) > width)
        shown = shown.chopped(ends.back) + ellipsis;
    return shown;
}

QString distinguished(const QString& name, const QStringList& neighbours,
                      const QFontMetrics& metrics, Qt::TextElideMode mode, int width) {
    constexpr qsizetype longest_part = 16;  // that is kept whole: "layer_._4"
    const QString shown = metrics.elidedText(name, mode, width);
    qsizetype front = 0;
    for (const QString& other : neighbours)
        if (other != name && metrics.elidedText(other, mode, width) == shown)
            front = std::max(front, sharedEnds({name, other}).front);
    if (front == 0) return name;
    const qsizetype part = name.lastIndexOf(u'/', front - 1) + 1;
    if (part > 1 && front - part < longest_part) front = part;
    return QChar(0x2026) + name.mid(front);
}

}  // namespace lapidary::views
