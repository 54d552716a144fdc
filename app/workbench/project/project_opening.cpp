// SPDX-License-Identifier: GPL-3.0-or-later
// Opens project files: reads them, finds and checks the model, opens it, restores the rest. Also
// saves them.
#include <QFileInfo>
#include <QLocale>

#include <algorithm>

#include <lapidary/internal/text_file.h>

#include "workbench/project/file_digest.h"
#include "workbench/document/model_opener.h"
#include "workbench/document/opened_model.h"
#include "workbench/project/project.h"
#include "workbench/project/project_pending.h"
#include "workbench/project/recent_files.h"
#include "workbench/tuning/tuning.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::app {
namespace {

// bytes; hashing them takes some hundredths of a second
constexpr std::uint64_t most_hashed_before = 16'000'000;

/// Says how the file's size differs from the recorded one; empty: it does not.
QString differenceOfSize(const ModelReference& model, std::uint64_t bytes) {
    if (model.bytes == 0 || bytes == model.bytes) return {};
    const QLocale locale;
    return Project::tr("it has %1 bytes now and had %2 when the project was saved")
        .arg(locale.toString(qulonglong(bytes)), locale.toString(qulonglong(model.bytes)));
}

/// Says that the file's bytes differ from the recorded ones; empty: they do not. Sets the hash.
QString differenceOfBytes(ModelReference& model, const Progress& progress) {
    const std::uint64_t bytes = std::filesystem::file_size(toPath(model.path));
    const QByteArray hash = sha256Of(toPath(model.path), progress);
    if (!model.sha256.isEmpty() && hash != model.sha256)
        return Project::tr(
                   "its bytes are not those that it had when the project was saved (SHA-256 %1… "
                   "instead of %2…)")
            .arg(QString::fromLatin1(hash.left(12)), QString::fromLatin1(model.sha256.left(12)));
    model.sha256 = hash;
    model.bytes = bytes;
    return {};
}

std::int64_t modifiedTime(const QString& path) {
    std::error_code gone;
    return std::filesystem::last_write_time(toPath(path), gone).time_since_epoch().count();
}

struct Checked {
    bool exists = false;
    QString difference;
    ModelReference model;
    std::int64_t modified = 0;
    bool isHashed = true;  // false: the file is large, and only its size was checked
};

Checked checked(ModelReference model, const Progress& progress) {
    Checked result;
    std::error_code failure;
    result.exists = std::filesystem::is_regular_file(toPath(model.path), failure);
    if (!result.exists) return result;
    result.modified = modifiedTime(model.path);
    const std::uint64_t bytes = std::filesystem::file_size(toPath(model.path));
    result.difference = differenceOfSize(model, bytes);
    result.isHashed = bytes <= most_hashed_before;
    if (result.difference.isEmpty() && result.isHashed)
        result.difference = differenceOfBytes(model, progress);
    result.model = std::move(model);
    return result;
}

}  // namespace

void Project::open(const QString& given) {
    const QString path = QFileInfo(given).absoluteFilePath(), what = QFileInfo(given).fileName();
    recent_.note(given);
    leaveThen([this, path, what] {
        giveUpOpening();
        checking_.start<ProjectState>(
            jobs_, tr("Open %1").arg(what),
            [path](const Progress& progress) {
                progress.step("read project");
                try {
                    return projectFromText(
                        QByteArray::fromStdString(load_text(toPath(path), most_project_bytes)),
                        QFileInfo(path).absolutePath());
                } catch (Error& error) {
                    if (error.where().empty()) throw error.at(path.toStdString());
                    throw;
                }
            },
            [this, path](ProjectState state) {
                pending_ = std::make_unique<Pending>(Pending{path, std::move(state)});
                checkModel();
            },
            [this, path](const Error& error) {
                if (error.code() == ErrorCode::cancelled) return;
                emit logged(tr("Could not open %1: %2").arg(path, QString::fromUtf8(error.what())));
                emit openFailed(path, QString::fromUtf8(error.what()));
            });
    });
}

void Project::restore(const ProjectState& state, const QString& path) {
    giveUpOpening();
    pending_ = std::make_unique<Pending>(Pending{path, state, true});
    checkModel();
}

