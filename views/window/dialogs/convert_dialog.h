// SPDX-License-Identifier: GPL-3.0-or-later
// Convert: a newer opset, dimensions fixed, outputs left out, large weights beside the model. Shows
// what changes and why while one chooses, and writes the result into a file of its own.
#pragma once

#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>
#include <QTreeWidget>

#include "workbench/document/conversion.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class ConvertDialog : public QDialog {
    Q_OBJECT
public:
    explicit ConvertDialog(app::Workbench& workbench, QWidget* parent = nullptr);

    app::Conversion conversion() const;
    QString sentence() const { return sentence_->text(); }
    /// The changes that the conversion now chosen makes; empty while they are being found out, or
    /// there are none.
    QTreeWidget* changes() const { return changes_; }
    bool isPreviewing() const { return delay_.isActive() || preview_.isRunning(); }
    void save(const QString& path);
    /// A newer opset is chosen; the keyboard goes to the first dimension; to the outputs.
    void chooseOpset();
    void askForDimensions();
    void askForOutputs();

signals:
    void previewed();
    void saved(const QString& path);
    void failed(const QString& reason);

private:
    QWidget* makeChoices();
    void makePreview();
    void choosePath();
    void changed();
    void startPreview();
    void showPreview(app::ConversionResult result);
    void refuse(const QString& reason);
    void refresh();
    QString suggestedPath() const;

    app::Workbench& workbench_;
    app::DocumentPtr document_;
    QCheckBox *upgrade_, *external_, *open_;
    QSpinBox *opset_, *externalKb_;
    std::vector<std::pair<std::string, QSpinBox*>> dimensions_;
    QListWidget* outputs_;
    QTreeWidget* changes_;
    QLabel *sentence_, *status_;
    QPlainTextEdit* command_;
    QProgressBar* progress_;
    QPushButton *save_, *close_;
    QTimer delay_;
    ModelPtr converted_;  // what is previewed; null: nothing, or it was refused
    app::LatestJob preview_, saving_;
};

}  // namespace lapidary::views
