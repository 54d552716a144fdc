// SPDX-License-Identifier: GPL-3.0-or-later
// A search in a graph: words, and filters such as "op:Conv time>1ms scope:layer.3".
#pragma once

#include <QString>
#include <QStringList>

namespace lapidary::views {

/// The properties of a node or tensor that a search compares. All texts are in lower case.
struct FindSubject {
    QString text;    // operator, name, tensors: searched for words
    QString op;      // "conv", "com.microsoft::gelu"
    QString name;    // whole name with scopes
    QString type;    // "f32[1,64,56,56]"; only for tensors
    double ms = -1;  // time of a run; negative: not known
};

class FindQuery {
public:
    FindQuery() = default;
    /// Words are searched in all of `text`; "op:", "scope:", "name:", "type:" and "time>", "time<"
    /// filter. Times without a unit are milliseconds ("ns", "us", "µs", "ms", "s").
    explicit FindQuery(const QString& text);
    bool isEmpty() const { return words_.isEmpty() && !hasFilters(); }
    bool hasFilters() const {
        return !ops_.isEmpty() || !scopes_.isEmpty() || !names_.isEmpty() || !types_.isEmpty() ||
               least_ >= 0 || most_ >= 0;
    }
    /// True if the search filters by time.
    bool asksTime() const { return least_ >= 0 || most_ >= 0; }
    const QStringList& words() const { return words_; }
    /// A message about a part that cannot be understood; empty: there is none.
    QString problem() const { return problem_; }
    bool matches(const FindSubject& subject) const;

private:
    bool takeTime(const QString& part);
    QStringList words_, ops_, scopes_, names_, types_;
    double least_ = -1, most_ = -1;  // ms; negative: no bound
    QString problem_;
};

}  // namespace lapidary::views
