// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/document/model_opener.h"

#include <QFileInfo>

#include <lapidary/inputs/samples.h>

#include "workbench/text/bounded_text.h"
#include "workbench/project/recent_files.h"
#include "worker/jobs/open_job.h"

namespace lapidary::app {
namespace {

ModelSource source_of(const std::filesystem::path& file, std::uint64_t document) {
    ModelSource source;
    source.document = document;
    source.file = file;
    std::error_code gone;
    source.file_bytes = std::filesystem::file_size(file, gone);
    source.file_modified = std::filesystem::last_write_time(file, gone).time_since_epoch().count();
    return source;
}

Document make_document(OpenedFile opened, const QString& title, ModelSource source) {
    Document document;
    document.faults = std::move(opened.faults);
    document.source = std::move(source);
    document.model = std::move(opened.model);
    document.source.model = document.model;
    document.summary = summarize(*document.model);
    document.layoutProblem = std::move(opened.layout_problem);
    document.title = title;
    return document;
}

}  // namespace

ModelOpener::ModelOpener(OpenedModel& opened, JobRunner& jobs, Engine& engine, RecentFiles& recent,
                         QObject* parent)
    : QObject(parent), opened_(opened), jobs_(jobs), engine_(engine), recent_(recent) {}

void ModelOpener::open(const QString& what, const QString& path,
                       std::function<Document(const Progress&)> load) {
    job_.start<DocumentPtr>(
        jobs_, tr("Open %1").arg(what),
        [load = std::move(load)](const Progress& progress) {
            return std::make_shared<const Document>(load(progress));
        },
        [this, path](DocumentPtr document) {
            if (!path.isEmpty()) recent_.remember(path);
            const QString problem = tipText(document->layoutProblem);
            opened_.open(std::move(document));
            if (!problem.isEmpty()) emit channelBlockAsked(path, problem);
        },
        [this, what](const Error& error) {
            if (error.code() == ErrorCode::cancelled) {
                emit logged(tr("Opening %1 was cancelled.").arg(what));
                emit cancelled();
                return;
            }
            const QString reason = QString::fromUtf8(error.what());
            emit logged(tr("Could not open %1: %2").arg(what, reason));
            emit failed(what, reason);
        });
    emit started(what);
}

void ModelOpener::loadFile(const QString& path, int channelBlock) {
    recent_.note(path);
    const QFileInfo file(path);
    const QString title = file.fileName();
    open(title, file.absoluteFilePath(),
         [&engine = engine_, file = std::filesystem::path(path.toStdU16String()), title,
          channelBlock, document = ++newest_](const Progress& progress) {
             // recorded before reading, so that a change during reading is noticed
             ModelSource source = source_of(file, document);
             source.channel_block = channelBlock;
             return make_document(open_model(engine, source, progress), title, source);
         });
}

void ModelOpener::loadSample(const QString& name) {
    QString title = name;
    for (const SampleInfo& sample : list_samples())
        if (name.toStdString() == sample.name)
            title = QString::fromUtf8(sample.title.data(), qsizetype(sample.title.size()));
    open(title, {},
         [&engine = engine_, name = name.toStdString(), title,
          document = ++newest_](const Progress& progress) {
             ModelSource source;
             source.document = document;
             source.sample = name;
             return make_document(open_model(engine, source, progress), title, source);
         });
}

void ModelOpener::adopt(ModelPtr model, const QString& title) {
    job_.drop();
    auto summary = summarize(*model);
    ModelSource source;
    source.model = model;
    opened_.open(std::make_shared<const Document>(
        Document{std::move(model), std::move(summary), title, nullptr, std::move(source), {}}));
}

void ModelOpener::close() {
    job_.drop();
    opened_.open(nullptr);
}

}  // namespace lapidary::app
