// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/find_query.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace lapidary::views {
namespace {

/// "1.5ms" in ms; negative: it is no time.
double millisecondsOf(QString text) {
    double unit = 1;
    for (const auto& [ending, ms] : {std::pair{QStringLiteral("ns"), 1e-6},
                                     {QStringLiteral("us"), 1e-3},
                                     {QStringLiteral("µs"), 1e-3},
                                     {QStringLiteral("ms"), 1.0},
                                     {QStringLiteral("s"), 1e3}})
        if (text.endsWith(ending)) {
            text.chop(ending.size());
            unit = ms;
            break;
        }
    bool isNumber = false;
    const double value = text.trimmed().toDouble(&isNumber);
    return isNumber && value >= 0 ? value * unit : -1;
}

bool containsAll(const QString& text, const QStringList& parts) {
    return std::ranges::all_of(parts, [&](const QString& part) { return text.contains(part); });
}

bool containsAny(const QString& text, const QStringList& parts) {
    return parts.isEmpty() ||
           std::ranges::any_of(parts, [&](const QString& part) { return text.contains(part); });
}

}  // namespace

FindQuery::FindQuery(const QString& text) {
    for (const QString& part : text.toLower().split(u' ', Qt::SkipEmptyParts)) {
        const qsizetype colon = part.indexOf(u':');
        const QString key = part.left(std::max<qsizetype>(0, colon)), value = part.mid(colon + 1);
        QStringList* list = key == QLatin1String("op")      ? &ops_
                            : key == QLatin1String("scope") ? &scopes_
                            : key == QLatin1String("name")  ? &names_
                            : key == QLatin1String("type")  ? &types_
                                                            : nullptr;
        if (list && colon > 0) {
            if (!value.isEmpty()) *list << value;  // still being typed
        } else if (!takeTime(part)) {
            words_ << part;
        }
    }
}

bool FindQuery::takeTime(const QString& part) {
    const bool isLeast = part.startsWith(QLatin1String("time>")),
               isMost = part.startsWith(QLatin1String("time<"));
    if (!isLeast && !isMost) return false;
    const QString value = part.mid(5);
    if (value.isEmpty()) return true;  // still being typed
    const double ms = millisecondsOf(value);
    if (ms < 0)
        problem_ = QCoreApplication::translate("FindQuery",
                                               "\"%1\" is no time: write time>1ms or time<20us")
                       .arg(part);
    else (isLeast ? least_ : most_) = ms;
    return true;
}

bool FindQuery::matches(const FindSubject& subject) const {
    if (!containsAll(subject.text, words_) || !containsAll(subject.name, scopes_) ||
        !containsAll(subject.name, names_))
        return false;
    if (!containsAny(subject.op, ops_) || !containsAny(subject.type, types_)) return false;
    if (!ops_.isEmpty() && subject.op.isEmpty()) return false;
    if (least_ >= 0 && !(subject.ms > least_)) return false;
    return most_ < 0 || (subject.ms >= 0 && subject.ms < most_);
}

}  // namespace lapidary::views
