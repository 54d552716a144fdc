// SPDX-License-Identifier: GPL-3.0-or-later
// Offers to read the file of the open model again when it changed on disk, and says what changed.
#pragma once

#include <QAction>
#include <QObject>

#include <filesystem>
#include <optional>
#include <string>

#include <lapidary/report/model_summary.h>

#include "workbench/document/file_watch.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class EarlierModel;
class MainWindow;
class MessageBanner;

class ReloadOffer : public QObject {
    Q_OBJECT
public:
    /// `command`: reads the file again at any time; enabled while a file is open. The window must
    /// have its central layout, into which the banner goes.
    ReloadOffer(MainWindow& window, app::Workbench& workbench, QAction& command);

private:
    /// What is selected, by names: another reading of a file gives other ids.
    struct Selection {
        bool isNode = false;  // else a value
        std::string node, value;
        app::Recipe recipe;  // of the variant that it was selected in
    };
    void readAgain();
    void reportChange();
    void selectAgain();
    void forget();
    std::optional<Selection> selection() const;

    app::Workbench& workbench_;
    app::FileWatch watch_;
    EarlierModel* earlier_;
    MessageBanner* banner_;
    std::filesystem::path file_;          // that is being read again
    std::optional<ModelSummary> before_;  // of it as it was; empty: nothing is being read again
    std::optional<Selection> selected_;   // to be selected in what is shown next
};

}  // namespace lapidary::views
