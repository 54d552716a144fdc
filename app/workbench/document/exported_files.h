// SPDX-License-Identifier: GPL-3.0-or-later
// Writes model files for other programs when a variant that has no file yet is dragged out of the
// window.
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

/// What a file is to contain, and its name.
struct FileRequest {
    std::weak_ptr<const void>
        key;            // the variant or model, which is written once however often it is requested
    ModelSource model;  // before the options are applied
    ExportOptions options;
    std::string editsAfter;  // lines for what the level made
    QString name;            // "net.extended.onnx"
};
/// The file that the Export dialog would write with its initial settings. `opened`: the model that
/// the variant was made from. `title`: the base of file names.
FileRequest requestOf(const ModelSource& opened, const VariantPtr& variant, const QString& title);
/// For an unchanged model that has no file of its own.
FileRequest requestOf(const ModelSource& model, const QString& title);

/// The model's own file and the files of its weights. Empty unless all exist and lie in one folder.
QStringList filesOf(const Model& model);

/// Writes the files to temporary folders. The folders are removed with this object and not earlier,
/// because the program that receives a file may take a while to copy it.
class ExportedFiles : public QObject {
    Q_OBJECT
public:
    ExportedFiles(JobRunner& jobs, Engine& engine, QObject* parent = nullptr)
        : QObject(parent), jobs_(jobs), engine_(engine) {}
    /// The path of the written file; empty: it is not written yet.
    QString find(const FileRequest& request) const;
    /// Starts to write the file unless that is under way; finished() is emitted at the end.
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
    Engine& engine_;
    std::map<std::weak_ptr<const void>, Written, std::owner_less<>> written_;
};

}  // namespace lapidary::app
