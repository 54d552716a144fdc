// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace lapidary::app {
class EngineBeside;
class Tuning;
}  // namespace lapidary::app

namespace lapidary::views {

/// The recommendation in one sentence, the confidence in it with reasons, and buttons to use it.
/// While measuring it shows the progress.
class RecommendationCard : public QFrame {
    Q_OBJECT
public:
    RecommendationCard(app::Tuning& tuning, app::EngineBeside& beside, QWidget* parent = nullptr);
    QString sentence() const { return sentence_->text(); }
    QString reasons() const { return reasons_->text(); }
    void refresh();
    static QString startText(std::size_t queued, std::ptrdiff_t measured, std::ptrdiff_t open);
    QStringList reportRecommendation(std::ptrdiff_t measured);

signals:
    void verifyRequested();
    void applyRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refreshProgress();
    QString reportOtherEngine() const;
    app::Tuning& tuning_;
    app::EngineBeside& beside_;
    QLabel *sentence_, *reasons_, *left_;
    QProgressBar* bar_;
    QPushButton *start_, *pause_, *cancel_, *verify_, *apply_;
    double whole_ = 0;  // seconds left when the bar was empty
};

}  // namespace lapidary::views
