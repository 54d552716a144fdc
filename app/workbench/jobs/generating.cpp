// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/jobs/generating.h"

#include <QMetaObject>
#include <QRegularExpression>

#include <mutex>
#include <utility>

#include <lapidary/generation/text_files.h>

#include "workbench/document/opened_model.h"
#include "workbench/jobs/comparison.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/job_command.h"

namespace lapidary::app {

/// Passes the newest state from the job's thread to the GUI thread.
struct Generating::Mailbox {
    std::mutex mutex;
    std::unique_ptr<GenerateRecord> newest;
};

std::vector<std::int64_t> tokensFrom(const QString& text) {
    static const QRegularExpression gaps(QStringLiteral("[\\s,;]+"));
    std::vector<std::int64_t> tokens;
    for (const QString& word : text.split(gaps, Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const qlonglong token = word.toLongLong(&isNumber);
        if (!isNumber || token < 0) return {};
        tokens.push_back(token);
    }
    return tokens;
}

QString textOf(const std::vector<std::int64_t>& tokens) {
    QStringList words;
    for (const std::int64_t token : tokens) words << QString::number(token);
    return words.join(QStringLiteral(", "));
}

Generating::Generating(const Parts& parts, QObject* parent)
    : QObject(parent), parts_(parts), awaited_(new AwaitedVariants(
                                          parts.variants, [this] { return missing(); }, this)) {
    connect(&parts_.model, &OpenedModel::openedChanged, this, &Generating::open);
    connect(awaited_, &AwaitedVariants::ready, this, &Generating::startJob);
    connect(awaited_, &AwaitedVariants::gaveUp, this, [this](const QString& reason) {
        emit changed();
        if (!reason.isEmpty()) emit failed(reason);
    });
}

void Generating::open() {
    job_.drop();
    awaited_->drop();
    record_ = nullptr;
    names_.clear();
    notice_.clear();
    const DocumentPtr opened = parts_.model.opened();
    refusal_ = opened && opened->faults.empty()
                   ? QString::fromStdString(why_no_decoder(*opened->model))
                   : QString();
    tokenizer_ = opened && refusal_.isEmpty() ? find_tokenizer(opened->source.file)
                                              : std::filesystem::path();
    choice_.text.clear();
    emit changed();
}

/// Recipes of the variants that are needed and not made yet.
std::vector<Recipe> Generating::missing() const {
    std::vector<Recipe> recipes;
    const bool needsRunning = !choice_.both || !parts_.comparison.b();
    if (needsRunning && !parts_.model.running())
        recipes.push_back(parts_.model.recipeInForce().running());
    if (choice_.both && !parts_.comparison.a()) recipes.push_back(parts_.comparison.recipeBeside());
    return recipes;
}

std::vector<VariantPtr> Generating::variants() const {
    if (!choice_.both) return {parts_.model.running()};
    return {parts_.comparison.a(), parts_.comparison.b()};
}

void Generating::start() {
    if (isRunning() || !parts_.model.opened()) return;
    if (!refusal_.isEmpty()) return emit failed(refusal_);
    notice_.clear();
    record_ = nullptr;
    if (awaited_->request()) return startJob();
    emit changed();
}

GenerateJob Generating::jobOf(const std::vector<VariantPtr>& variants) const {
    GenerateJob job;
    for (const VariantPtr& variant : variants) job.models.push_back(parts_.model.sourceOf(variant));
    if (!tokenizer_.empty()) job.text = choice_.text.toStdString();
    if (job.text.empty()) job.prompt = choice_.prompt;
    job.tokenizer = tokenizer_;
    job.new_tokens = choice_.newTokens;
    job.sampling = choice_.sampling;
    job.stop_tokens = choice_.stopTokens;
    job.storage = choice_.storage;
    job.capacity = choice_.capacity;
    job.resources = parts_.model.runSettings().resources;
    return job;
}

void Generating::startJob() {
    const std::vector<VariantPtr> chosen = variants();
    names_.clear();
    for (const VariantPtr& variant : chosen) names_ << variant->name;
    record_ = nullptr;
    const auto mailbox = std::make_shared<Mailbox>();
    const auto publish = [this](GenerateRecord state) {
        record_ = std::make_shared<const GenerateRecord>(std::move(state));
        emit changed();
    };
    const auto fetch = [mailbox, publish] {
        std::unique_ptr<GenerateRecord> newest;
        {
            const std::lock_guard lock(mailbox->mutex);
            newest = std::move(mailbox->newest);
        }
        if (newest) publish(std::move(*newest));
    };
    Job* started = job_.start<GenerateRecord>(
        parts_.jobs, tr("Generate with %1").arg(names_.join(QStringLiteral(" · "))),
        [this, engine = &parts_.engine, job = jobOf(chosen), mailbox, fetch](
            const Progress& progress, const LatestJob::Ticket& ticket) {
            return engine->call(job, progress, [&](const GenerateRecord& state) {
                const std::lock_guard lock(mailbox->mutex);
                const bool reported = mailbox->newest != nullptr;
                mailbox->newest = std::make_unique<GenerateRecord>(state);
                if (reported) return;
                QMetaObject::invokeMethod(
                    this,
                    [fetch, ticket] {
                        if (ticket.isCurrent()) fetch();
                    },
                    Qt::QueuedConnection);
            });
        },
        [publish](GenerateRecord record) { publish(std::move(record)); },
        [this, fetch](const Error& error) {
            fetch();  // takes the tokens so far
            finish(error);
        });
    started->setCommand(commandLine());
    emit changed();
}

void Generating::finish(const Error& error) {
    const bool cancelled = error.code() == ErrorCode::cancelled;
    const QString reason = QString::fromUtf8(error.what());
    if (cancelled) notice_ = tr("Stopped.");
    else notice_ = tr("It ended early: %1").arg(sentenceText(reason));
    emit changed();
    if (!cancelled) emit failed(reason);
}

void Generating::cancel() {
    if (awaited_->drop()) emit changed();
    job_.cancel();
}

QString Generating::commandLine() const {
    if (!parts_.model.opened()) return {};
    const VariantPtr running = parts_.model.running();
    return running ? generateCommand(jobOf({running})) : QString();
}

}  // namespace lapidary::app
