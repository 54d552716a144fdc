// SPDX-License-Identifier: GPL-3.0-or-later
// The inputs that the user gives runs of the opened model: files and folders are looked at in the
// worker, which finds out what each is for; what they fix of the model's sizes becomes the sizes in
// force.
#pragma once

#include <QObject>
#include <QStringList>

#include <memory>

#include "workbench/jobs/latest_job.h"
#include "worker/inputs/input_preview.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

class Engine;
class OpenedModel;

using InputPreviewPtr = std::shared_ptr<const InputPreview>;

class GivenData : public QObject {
    Q_OBJECT
public:
    GivenData(OpenedModel& opened, JobRunner& jobs, Engine& engine, QObject* parent = nullptr);
    /// How the inputs look under the settings in force; null: not looked at yet.
    InputPreviewPtr preview() const { return preview_; }
    const GivenInputs& given() const;
    bool isPreviewing() const { return job_.isRunning(); }
    /// What of the last files belonged nowhere, each with its reason.
    QStringList refused() const { return refused_; }

public slots:
    /// Files or folders for the model's inputs, or with its recorded outputs.
    void give(const QStringList& paths);
    /// For one input alone, whatever the file is called.
    void giveInput(const QString& input, const QString& path);
    void setText(const QString& text);
    void setVocabulary(const QString& path);
    /// The input is generated again.
    void forget(const QString& input);
    /// All inputs are generated, nothing is compared.
    void clear();
    /// Looks again where the settings have changed since.
    void refresh();

signals:
    void changed();

private:
    void take(const GivenInputs& given, const std::vector<std::string>& dropped);
    void adopt(const RunSettings& asked, InputPreview preview);
    OpenedModel& opened_;
    JobRunner& jobs_;
    Engine& engine_;
    InputPreviewPtr preview_;
    RunSettings previewedSettings_;  // under which
    QStringList refused_;
    LatestJob job_;
};

}  // namespace lapidary::app
