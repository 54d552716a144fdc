// SPDX-License-Identifier: GPL-3.0-or-later
// The files that were opened last, newest first, remembered between starts of the window.
#pragma once

#include <QObject>
#include <QSet>
#include <QStringList>

namespace lapidary::app {

/// What a start without a file opens: the file that was opened last, if the settings say so and the
/// file is still there; else nothing. `recent`: newest first.
QStringList filesToReopen(const QStringList& recent);

class RecentFiles : public QObject {
    Q_OBJECT
public:
    explicit RecentFiles(QObject* parent = nullptr);
    const QStringList& list() const { return files_; }
    void remember(const QString& path);
    void clear();
    /// A file that is to be opened or saved, whether that goes well or not: messages may name it.
    void note(const QString& path);
    /// All that were noted since the start, as given and absolute. They are stored nowhere.
    const QSet<QString>& noted() const { return noted_; }

signals:
    void changed();

private:
    void keep();
    QStringList files_;
    QSet<QString> noted_;
};

}  // namespace lapidary::app
