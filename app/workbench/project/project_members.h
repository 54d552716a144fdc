// SPDX-License-Identifier: GPL-3.0-or-later
// Reading JSON objects of files that people may have edited: every refusal names the member, what
// was expected and what is there.
#pragma once

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonObject>
#include <QString>

#include <optional>

namespace lapidary::app {

/// The members of one object; `place` is how messages call it ("model", "model.runs[3]"). All throw
/// invalid_input.
class ProjectMembers {
    Q_DECLARE_TR_FUNCTIONS(ProjectMembers)
public:
    ProjectMembers(QJsonObject object, QString place)
        : object_(std::move(object)), place_(std::move(place)) {}

    bool has(const char* name) const {
        return object_.contains(QLatin1String(name)) && !object_[QLatin1String(name)].isNull();
    }
    QString text(const char* name) const;  // required
    QString text(const char* name, const QString& fallback) const;
    double number(const char* name, double fallback) const;  // finite
    std::int64_t integer(const char* name, std::int64_t fallback, std::int64_t low,
                         std::int64_t high) const;
    bool flag(const char* name, bool fallback) const;
    ProjectMembers object(const char* name) const;  // required
    /// Absent: empty. At most `most` entries.
    QJsonArray list(const char* name, std::size_t most) const;
    /// Entry `index` of that list.
    ProjectMembers entry(const char* name, const QJsonArray& list, qsizetype index) const;
    QString placeOf(const char* name) const;
    const QJsonObject& json() const { return object_; }

private:
    static QString described(const QJsonValue& value);
    [[noreturn]] void refuse(const char* name, const QString& expected) const;
    QJsonObject object_;
    QString place_;
};

}  // namespace lapidary::app
