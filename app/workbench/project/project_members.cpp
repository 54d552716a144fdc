// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/project/project_members.h"

#include <QJsonDocument>

#include <cmath>

#include <lapidary/base/error.h>

namespace lapidary::app {

QString ProjectMembers::described(const QJsonValue& value) {
    switch (value.type()) {
    case QJsonValue::Undefined: return tr("nothing");
    case QJsonValue::Null: return QStringLiteral("null");
    case QJsonValue::Bool: return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
    case QJsonValue::Double: return QString::number(value.toDouble(), 'g', 17);
    case QJsonValue::String: return QStringLiteral("\"%1\"").arg(value.toString().left(60));
    case QJsonValue::Array: return tr("a list");
    case QJsonValue::Object: break;
    }
    return tr("an object");
}

QString ProjectMembers::placeOf(const char* name) const {
    return place_.isEmpty() ? QLatin1String(name) : place_ + QLatin1Char('.') + QLatin1String(name);
}

void ProjectMembers::refuse(const char* name, const QString& expected) const {
    fail(ErrorCode::invalid_input,
         tr("\"%1\" must be %2, found %3")
             .arg(placeOf(name), expected, described(object_[QLatin1String(name)]))
             .toStdString());
}

QString ProjectMembers::text(const char* name) const {
    if (!object_[QLatin1String(name)].isString()) refuse(name, tr("a string"));
    return object_[QLatin1String(name)].toString();
}

QString ProjectMembers::text(const char* name, const QString& fallback) const {
    return has(name) ? text(name) : fallback;
}

double ProjectMembers::number(const char* name, double fallback) const {
    if (!has(name)) return fallback;
    const QJsonValue value = object_[QLatin1String(name)];
    if (!value.isDouble() || !std::isfinite(value.toDouble())) refuse(name, tr("a number"));
    return value.toDouble();
}

std::int64_t ProjectMembers::integer(const char* name, std::int64_t fallback, std::int64_t low,
                                     std::int64_t high) const {
    if (!has(name)) return fallback;
    const QJsonValue value = object_[QLatin1String(name)];
    const double number = value.toDouble(std::nan(""));
    const qint64 whole = value.toInteger(low == 0 ? -1 : 0);
    if (!value.isDouble() || number != std::floor(number) || whole < low || whole > high)
        refuse(name, tr("a whole number from %1 to %2").arg(low).arg(high));
    return whole;
}

bool ProjectMembers::flag(const char* name, bool fallback) const {
    if (!has(name)) return fallback;
    if (!object_[QLatin1String(name)].isBool()) refuse(name, tr("true or false"));
    return object_[QLatin1String(name)].toBool();
}

ProjectMembers ProjectMembers::object(const char* name) const {
    if (!object_[QLatin1String(name)].isObject()) refuse(name, tr("an object"));
    return {object_[QLatin1String(name)].toObject(), placeOf(name)};
}

QJsonArray ProjectMembers::list(const char* name, std::size_t most) const {
    if (!has(name)) return {};
    if (!object_[QLatin1String(name)].isArray()) refuse(name, tr("a list"));
    QJsonArray list = object_[QLatin1String(name)].toArray();
    if (std::size_t(list.size()) > most)
        fail(ErrorCode::limit_exceeded, tr("\"%1\" has %2 entries, at most %3 are kept")
                                            .arg(placeOf(name))
                                            .arg(list.size())
                                            .arg(most)
                                            .toStdString());
    return list;
}

ProjectMembers ProjectMembers::entry(const char* name, const QJsonArray& list,
                                     qsizetype index) const {
    const QString place = QStringLiteral("%1[%2]").arg(placeOf(name)).arg(index);
    if (!list[index].isObject())
        fail(ErrorCode::invalid_input, tr("\"%1\" must be an object, found %2")
                                           .arg(place, described(list[index]))
                                           .toStdString());
    return {list[index].toObject(), place};
}

}  // namespace lapidary::app
