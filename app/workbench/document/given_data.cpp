// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/document/given_data.h"

#include <lapidary/base/error.h>

#include "workbench/document/opened_model.h"
#include "worker/jobs/engine.h"
#include "worker/jobs/input_job.h"

namespace lapidary::app {

GivenData::GivenData(OpenedModel& opened, JobRunner& jobs, Engine& engine, QObject* parent)
    : QObject(parent), opened_(opened), jobs_(jobs), engine_(engine) {
    connect(&opened_, &OpenedModel::openedChanged, this, [this] {
        job_.drop();
        preview_ = nullptr;
        refused_.clear();
        emit changed();
    });
}

const GivenInputs& GivenData::given() const { return opened_.runSettings().given; }

void GivenData::take(const GivenInputs& given, const std::vector<std::string>& dropped) {
    if (!opened_.opened()) return;
    RunSettings settings = opened_.runSettings();
    if (!(settings.given == given)) {  // sizes that the inputs before had fixed are free again
        if (preview_)
            for (const auto& [name, size] : preview_->sizes) settings.dimensions.erase(name);
        settings.given = given;
    }
    job_.start<InputPreview>(
        jobs_, tr("Look at the inputs"),
        [engine = &engine_, source = opened_.opened()->source, settings,
         dropped](const Progress& progress) {
            return engine->call(InputJob{source, settings, dropped}, progress);
        },
        [this, settings](InputPreview preview) { adopt(settings, std::move(preview)); },
        [this](const Error& error) {
            if (error.code() != ErrorCode::cancelled)
                refused_ = QStringList{QString::fromUtf8(error.what())};
            emit changed();
        });
    emit changed();
}

/// What was found out under the settings `asked` becomes what runs take; other settings may have
/// changed meanwhile.
void GivenData::adopt(const RunSettings& asked, InputPreview preview) {
    const auto with = [&](RunSettings settings) {
        if (preview_ && !(preview_->given == preview.given))  // sizes that other inputs had fixed
            for (const auto& [name, size] : preview_->sizes) settings.dimensions.erase(name);
        settings.given = preview.given;
        for (const auto& [name, size] : preview.sizes) settings.dimensions[name] = size;
        return settings;
    };
    const RunSettings next = with(opened_.runSettings());
    previewedSettings_ = with(asked);
    refused_.clear();
    for (const std::string& reason : preview.refused) refused_ << QString::fromStdString(reason);
    preview_ = std::make_shared<const InputPreview>(std::move(preview));
    opened_.setRunSettings(next);
    emit changed();
    refresh();  // the settings may have changed since
}

void GivenData::give(const QStringList& paths) {
    std::vector<std::string> dropped;
    for (const QString& path : paths) dropped.push_back(path.toStdString());
    take(given(), dropped);
}

void GivenData::giveInput(const QString& input, const QString& path) {
    GivenInputs next = given();
    next.files[input.toStdString()] = path.toStdString();
    take(next, {});
}

void GivenData::setText(const QString& text) {
    GivenInputs next = given();
    next.text = text.toStdString();
    if (!(next == given())) take(next, {});
}

void GivenData::setVocabulary(const QString& path) {
    GivenInputs next = given();
    next.vocabulary = path.toStdString();
    take(next, {});
}

void GivenData::forget(const QString& input) {
    GivenInputs next = given();
    if (next.files.erase(input.toStdString()) == 0) next.text.clear();
    take(next, {});
}

void GivenData::clear() { take({}, {}); }

void GivenData::refresh() {
    if (!opened_.opened() || job_ || (preview_ && previewedSettings_ == opened_.runSettings()))
        return;
    take(given(), {});
}

}  // namespace lapidary::app
