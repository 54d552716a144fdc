// SPDX-License-Identifier: GPL-3.0-or-later
// How fast tokens come, in a sentence, and what to do about it.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace lapidary::app {
class Generating;
}

namespace lapidary::views {

class GenerateCard : public QFrame {
    Q_OBJECT
public:
    explicit GenerateCard(app::Generating& generating, QWidget* parent = nullptr);
    QString sentence() const { return sentence_->text(); }
    QString advice() const { return advice_->text(); }

signals:
    /// The advice is about the weights.
    void quantizeRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void refreshProgress();
    app::Generating& generating_;
    QLabel *sentence_, *advice_, *grounds_, *stage_;
    QProgressBar* bar_;
    QPushButton* quantize_;
};

}  // namespace lapidary::views
