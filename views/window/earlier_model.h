// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a copy of the open model's file while it is small, so that the model can be compared with
// itself after its file changed and was read again.
#pragma once

#include <QObject>
#include <QStringList>
#include <QTemporaryDir>

#include <cstdint>
#include <filesystem>
#include <memory>

#include "workbench/workbench.h"

namespace lapidary::views {

class MainWindow;
class MessageBanner;

class EarlierModel : public QObject {
    Q_OBJECT
public:
    /// Larger files are not copied, nor those with weights in other files.
    static constexpr std::uint64_t most_bytes = std::uint64_t{32} << 20;

    EarlierModel(MainWindow& window, app::Workbench& workbench);
    /// Adds a button that makes the model before the last reading B of the Compare page. Nothing
    /// where there is no copy of it.
    void offer(MessageBanner& banner);
    /// The copy of the open model; empty: there is none, or it is not written yet.
    QString copyOfOpened() const { return copy_; }

private:
    void follow();
    void compareWith(const QString& file);

    MainWindow& window_;
    app::Workbench& workbench_;
    std::unique_ptr<QTemporaryDir> folder_;  // for as long as the window is there
    std::filesystem::path file_;             // of the open model; empty: it has none
    QString copy_, earlier_;                 // of the open model; of the same file read before
    QStringList written_;                    // copies that are there, oldest first
    int count_ = 0;                          // of all copies so far
    app::LatestJob job_;
};

}  // namespace lapidary::views
