// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QListWidget>
#include <QToolButton>

namespace lapidary::app {
class Tuning;
}

namespace lapidary::views {

/// The cells that are measured now and next. Alt+Up and Alt+Down or the buttons change the order,
/// Delete removes cells.
class QueueList : public QWidget {
    Q_OBJECT
public:
    explicit QueueList(app::Tuning& tuning, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void move(int by);
    void removeSelected();
    int queueRow() const;  // queue index of the current line; -1: it is not in the queue

    app::Tuning& tuning_;
    QListWidget* list_;
    QLabel* summary_;
    QToolButton *up_, *down_, *remove_;
    int running_ = 0;  // lines above the queue
};

}  // namespace lapidary::views
