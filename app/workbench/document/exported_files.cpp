// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/document/exported_files.h"

#include <QFileInfo>
#include <QPointer>

#include <algorithm>
#include <filesystem>

#include "workbench/text/bounded_text.h"
#include "worker/jobs/export_job.h"

namespace lapidary::app {

FileRequest requestOf(const ModelSource& opened, const VariantPtr& variant, const QString& title) {
    const Recipe& recipe = variant->recipe;
    FileRequest request;
    request.key = variant;
    // a variant of an edited or quantized model or of another file is exported from that model
    const Variant& base = recipe.isBase() || variant->isOriginal() ? *variant : *variant->parent;
    request.model = opened;
    request.model.model = base.model;
    if (!base.isOriginal()) {
        request.model.recipe = base.recipe;
        request.model.quantized = base.quantized;
    }
    request.options.target =
        recipe.level == Level::all ? ExportTarget::cpu : ExportTarget::portable;
    request.options.optimize = recipe.options();
    request.options.optimize.near_misses = false;
    request.options.optimize.level =
        std::min(request.options.optimize.level, info_of(*request.options.target).level);
    request.editsAfter = recipe.edits_after;
    request.name = fileNameOf(recipe, title);
    return request;
}

FileRequest requestOf(const ModelSource& model, const QString& title) {
    FileRequest request;
    request.key = model.model;
    request.model = model;
    request.options.optimize.level = Level::disabled;
    request.name = QFileInfo(title).completeBaseName() + QStringLiteral(".onnx");
    return request;
}

QStringList filesOf(const Model& model) {
    std::error_code problem;
    if (model.path.empty() || !std::filesystem::exists(model.path, problem)) return {};
    QStringList files{exactText(model.path.string())};
    for (const std::filesystem::path& file : model.external_files) {
        if (file.parent_path() != model.path.parent_path() ||
            !std::filesystem::exists(file, problem))
            return {};
        files << exactText(file.string());
    }
    return files;
}

QString ExportedFiles::find(const FileRequest& request) const {
    const auto at = written_.find(request.key);
    return at == written_.end() ? QString() : at->second.path;
}

void ExportedFiles::make(const FileRequest& request) {
    if (!written_.try_emplace(request.key).second) return;
    const QPointer<ExportedFiles> self(this);
    jobs_.start<Written>(
        tr("Export %1").arg(labelText(request.name)),
        [engine = &engine_,
         job = ExportJob{request.model, {}, request.options, {}, {}, false, request.editsAfter},
         name = request.name](const Progress& progress) mutable {
            Written written{std::make_shared<ScratchFolder>(), {}};
            job.file =
                written.folder->path() / std::filesystem::path(name.toStdU16String()).filename();
            engine->call(job, progress);
            written.path = exactText(job.file.string());
            return written;
        },
        [self, key = request.key](const Written& written) {
            if (!self) return;
            self->written_[key] = written;
            emit self->finished();
        },
        [self, key = request.key, name = request.name](const Error& error) {
            if (!self) return;
            self->written_.erase(key);
            if (error.code() != ErrorCode::cancelled)
                emit self->failed(name, tipText(error.what()));
            emit self->finished();
        });
}

}  // namespace lapidary::app
