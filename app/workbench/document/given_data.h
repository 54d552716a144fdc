// SPDX-License-Identifier: GPL-3.0-or-later
// The inputs that the user gives for runs of the opened model. The worker inspects files and
// folders and finds out which input each is for. Sizes that follow from them become the sizes in
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
    /// Gives the file to this input, whatever the file is called.
    void giveInput(const QString& input, const QString& path);
    void setText(const QString& text);
    void setVocabulary(const QString& path);
    /// Removes the given value: the input is generated again.
    void forget(const QString& input);
    /// Removes everything given: all inputs are generated and no outputs are compared.
    void clear();
    /// Inspects the inputs again if the settings have changed since.
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
