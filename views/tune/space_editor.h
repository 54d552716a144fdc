// SPDX-License-Identifier: GPL-3.0-or-later
// An editor for the settings to measure, the goal and the measuring time.
#pragma once

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QToolButton>

#include <lapidary/bench/sweep.h>

namespace lapidary::app {
class Tuning;
}

namespace lapidary::views {

class ChoiceChips;

class SpaceEditor : public QWidget {
    Q_OBJECT
public:
    explicit SpaceEditor(app::Tuning& tuning, QWidget* parent = nullptr);

signals:
    void refused(const QString& reason);

private:
    void addMoreSettings();
    ChoiceChips* addChips(QWidget* box, const char* name, const QString& label, const QString& tip,
                          int axis);
    QDoubleSpinBox* addSpin(QWidget* box, const char* name, const QString& label,
                            const QString& tip, const QString& unit, const QString& none,
                            double most);
    void offerThreads();
    void publishSpace();
    void publishOptions();
    void refresh();
    bool isUsual() const;

    app::Tuning& tuning_;
    ChoiceChips *threads_, *batches_, *inter_, *modes_, *spinning_, *levels_;
    QComboBox* goal_;
    QDoubleSpinBox *cap_, *seconds_, *budget_;
    QToolButton* more_;
    QWidget* rest_;
    QLabel* count_;
    std::vector<qint64> offered_;  // numbers of threads that have a button
    bool refreshing_ = false;
};

}  // namespace lapidary::views
