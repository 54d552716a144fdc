// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>

namespace lapidary::views {

/// The application, with a catch around every event handler: an uncaught exception ends the
/// handling of that one event, not the program, and is reported.
class WindowApplication : public QApplication {
    Q_OBJECT
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override;

signals:
    void failed(const QString& reason);
};

}  // namespace lapidary::views
