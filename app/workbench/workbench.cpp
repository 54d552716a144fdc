// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/workbench.h"

#include <QFileInfo>
#include <QTimer>

#include <algorithm>

#include <lapidary/model_io.h>
#include <lapidary/samples.h>
#include <lapidary/trace_file.h>

#include "workbench/bounded_text.h"
#include "workbench/comparison.h"
#include "workbench/job_command.h"
#include "workbench/project.h"
#include "workbench/quantizing.h"
#include "workbench/settings.h"
#include "workbench/tuning.h"
#include "worker/worker_engine.h"

namespace lapidary::app {
namespace {

std::filesystem::path to_path(const QString& path) { return std::filesystem::path(path.toStdU16String()); }

ModelSource source_of(const std::filesystem::path& file) {
    ModelSource source;
    source.file = file;
    std::error_code gone;
    source.file_bytes = std::filesystem::file_size(file, gone);
    source.file_modified = std::filesystem::last_write_time(file, gone).time_since_epoch().count();
    return source;
}

Document make_document(Model loaded, const QString& title, ModelSource source) {
    Document document;
    document.source = std::move(source);
    document.model = std::make_shared<const Model>(std::move(loaded));
    document.source.model = document.model;
    document.summary = summarize(*document.model);
    document.layoutProblem = channel_block_problem(*document.model);
    document.title = title;
    return document;
}

}  // namespace

Workbench::Workbench(QObject* parent) : Workbench(new WorkerLink, parent) {
    if (!worker_->isSeparate())
        QTimer::singleShot(0, this, [this] {  // once there is somebody who listens
            emit logged(
                tr("Models run in this program, which a crash of theirs would end: %1.").arg(worker_->whyShared()));
        });
}

Workbench::Workbench(std::unique_ptr<Engine> engine, QObject* parent)
    : Workbench(new WorkerLink(std::move(engine), nullptr), parent) {}

Workbench::Workbench(WorkerLink* worker, QObject* parent)
    : QObject(parent), runSettings_(loadRunSettings()), recentFiles_(loadRecentFiles()), jobs_(new JobRunner(this)),
      variants_(new VariantStore(*jobs_, this)), worker_(worker), tuning_(new Tuning(*this)),
      comparison_(new Comparison(*this)), quantizing_(new Quantizing(*this)), project_(new Project(*this)) {
    worker_->setParent(this);
    connect(worker_, &WorkerLink::ended, this,
            [this](const QString& title, const QString& text) { emit logged(tr("%1. %2").arg(title, text)); });
    connect(variants_, &VariantStore::listChanged, this, [this] {  // runs of variants that are gone
        std::erase_if(otherRuns_, [this](const auto& entry) {
            return (!opened_ || entry.first != opened_->model) &&
                   std::ranges::none_of(variants_->list(),
                                        [&](const VariantPtr& v) { return v->model == entry.first; });
        });
    });
}

Workbench::~Workbench() {
    openJob_ = runJob_ = nullptr;
    variants_->disconnect(this);
    delete jobs_;  // before the members that results are published to
}

void Workbench::open(const QString& what, const QString& path, std::function<Document(const Progress&)> load) {
    if (openJob_) openJob_->cancel();
    // A job that is no longer openJob_ was replaced by a newer one: its outcome is nobody's business.
    auto self = std::make_shared<Job*>(nullptr);
    openJob_ = jobs_->start<DocumentPtr>(
        tr("Open %1").arg(what),
        [load = std::move(load)](const Progress& progress) { return std::make_shared<const Document>(load(progress)); },
        [this, self, path](DocumentPtr document) {
            if (openJob_ != *self) return;
            openJob_ = nullptr;
            if (!path.isEmpty()) rememberFile(path);
            const QString problem = tipText(document->layoutProblem);
            publishDocument(std::move(document));
            if (!problem.isEmpty()) emit channelBlockAsked(path, problem);
        },
        [this, self, what](const Error& error) {
            if (openJob_ != *self) return;
            openJob_ = nullptr;
            if (error.code() == ErrorCode::cancelled) {
                emit logged(tr("Opening %1 was cancelled.").arg(what));
                emit openCancelled();
                return;
            }
            const QString reason = QString::fromUtf8(error.what());
            emit logged(tr("Could not open %1: %2").arg(what, reason));
            emit openFailed(what, reason);
        });
    *self = openJob_;
    emit openStarted(what);
}

void Workbench::openModel(const QString& path) {
    project_->leaveThen([this, path] { loadFile(path); });
}

void Workbench::openSample(const QString& name) {
    project_->leaveThen([this, name] { loadSample(name); });
}

void Workbench::loadFile(const QString& path, int channelBlock) {
    const QFileInfo file(path);
    const QString title = file.fileName();
    open(title, file.absoluteFilePath(),
         [engine = &worker_->engine(), file = to_path(path), title, channelBlock](const Progress& progress) {
             ModelSource source = source_of(file);  // before it is read: a change while reading is told
             source.channel_block = channelBlock;
             engine->survive_reading(source, progress);
             return make_document(load_model(file, {.channel_block = channelBlock}, progress), title,
                                  std::move(source));
         });
}

void Workbench::loadSample(const QString& name) {
    QString title = name;
    for (const SampleInfo& sample : list_samples())
        if (name.toStdString() == sample.name)
            title = QString::fromUtf8(sample.title.data(), qsizetype(sample.title.size()));
    open(title, {}, [name = name.toStdString(), title](const Progress& progress) {
        progress.step("build");
        ModelSource source;
        source.sample = name;
        return make_document(build_sample(name), title, std::move(source));
    });
}

void Workbench::openAny(const QString& path) {
    if (isProjectFile(path))
        project_->open(path);
    else if (path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive))
        openTrace(path);
    else
        openModel(path);
}