void Project::openWith(const QString& modelPath) {
    if (!pending_) return;
    pending_->state.model->path = QFileInfo(modelPath).absoluteFilePath();
    pending_->modified = true;
    checkModel();
}

void Project::openAllTheSame() {
    if (!pending_) return;
    pending_->modified = true;
    unhashed_.reset();
    openModel();
}

void Project::readAgain() {
    if (!opened_.opened() || opened_.opened()->source.file.empty()) return;
    ProjectState again = state();
    // what is read is another file on purpose
    again.model->bytes = again.model->external_bytes = 0;
    again.model->sha256.clear();
    again.settings.given = {};  // arrays that may not fit it
    again.runs.clear();
    again.guards.clear();
    again.sweep.reset();
    const bool isModified = !path_.isEmpty() || differsFromFile_ || hasDearChanges();
    giveUpOpening();
    pending_ = std::make_unique<Pending>(Pending{path_, std::move(again), isModified});
    checkModel();
}

/// Checks the hash of a model that is open already, and reports a difference afterwards.
void Project::hashBehind(const ModelReference& model) {
    hashing_.start<Checked>(
        jobs_, tr("Check %1").arg(QFileInfo(model.path).fileName()),
        [model](const Progress& progress) {
            Checked result;
            result.model = model;
            result.modified = modifiedTime(model.path);
            result.difference = differenceOfBytes(result.model, progress);
            return result;
        },
        [this](Checked result) {
            if (result.difference.isEmpty()) {
                hashed_ = std::move(result.model);
                hashedModified_ = result.modified;
                return;
            }
            differsFromFile_ = true;
            refreshModified();
            emit logged(tr("%1: %2").arg(result.model.path, result.difference));
            emit openedModelDiffers(result.model.path, result.difference);
        },
        [this](const Error& error) {
            if (error.code() != ErrorCode::cancelled) emit logged(QString::fromUtf8(error.what()));
        });
}

void Project::giveUpOpening() {
    checking_.drop();
    unhashed_.reset();
    pending_.reset();
}

void Project::failOpening(const QString& reason) {
    const QString path = pending_->path;
    pending_.reset();
    emit openFailed(path, reason);
}

/// Checks the file before the open model is closed.
void Project::checkModel() {
    const auto& model = pending_->state.model;
    if (!model || !model->sample.isEmpty()) return openModel();
    recent_.note(model->path);
    checking_.start<Checked>(
        jobs_, tr("Look for %1").arg(QFileInfo(model->path).fileName()),
        [model = *model](const Progress& progress) { return checked(model, progress); },
        [this](Checked result) {
            if (!pending_) return;
            const QString path = pending_->state.model->path;
            if (!result.exists) return emit modelMissing(path, pending_->path);
            if (!result.difference.isEmpty()) return emit modelDiffers(path, result.difference);
            unhashed_.reset();
            if (result.isHashed) {
                hashed_ = std::move(result.model);
                hashedModified_ = result.modified;
            } else {
                unhashed_ = std::move(result.model);
            }
            openModel();
        },
        [this](const Error& error) {
            if (!pending_) return;
            if (error.code() == ErrorCode::cancelled) return pending_.reset();
            failOpening(QString::fromUtf8(error.what()));
        });
}

void Project::openModel() {
    pending_->loading = true;
    const auto& model = pending_->state.model;
    if (!model) return opener_.close();
    if (!model->sample.isEmpty()) return opener_.loadSample(model->sample);
    opener_.loadFile(model->path);
}

