// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/jobs/measured_decoders.h"

#include <QMetaObject>

#include <algorithm>
#include <mutex>
#include <utility>

#include <lapidary/generation/text_files.h>

#include "workbench/document/opened_model.h"
#include "workbench/document/variant_store.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::app {

/// Passes the newest state from the job's thread to the GUI thread.
struct MeasuredDecoders::Mailbox {
    std::mutex mutex;
    std::unique_ptr<DecodersRecord> newest;
};

MeasuredDecoders::MeasuredDecoders(const Parts& parts, QObject* parent)
    : QObject(parent), parts_(parts), awaited_(new AwaitedVariants(
                                          parts.variants, [this] { return missing(); }, this)) {
    connect(&parts_.model, &OpenedModel::openedChanged, this, &MeasuredDecoders::open);
    connect(awaited_, &AwaitedVariants::ready, this, &MeasuredDecoders::startJob);
    connect(awaited_, &AwaitedVariants::gaveUp, this, [this](const QString& reason) {
        emit changed();
        if (!reason.isEmpty()) emit failed(reason);
    });
}

void MeasuredDecoders::open() {
    job_.drop();
    awaited_->drop();
    record_ = nullptr;
    names_.clear();
    notice_.clear();
    measuredText_.clear();
    const DocumentPtr opened = parts_.model.opened();
    tokenizer_ = opened && opened->faults.empty() ? find_tokenizer(opened->source.file)
                                                  : std::filesystem::path();
    emit changed();
}

void MeasuredDecoders::setChoice(const DecodersChoice& choice) {
    choice_ = choice;
    emit changed();
}

std::vector<Recipe> MeasuredDecoders::recipes() const {
    if (!parts_.model.opened()) return {};
    const Recipe inForce = parts_.model.recipeInForce().running();
    std::vector<Recipe> all;
    const auto add = [&](Recipe recipe) {
        if (recipe.runsInOtherEngine()) return;
        if (recipe.level != inForce.level) recipe.edits_after.clear();  // they are for its own
        recipe.level = inForce.level;
        recipe.stop_after.reset();
        if (std::ranges::find(all, recipe) == all.end()) all.push_back(std::move(recipe));
    };
    add(Recipe::plain(inForce.runLevel()));
    for (const VariantPtr& variant : parts_.variants.list())
        if (variant->recipe.quantization || variant->recipe.other_model) add(variant->recipe);
    add(inForce);
    return all;
}

std::vector<Recipe> MeasuredDecoders::missing() const {
    std::vector<Recipe> missing;
    for (const Recipe& recipe : wanted_)
        if (!parts_.variants.find(recipe)) missing.push_back(recipe);
    return missing;
}

void MeasuredDecoders::start() {
    if (isRunning() || !parts_.model.opened()) return;
    notice_.clear();
    record_ = nullptr;
    wanted_ = recipes();
    if (awaited_->request()) return startJob();
    emit changed();
}

DecodersJob MeasuredDecoders::jobOf(const std::vector<VariantPtr>& variants) const {
    DecodersJob job;
    for (const VariantPtr& variant : variants) job.models.push_back(parts_.model.sourceOf(variant));
    job.half_caches = choice_.halfCaches;
    job.contexts = {128, 256, 512, 1024};
    job.threads = choice_.threads;
    job.seconds = choice_.seconds;
    job.text = toPath(choice_.text);
    if (!job.text.empty()) job.tokenizer = tokenizer_;
    job.text_tokens = choice_.textTokens;
    job.resources = parts_.model.runSettings().resources;
    return job;
}

void MeasuredDecoders::publish(DecodersRecord record) {
    record_ = std::make_shared<const DecodersRecord>(std::move(record));
    emit changed();
}

void MeasuredDecoders::startJob() {
    std::vector<VariantPtr> variants;
    names_.clear();
    for (const Recipe& recipe : wanted_) {
        variants.push_back(parts_.variants.find(recipe));
        names_ << variants.back()->name;
    }
    measuredText_ = choice_.text;
    const auto mailbox = std::make_shared<Mailbox>();
    const auto fetch = [this, mailbox] {
        std::unique_ptr<DecodersRecord> newest;
        {
            const std::lock_guard lock(mailbox->mutex);
            newest = std::move(mailbox->newest);
        }
        if (newest) publish(std::move(*newest));
    };
    job_.start<DecodersRecord>(
        parts_.jobs, tr("Measure %n decoder(s)", nullptr, int(variants.size())),
        [this, engine = &parts_.engine, job = jobOf(variants), mailbox, fetch](
            const Progress& progress, const LatestJob::Ticket& ticket) {
            return engine->call(job, progress, [&](const DecodersRecord& state) {
                const std::lock_guard lock(mailbox->mutex);
                const bool reported = mailbox->newest != nullptr;
                mailbox->newest = std::make_unique<DecodersRecord>(state);
                if (reported) return;
                QMetaObject::invokeMethod(
                    this,
                    [fetch, ticket] {
                        if (ticket.isCurrent()) fetch();
                    },
                    Qt::QueuedConnection);
            });
        },
        [this](DecodersRecord record) { publish(std::move(record)); },
        [this, fetch](const Error& error) {
            fetch();  // takes what was measured
            finish(error);
        });
    emit changed();
}

void MeasuredDecoders::finish(const Error& error) {
    const bool cancelled = error.code() == ErrorCode::cancelled;
    const QString reason = QString::fromUtf8(error.what());
    if (cancelled) notice_ = tr("Stopped.");
    else notice_ = tr("It ended early: %1").arg(sentenceText(reason));
    emit changed();
    if (!cancelled) emit failed(reason);
}

void MeasuredDecoders::cancel() {
    if (awaited_->drop()) emit changed();
    job_.cancel();
}

}  // namespace lapidary::app
