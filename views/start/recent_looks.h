// SPDX-License-Identifier: GPL-3.0-or-later
// What recent files looked like and what was found out about them last: a small picture and a
// sentence each, kept beside the settings and no longer than the list of recent files knows the
// file.
#pragma once

#include <QIcon>
#include <QObject>
#include <QSize>

#include "workbench/workbench.h"

namespace lapidary::views {

class RecentLooks : public QObject {
    Q_OBJECT
public:
    static constexpr QSize picture_size{192, 128};  // pixels, at most

    explicit RecentLooks(app::Workbench& workbench, QObject* parent = nullptr);
    /// Null: none was drawn.
    QIcon pictureOf(const QString& path) const;
    /// "Extended: 3.21 ms, most of it MatMul (71 %)"; of a model that did not run what it is.
    /// Empty: nothing is known.
    QString verdictOf(const QString& path) const;

signals:
    void changed();

private:
    void draw();
    void keepVerdict();
    void keep(const QString& path, const QString& verdict);
    void forgetOthers();
    QString pictureFile(const QString& path) const;

    app::Workbench& workbench_;
    app::LatestJob drawing_;
};

}  // namespace lapidary::views
