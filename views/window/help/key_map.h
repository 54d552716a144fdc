// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of commands: the usual ones, and those that the user chose instead, which the settings
// remember.
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QString>

#include <vector>

namespace lapidary::views {

class KeyMap {
public:
    /// Adds a command with the keys that it has now as its usual ones; a command without keys has
    /// no place here. `page`: id of the page whose command it is; empty: it works on all pages.
    void add(QAction* action, const QString& page);
    /// Gives commands the keys that the settings have for them. Where two would share a key, one
    /// gets its usual keys back.
    void load();

    bool has(const QAction* action) const;
    bool isChanged(const QAction* action) const;
    /// Gives the command this key alone, for good; an empty sequence: none. Returns why not, in a
    /// sentence; empty: it was done.
    QString setKey(QAction* action, const QKeySequence& key);
    /// Gives the command its usual keys back. Returns why not; empty: it was done.
    QString reset(QAction* action);
    void resetAll();

private:
    struct Entry {
        QAction* action;
        QString page;
        QList<QKeySequence> usual;
        QString id() const;
        bool isChanged() const { return action->shortcuts() != usual; }
    };
    const Entry* find(const QAction* action) const;
    const QAction* ownerOf(const QKeySequence& key, const Entry& besides) const;
    QString whyNot(const Entry& entry, const QList<QKeySequence>& keys) const;
    static void apply(const Entry& entry, const QList<QKeySequence>& keys);

    std::vector<Entry> entries_;
};

}  // namespace lapidary::views
