// SPDX-License-Identifier: GPL-3.0-or-later
// A small picture and a sentence about the last result for each recent file. They are stored beside
// the settings, as long as the file is in the list of recent files.
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
    /// The picture of a file; null: none was drawn.
    QIcon pictureOf(const QString& path) const;
    /// "48 nodes, 97.8 MB", with the weights kept beside the model. Empty: it was not opened yet.
    QString sizeOf(const QString& path) const;
    /// "Extended: 3.21 ms, most of it MatMul (71 %)". Empty: it did not run yet.
    QString verdictOf(const QString& path) const;

signals:
    void changed();

private:
    void draw();
    void keepVerdict();
    void keep(const QString& path, const char* group, const QString& text);
    void forgetOthers();
    QString pictureFile(const QString& path) const;

    app::Workbench& workbench_;
    app::LatestJob drawing_;
};

}  // namespace lapidary::views
