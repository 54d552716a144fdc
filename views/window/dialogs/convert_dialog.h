// SPDX-License-Identifier: GPL-3.0-or-later
// The Convert dialog: a newer opset, dimensions fixed, outputs left out, large weights beside the
// model. Shows the changes and their reasons while the user chooses, and writes the result to a new
// file.
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
    /// The changes by the chosen conversion; empty while they are computed, or if there are none.
    QTreeWidget* changes() const { return changes_; }
    bool isPreviewing() const { return delay_.isActive() || preview_.isRunning(); }
    void save(const QString& path);
    /// Chooses a newer opset; sets the keyboard focus to the first dimension; to the outputs.
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
    void showPreview(const app::ExportedModel& converted);
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
    bool canSave_ = false;  // the preview shows what the chosen conversion changes
    app::LatestJob preview_, saving_;
};

}  // namespace lapidary::views
