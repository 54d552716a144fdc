// SPDX-License-Identifier: GPL-3.0-or-later
// The Settings dialog: theme, language, defaults of runs and sizes, memory limit, questions before
// data is lost.
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QSpinBox>

#include "workbench/workbench.h"

namespace lapidary::views {

class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    SettingsDialog(app::Workbench& workbench, QWidget* parent);

signals:
    void languageChanged();  // takes effect at the next start

private:
    QWidget* makeLook();
    void fillFonts();
    QWidget* makeRuns();
    QWidget* makeQuestions();
    QSpinBox* spin(const QString& name, int low, int high, int value, const QString& tip);
    void take();

    app::Workbench& workbench_;
    QComboBox *theme_, *language_, *font_, *textSize_, *units_, *memory_;
    QSpinBox *threads_ = nullptr, *runs_ = nullptr, *warmups_ = nullptr, *batch_ = nullptr,
             *sequence_ = nullptr;
    QCheckBox *separate_, *tryLevels_, *reopens_, *askUnsaved_, *askRunning_;
};

}  // namespace lapidary::views
