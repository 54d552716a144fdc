// SPDX-License-Identifier: GPL-3.0-or-later
// The files that were opened last, newest first, remembered between starts of the window.
#pragma once

#include <QObject>
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

signals:
    void changed();

private:
    void keep();
    QStringList files_;
};

}  // namespace lapidary::app