void Workbench::cancelOpen() {
    if (openJob_) openJob_->cancel();
}

void Workbench::adopt(ModelPtr model, const QString& title) {
    if (openJob_) openJob_->cancel();
    openJob_ = nullptr;
    auto summary = summarize(*model);
    ModelSource source;
    source.model = model;
    publishDocument(std::make_shared<const Document>(
        Document{std::move(model), std::move(summary), title, nullptr, std::move(source), {}}));
}

void Workbench::protectOpenedFiles() {
    openedFiles_.reset();
    if (!opened_) return;
    openedFiles_.emplace(InputProtection::Of::named_files);
    protect_input(opened_->model->path);
    for (const std::filesystem::path& file : opened_->model->external_files) protect_input(file);
}

void Workbench::publishDocument(DocumentPtr document) {
    runSettings_.dimensions.clear();
    runSettings_.config.clear();
    const auto old = std::exchange(opened_, document);
    const auto oldShown = std::exchange(document_, document);  // variants, opened() and document() change together
    protectOpenedFiles();
    for (auto& [model, run] : std::exchange(otherRuns_, {})) retire(std::move(run));
    emit logged(tr("Opened %1: %2 nodes.").arg(document->title).arg(document->summary.nodes));
    variants_->open(document->model, document->summary);
    emit openedChanged();
    focus_ = {};
    show(std::move(document), nullptr);
    emit runSettingsChanged();
    retire(old);
    retire(oldShown);
}

void Workbench::closeModel() {
    if (openJob_) openJob_->cancel();
    openJob_ = nullptr;
    runSettings_.dimensions.clear();
    const auto old = std::exchange(opened_, nullptr);
    const auto oldShown = std::exchange(document_, nullptr);
    protectOpenedFiles();
    for (auto& [model, run] : std::exchange(otherRuns_, {})) retire(std::move(run));
    variants_->open(nullptr, {});
    emit openedChanged();
    focus_ = {};
    show(nullptr, nullptr);
    emit runSettingsChanged();
    retire(old);
    retire(oldShown);
}

void Workbench::show(DocumentPtr document, RunRecordPtr run) {
    cancelRun();
    runJob_ = nullptr;  // what it still reports belongs to the old document
    const auto old = std::exchange(document_, std::move(document));
    const auto oldRun = std::exchange(run_, std::move(run));
    if (!document_ || focus_.body || (focus_.node && !document_->model->graph.is_alive(focus_.node)) ||
        (focus_.value && !document_->model->graph.is_alive(focus_.value)))
        focus_ = {};
    focus_.beginNs = focus_.endNs = -1;
    emit documentChanged();
    emit runChanged();
    emit focusChanged(focus_);
    retire(old);
    retire(oldRun);
}

ModelSource Workbench::sourceOf(const VariantPtr& variant) const {
    if (!opened_) return {};
    ModelSource source = opened_->source;
    if (!variant || variant->isOriginal()) return source;
    source.model = variant->model;
    source.recipe = toJson(variant->recipe).toStdString();
    source.quantized = variant->quantized;
    return source;
}

void Workbench::showVariant(const VariantPtr& variant) {
    if (!variant || !opened_ || document_->variant == variant || (variant->isOriginal() && !document_->variant)) return;
    if (run_ && document_) otherRuns_[document_->model] = run_;
    DocumentPtr shown = opened_;
    if (!variant->isOriginal())
        shown = std::make_shared<const Document>(Document{variant->model,
                                                          variant->summary,
                                                          tr("%1 · %2").arg(opened_->title, variant->name),
                                                          variant,
                                                          sourceOf(variant),
                                                          {}});
    variants_->setInUse(variant);
    const auto run = otherRuns_.find(shown->model);
    emit logged(tr("Showing %1: %2 nodes.").arg(shown->title).arg(shown->summary.nodes));
    show(std::move(shown), run == otherRuns_.end() ? nullptr : run->second);
}

