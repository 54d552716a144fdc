// SPDX-License-Identifier: GPL-3.0-or-later
// What tokens are generated from, how many, how they are chosen, and the button that starts it.
#pragma once

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QWidget>

#include "workbench/workbench.h"

namespace lapidary::app {
class Generating;
}

namespace lapidary::views {

class PromptBar : public QWidget {
    Q_OBJECT
public:
    explicit PromptBar(app::Workbench& workbench, QWidget* parent = nullptr);
    /// Starts generating with what the fields say; stops where it runs.
    void toggle();
    /// Why the fields cannot be used; empty: they can.
    QString problem() const;

private:
    bool isText() const;
    void addFields();
    void addMoreFields();
    QSpinBox* addSpin(QWidget* box, const char* name, const QString& label, const QString& tip,
                      int low, int high, int value);
    void addField(QWidget* box, const QString& label, QWidget* field, const QString& tip);
    void refresh();
    void publish();

    app::Workbench& workbench_;
    app::Generating& generating_;
    QWidget *first_, *rest_;
    QLineEdit *prompt_, *stop_;
    QSpinBox *newTokens_, *capacity_, *topK_, *seed_;
    QDoubleSpinBox *temperature_, *topP_;
    QComboBox *kind_, *who_, *caches_;
    QToolButton* more_;
    QLabel* problem_;
    QPushButton* start_;
};

}  // namespace lapidary::views
