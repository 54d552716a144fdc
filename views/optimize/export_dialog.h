// SPDX-License-Identifier: GPL-3.0-or-later
// The Export dialog: target, options, and the command that repeats the export. Writes in a job.
#pragma once

#include <QButtonGroup>
#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>

#include <lapidary/export/export_model.h>
#include <lapidary/onnx_io/model_io.h>

#include "workbench/workbench.h"

namespace lapidary::views {

class ExportPreview;

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    ExportDialog(app::Workbench& workbench, const app::Recipe& recipe, QWidget* parent = nullptr);
    ~ExportDialog() override;

    void setPath(const QString& path);
    QString path() const;
    void setTarget(ExportTarget target);
    ExportTarget target() const;
    /// Chooses the edited model as `lapidary-cli edit` writes it. Only where edits are all that the
    /// recipe has.
    void setAsItIs();
    bool isAsItIs() const;
    QString command() const;
    bool isSaving() const { return !job_.isNull(); }
    /// Asks for confirmation if the file is the open one.
    void save();

signals:
    void saved(const QString& path, const QStringList& notes);
    void failed(const QString& reason);

protected:
    void reject() override;

private:
    QWidget* makeTargets();
    QWidget* makeOptions();
    void connectParts();
    void choosePath();
    void write(bool overSource);
    void refresh();
    QString contentsText() const;
    ExportOptions exportOptions() const;
    SaveOptions saveOptions() const;
    bool isSource() const;
    QStringList keptOutputs() const;

    app::Workbench& workbench_;
    app::DocumentPtr document_;
    // the model that the recipe's level is applied to: the opened one, or that one edited or
    // quantized
    app::ModelSource base_;
    ModelSummary baseSummary_;
    app::Recipe recipe_;
    QButtonGroup* targets_;
    QWidget* options_ = nullptr;  // none of them applies to the model as it is
    QLineEdit* path_;
    QCheckBox *external_, *batched_;
    QSpinBox *externalKb_, *batch_;
    std::vector<std::pair<std::string, QSpinBox*>> dimensions_;
    QListWidget* outputs_;
    QPlainTextEdit* command_;
    QLabel *contents_, *status_;
    ExportPreview* preview_;
    QProgressBar* progress_;
    QPushButton *save_ = nullptr, *copy_ = nullptr, *close_ = nullptr;
    QPointer<app::Job> job_;
};

}  // namespace lapidary::views