void Workbench::startRun() {
    if (!document_ || runJob_) return;
    auto self = std::make_shared<Job*>(nullptr);
    runJob_ = jobs_->start<RunRecordPtr>(
        tr("Run %1").arg(document_->title),
        [engine = &worker_->engine(), source = document_->source, settings = runSettings_](const Progress& progress) {
            return std::make_shared<const RunRecord>(engine->profile(source, settings, progress));
        },
        [this, self](RunRecordPtr run) {
            if (runJob_ != *self) return;
            runJob_ = nullptr;
            emit logged(tr("Ran %1: %2 ms.").arg(document_->title).arg(run->summary.wall_ms, 0, 'f', 3));
            publishRun(std::move(run));
        },
        [this, self](const Error& error) {
            if (runJob_ != *self) return;
            runJob_ = nullptr;
            if (error.code() == ErrorCode::cancelled) {
                emit logged(tr("The run was cancelled."));
                emit runCancelled();
                return;
            }
            if (is_worker_death(error)) {  // told by WorkerLink; what was there before is there again
                emit runCancelled();
                return;
            }
            const QString reason = QString::fromUtf8(error.what());
            emit logged(tr("The run failed: %1").arg(reason));
            emit runFailed(reason);
        });
    *self = runJob_;
    runJob_->setCommand(profileCommand(document_->source, runSettings_));
    emit runStarted();
}

void Workbench::cancelRun() {
    if (runJob_) runJob_->cancel();
}

void Workbench::publishRun(RunRecordPtr run) {
    const auto old = std::exchange(run_, std::move(run));
    emit runChanged();
    retire(old);
}

void Workbench::openTrace(const QString& path) {
    const QString what = QFileInfo(path).fileName();
    jobs_->start<RunRecordPtr>(
        tr("Open %1").arg(what),
        [file = to_path(path), shown = document_ ? document_->model : nullptr](const Progress& progress) {
            progress.step("read trace");
            RunRecord record;
            LoadedTrace loaded = load_trace(file, progress.cancel);
            auto profile = std::make_shared<Profile>(std::move(loaded.profile));
            if (loaded.source == TraceSource::onnxruntime)
                profile->note =
                    tr("Recorded by ONNX Runtime.").toStdString() + (profile->note.empty() ? "" : " ") + profile->note;
            if (shown) {
                progress.step("match nodes");
                record.traced = shown;
                record.match = match_trace(*profile, shown->graph);
            }
            record.profile = std::move(profile);
            progress.step("summarize");
            record.summary = summarize(*record.profile);
            if (!record.profile->note.empty()) record.summary.verdict += " " + record.profile->note;
            return std::make_shared<const RunRecord>(std::move(record));
        },
        [this, what, absolute = QFileInfo(path).absoluteFilePath()](RunRecordPtr run) {
            cancelRun();
            rememberFile(absolute);
            emit logged(tr("Opened the trace %1.").arg(what));
            publishRun(std::move(run));
        },
        [this, what](const Error& error) {
            if (error.code() == ErrorCode::cancelled) return;
            emit logged(tr("Could not open %1: %2").arg(what, QString::fromUtf8(error.what())));
            emit traceFailed(what, QString::fromUtf8(error.what()));
        });
}

void Workbench::saveTrace(const QString& path) {
    if (!run_) return;
    const QString what = QFileInfo(path).fileName();
    jobs_->start<bool>(
        tr("Save %1").arg(what),
        [run = run_, file = to_path(path)](const Progress&) {
            save_chrome_trace(*run->profile, file);
            return true;
        },
        [this, path](bool) {
            emit logged(tr("Saved the trace %1.").arg(path));
            emit traceSaved(path);
        },
        [this, what](const Error& error) {
            if (error.code() == ErrorCode::cancelled) return;
            emit logged(tr("Could not save %1: %2").arg(what, QString::fromUtf8(error.what())));
            emit traceFailed(what, QString::fromUtf8(error.what()));
        });
}

void Workbench::setRunSettings(const RunSettings& settings) {
    if (settings == runSettings_) return;
    runSettings_ = settings;
    saveRunSettings(settings);
    emit runSettingsChanged();
}

void Workbench::setFocus(const Focus& focus) {
    if (focus == focus_) return;
    focus_ = focus;
    emit focusChanged(focus_);
}

void Workbench::focusNode(NodeId node) {
    Focus focus = focus_;
    focus.node = node;
    focus.value = {};
    focus.body = nullptr;
    setFocus(focus);
}

void Workbench::focusValue(ValueId value) {
    Focus focus = focus_;
    focus.node = {};
    focus.value = value;
    focus.body = nullptr;
    setFocus(focus);
}

void Workbench::clearRecentFiles() {
    recentFiles_.clear();
    saveRecentFiles(recentFiles_);
    emit recentFilesChanged();
}

void Workbench::rememberFile(const QString& path) {
    recentFiles_.removeAll(path);
    recentFiles_.prepend(path);
    recentFiles_ = recentFiles_.mid(0, most_recent_files);
    saveRecentFiles(recentFiles_);
    emit recentFilesChanged();
}

/// Large results take long to free: the last owner should be a worker, not the GUI thread.
void Workbench::retire(std::shared_ptr<const void> result) {
    if (!result) return;
    jobs_->releaseLater(std::move(result));
}

}  // namespace lapidary::app
