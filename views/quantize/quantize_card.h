// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace lapidary::app {
class Quantizing;
}

namespace lapidary::views {

/// The result in one sentence, how it was obtained, and buttons for what to do next.
class QuantizeCard : public QFrame {
    Q_OBJECT
public:
    explicit QuantizeCard(app::Quantizing& quantizing, QWidget* parent = nullptr);
    QString sentence() const { return sentence_->text(); }
    QString grounds() const { return grounds_->text(); }

signals:
    void compareRequested();
    void exportRequested();
    void showRequested();
    void reportRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void refreshProgress();

    app::Quantizing& quantizing_;
    QLabel *sentence_, *grounds_, *stage_;
    QProgressBar* bar_;
    QPushButton *start_, *stop_, *compare_, *export_, *show_, *report_;
};

}  // namespace lapidary::views
