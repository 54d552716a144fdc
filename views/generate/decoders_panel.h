// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the variants of a decoder side by side: which text, whether with smaller caches, and
// the answer as sentence, table and curve.
#pragma once

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QWidget>

#include <vector>

namespace lapidary::app {
class MeasuredDecoders;
class Workbench;
}  // namespace lapidary::app

namespace lapidary::views {

class DecoderTable;
class RateCurve;

class DecodersPanel : public QWidget {
    Q_OBJECT
public:
    explicit DecodersPanel(app::Workbench& workbench, QWidget* parent = nullptr);
    /// Starts measuring; stops where it runs.
    void toggle();
    /// The file whose tokens are predicted.
    void setText(const QString& path);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeFields();
    void addField(QWidget* box, const QString& label, QWidget* field, const QString& tip);
    QWidget* makeAnswer();
    QWidget* makeTable();
    /// What the field of threads says; empty: as on the Run page, or no numbers.
    std::vector<int> threads() const;
    void publish();
    void refresh();
    void refreshProgress();
    void refreshAdvice();
    void chooseText();

    app::MeasuredDecoders& decoders_;
    QLineEdit *text_, *threads_;
    QSpinBox* tokens_;
    QCheckBox* half_;
    QPushButton *choose_, *start_;
    QLabel *sentence_, *grounds_, *stage_, *advice_;
    QProgressBar* bar_;
    DecoderTable* table_;
    RateCurve* curve_;
};

}  // namespace lapidary::views