void Project::startOver() {
    hashing_.drop();
    stack_.clear();
    runs_.clear();
    guards_.clear();
    seenRuns_.clear();
    wantedSlots_ = {};
    wantedShown_.reset();
    resultsChanged_ = differsFromFile_ = false;
    workSeconds_ = 0;
    atWork_.clear();  // running jobs belong to the previous model
    adopted_.clear();
    path_.clear();
    notes_.clear();
    const auto sweep = tuning_.result();  // it may have results of the model from earlier
    measuredCells_ =
        sweep && opened_.opened()
            ? std::size_t(std::ranges::count(sweep->cells, CellState::done, &SweepCell::state))
            : 0;
    recipe_ = {};
    recipe_.level = Level::extended;
    ProjectState state;
    state.chosen = recipe_;
    bool fromFile = false;
    if (pending_ && pending_->loading) {
        const auto& wanted = pending_->state.model;
        const DocumentPtr opened = opened_.opened();
        fromFile = !wanted
                       ? !opened
                       : opened && (wanted->sample.isEmpty()
                                        ? toPath(wanted->path) == opened->source.file
                                        : wanted->sample.toStdString() == opened->source.sample);
        if (fromFile) {
            state = std::move(pending_->state);
            path_ = pending_->path;
            differsFromFile_ = pending_->modified;
        }
        pending_.reset();
    }
    adopt(state);
    const std::optional<ModelReference> unhashed = std::exchange(unhashed_, std::nullopt);
    if (!fromFile) return;
    if (unhashed) hashBehind(*unhashed);
    if (!path_.isEmpty()) recent_.remember(path_);
    if (state.model && opened_.opened() &&
        opened_.opened()->model->external_bytes != state.model->external_bytes &&
        state.model->external_bytes > 0)
        emit logged(tr("The weights kept beside the model have %1 bytes now and had %2 when the "
                       "project was saved.")
                        .arg(opened_.opened()->model->external_bytes)
                        .arg(state.model->external_bytes));
    // Posted, so that the views show the model first.
    QMetaObject::invokeMethod(
        this, [this, page = state.page] { emit opened(page); }, Qt::QueuedConnection);
}

void Project::adopt(const ProjectState& state) {
    adopted_ = state.variants;
    recipe_ = state.chosen;
    notes_ = state.notes;
    page_ = state.page;
    runs_ = state.runs;
    guards_ = state.guards;
    if (state.model) {
        opened_.setRunSettings(state.settings);
        std::vector<Recipe> recipes = state.variants;
        for (const auto& recipe : state.compared)
            if (recipe) recipes.push_back(*recipe);
        recipes.push_back(state.shown);
        wantedSlots_ = state.compared;
        if (!state.shown.isOriginal()) wantedShown_ = state.shown;
        variants_.require(recipes);
        if (state.sweep) {
            // the restored sweep is not a new result
            measuredCells_ = std::size_t(
                std::ranges::count(state.sweep->cells, CellState::done, &SweepCell::state));
            tuning_.adopt(*state.sweep, state.swept);
        }
    }
    emit recipeChanged(recipe_);
    emit notesChanged();
    emit figuresChanged();
    emit pathChanged();
    refreshModified();
}

void Project::saveAs(const QString& given) {
    if (given.isEmpty() || saving_) return;
    const QString path = QFileInfo(given).absoluteFilePath();
    recent_.note(given);
    const std::int64_t modified = opened_.opened() ? opened_.opened()->source.file_modified : 0;
    saving_.start<ModelReference>(
        jobs_, tr("Save %1").arg(QFileInfo(path).fileName()),
        [state = state(), path](const Progress& progress) mutable {
            if (state.model && state.model->sample.isEmpty()) {
                if (state.model->path.isEmpty())
                    fail(ErrorCode::not_supported,
                         "the model has no file yet: save it as a file first and open that");
                if (state.model->sha256.isEmpty())
                    state.model->sha256 = sha256Of(toPath(state.model->path), progress);
            }
            progress.step("write");
            save_text(toPath(path), toText(state, QFileInfo(path).absolutePath()).toStdString());
            return state.model.value_or(ModelReference());
        },
        [this, path, modified, index = stack_.index(), results = results_](ModelReference model) {
            if (!model.sha256.isEmpty()) {
                hashed_ = std::move(model);
                hashedModified_ = modified;
            }
            path_ = path;
            if (stack_.index() == index) stack_.setClean();
            if (results_ == results) resultsChanged_ = false, workSeconds_ = 0;
            differsFromFile_ = false;
            recent_.remember(path);
            emit logged(tr("Saved the project %1.").arg(path));
            emit pathChanged();
            refreshModified();
            emit saved(path);
        },
        [this, path](const Error& error) {
            const QString reason = error.code() == ErrorCode::cancelled
                                       ? tr("it was cancelled")
                                       : QString::fromUtf8(error.what());
            emit logged(tr("Could not save %1: %2").arg(path, reason));
            emit saveFailed(path, reason);
        });
}

void Project::startNew() {
    leaveThen([this] {
        giveUpOpening();
        opener_.close();
    });
}

}  // namespace lapidary::app
