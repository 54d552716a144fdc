// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>

namespace lapidary::views {

/// The application, which catches exceptions of all event handlers. An uncaught exception ends only
/// the handling of that event and is reported.
class WindowApplication : public QApplication {
    Q_OBJECT
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override;

signals:
    void failed(const QString& reason);
};

}  // namespace lapidary::views
