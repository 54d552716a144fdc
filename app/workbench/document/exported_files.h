// SPDX-License-Identifier: GPL-3.0-or-later
// Files of models for other programs, where there are none yet: a variant that is dragged out of
// the window.
#pragma once

#include <QObject>
#include <QStringList>

#include <map>
#include <memory>

#include <lapidary/export/export_model.h>
#include <lapidary/internal/scratch_folder.h>

#include "workbench/jobs/job_runner.h"
#include "workbench/document/variant.h"

namespace lapidary::app {

/// What is to be in a file, and its name.
struct FileRequest {
    std::weak_ptr<const void> key;  // a variant or a model: the same one is written once
    ModelPtr model;                 // as it was before the options
    ExportOptions options;
    QString name;  // "net.extended.onnx"
};
/// As the Export dialog would write it when nothing is changed there. `title`: what names are made
/// of.
FileRequest requestOf(const VariantPtr& variant, const QString& title);
/// Of a model as it is, without a file of its own.
FileRequest requestOf(const ModelPtr& model, const QString& title);

/// The model's own file and those of its weights, where they lie in one folder and are there; else
/// nothing.
QStringList filesOf(const Model& model);

/// Written to temporary folders, which are removed with this object: a receiver of a file may copy
/// it for a while.
class ExportedFiles : public QObject {
    Q_OBJECT
public:
    explicit ExportedFiles(JobRunner& jobs, QObject* parent = nullptr)
        : QObject(parent), jobs_(jobs) {}
    /// Empty: it is not written.
    QString find(const FileRequest& request) const;
    /// Starts to write unless that is under way; finished() is emitted at the end.
    void make(const FileRequest& request);
    bool isMaking(const FileRequest& request) const {
        return written_.contains(request.key) && find(request).isEmpty();
    }

signals:
    void finished();
    void failed(const QString& name, const QString& reason);

private:
    struct Written {
        std::shared_ptr<ScratchFolder> folder;  // null: under way
        QString path;
    };
    JobRunner& jobs_;
    std::map<std::weak_ptr<const void>, Written, std::owner_less<>> written_;
};

}  // namespace lapidary::app
