// SPDX-License-Identifier: GPL-3.0-or-later
// How much room docks have on each page: what the user gave them there, also at the next start.
#pragma once

#include <QHash>
#include <QMainWindow>
#include <QString>

namespace lapidary::views {

class DockSizes {
public:
    /// Of all docks of the window, which outlives it.
    explicit DockSizes(QMainWindow& window) : window_(window) {}
    /// Remembers the sizes of the docks that are shown, as those of this page.
    void leave(const QString& page);
    /// Gives docks that are shown the sizes that they had on this page; others keep theirs.
    void enter(const QString& page);
    void forget() { pages_.clear(); }

    void load();
    void save() const;

private:
    QMainWindow& window_;
    // width of a dock at a side, height of one at the bottom, by its object name
    QHash<QString, QHash<QString, int>> pages_;
};

}  // namespace lapidary::views
