// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of the File menu that write what others use: the model, a report about it, and code
// that runs it.
#pragma once

#include <QAction>
#include <QObject>

#include "workbench/workbench.h"

namespace lapidary::views {

class MainWindow;

class FileExports : public QObject {
    Q_OBJECT
public:
    /// Enables the actions while a model without faults is open.
    FileExports(MainWindow& window, app::Workbench& workbench, QAction& exportModel,
                QAction& saveReport, QAction& snippet);
    /// Writes the report in a job; written() is emitted at the end.
    void writeReport(const QString& path);

signals:
    /// `failure`: why the report was not written; empty: it was.
    void written(const QString& path, const QString& failure);

private:
    void exportModel();
    void chooseReport();
    void showSnippet();
    void refresh();

    MainWindow& window_;
    app::Workbench& workbench_;
    QAction &exportModel_, &saveReport_, &snippet_;
};

}  // namespace lapidary::views
