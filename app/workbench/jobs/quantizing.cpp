// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/jobs/quantizing.h"

#include <QMetaObject>

#include <algorithm>
#include <mutex>
#include <utility>

#include <lapidary/base/error.h>

#include "worker/models/quantized_file.h"
#include "worker/jobs/quantize/sample_job.h"
#include "workbench/text/job_command.h"
#include "workbench/document/opened_model.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/quantize_text.h"

namespace lapidary::app {
namespace {

std::string editsOf(const VariantPtr& edited) {
    return edited ? edited->recipe.edits : std::string();
}

}  // namespace

/// Passes the newest state from the job's thread to the GUI thread.
struct Quantizing::Mailbox {
    std::mutex mutex;
    std::unique_ptr<QuantizeRecord> newest;
};

QuantizeOptions QuantizeChoice::options() const {
    QuantizeOptions options;
    using enum QuantizeMethod;
    switch (method) {
    case automatic:
    case dynamic8: options.mode = QuantizeMode::dynamic; break;
    case qoperator8: options.static_form = StaticForm::operators; [[fallthrough]];
    case static8: options.mode = QuantizeMode::static_qdq; break;
    case float16: options.mode = QuantizeMode::half; break;
    case weights8:
    case weights4: options.mode = QuantizeMode::weights; break;
    case bfloat16:
    case float8:
        options.mode = QuantizeMode::weights;
        options.storage = method == float8 ? WeightStorage::float8 : WeightStorage::bfloat16;
        break;
    }
    options.weight_bits = method == weights8 ? 8 : 4;
    if (options.mode == QuantizeMode::static_qdq) options.weight = weights;
    if (takesOwnTypes()) options.weights_of = weightsOf;
    if (hasBlocks()) {
        options.rotation = rotates ? 1 : 0;
        options.smoothing_by_input = smooths;
        options.fitted_blocks = fitsBlocks;
        options.compensated_rounding = compensates;
        options.bits_per_weight = bitsPerWeight;
    }
    options.reduced_range = reducedRange;
    options.keep_float = keepFloat;
    return options;
}

bool QuantizeChoice::takesOwnTypes() const {
    using enum QuantizeMethod;
    return method == static8 || method == qoperator8 || method == weights8 || method == weights4;
}

bool QuantizeChoice::hasBlocks() const {
    return method == QuantizeMethod::weights8 || method == QuantizeMethod::weights4;
}

bool takeOwnTypes(const QuantizeOptions& options) {
    const bool hasTypes =
        options.mode == QuantizeMode::static_qdq || options.mode == QuantizeMode::weights;
    return hasTypes && options.storage == WeightStorage::blocks &&
           options.placement == StaticPlacement::benefit;
}

Quantizing::Quantizing(OpenedModel& opened, VariantStore& variants, JobRunner& jobs, Engine& engine,
                       QObject* parent)
    : QObject(parent), opened_(opened), variants_(variants), jobs_(jobs), engine_(engine) {
    connect(&opened_, &OpenedModel::openedChanged, this, &Quantizing::open);
    connect(&variants_, &VariantStore::made, this, [this](const VariantPtr& made) {
        const auto mine = recipe(true);
        if (!mine || made->recipe != *mine) return;
        variants_.followSlot(Slot::B, made);
        emit changed();
    });
    connect(&variants_, &VariantStore::failed, this,
            [this](const Recipe& failed, const QString& reason) {
                if (const auto mine = recipe(true); mine && failed == *mine)
                    emit this->failed(reason);
            });
}

void Quantizing::open() {
    job_.drop();
    previewJob_.drop();
    record_ = nullptr;
    preview_ = nullptr;
    previewFailure_.clear();
    notice_.clear();
    guess_ = std::nullopt;
    startsWhenLooked_ = false;
    edited_ = nullptr;
    choice_.samples = {};
    choice_.labels.clear();
    choice_.keepFloat.clear();
    choice_.weightsOf.clear();
    const DocumentPtr opened = opened_.opened();
    if (opened)
        variants_.setQuantizer([engine = &engine_, folder = folder_.path()](
                                   const ModelSource& source, const Quantization& quantization,
                                   const Progress& progress) {
            const std::filesystem::path file =
                quantized_file(folder, quantization, source.recipe.value_or(Recipe()).edits);
            if (std::filesystem::exists(file)) return file;
            QuantizeJob job;
            job.model = source;
            job.quantization = quantization;
            job.search = false;
            job.measure_seconds = 0;
            job.inspect = false;
            job.folder = folder;
            return engine->call(job, progress).file;
        });
    emit choiceChanged();
    emit previewChanged();
    emit changed();
}

void Quantizing::setChoice(const QuantizeChoice& choice) {
    if (choice == choice_) return;
    const bool otherData =
        choice.samples.data != choice_.samples.data || choice.labels != choice_.labels;
    const bool otherSamples = otherData || !(choice.samples == choice_.samples);
    const bool otherGoal = choice.goal != choice_.goal || !(choice.floor == choice_.floor);
    const bool wasGuessed = isGuessed();
    choice_ = choice;
    // values that were found for other samples are not the user's choice
    if (otherData && wasGuessed && choice_.samples.images == *guess_) {
        const ImageOptions plain;
        choice_.samples.images.mean = plain.mean;
        choice_.samples.images.stddev = plain.stddev;
        choice_.samples.images.bgr = plain.bgr;
        choice_.samples.images.scale_chosen = false;
    }
    emit choiceChanged();
    if (otherSamples) previewSamples();
    if (otherGoal && record_ && !isRunning())
        if (const std::ptrdiff_t best =
                best_trial(record_->trials, choice_.goal, choice_.floor, record_->original_bytes);
            best >= 0)
            use(std::size_t(best));
}

void Quantizing::previewSamples() {
    previewJob_.drop();
    preview_ = nullptr;
    previewFailure_.clear();
    const DocumentPtr opened = opened_.opened();
    if (!opened) return emit previewChanged();
    previewJob_.start<SamplePreview>(
        jobs_, tr("Look at the samples"),
        [engine = &engine_, source = source(), samples = choice_.samples,
         labels = choice_.labels](const Progress& progress) {
            return engine->call(SampleJob{source, samples, labels}, progress);
        },
        [this](SamplePreview preview) { takePreview(std::move(preview)); },
        [this](const Error& error) {
            const bool isCancelled = error.code() == ErrorCode::cancelled;
            if (!isCancelled) previewFailure_ = QString::fromUtf8(error.what());
            emit previewChanged();
            if (!std::exchange(startsWhenLooked_, false)) return;
            if (isCancelled) emit changed();
            else search();  // the search reports why it cannot start
        });
    emit previewChanged();
}

void Quantizing::takePreview(SamplePreview preview) {
    preview_ = std::make_shared<const SamplePreview>(std::move(preview));
    if (preview_->guess) {
        guess_ = preview_->guess;
        choice_.samples.images = *guess_;
        emit choiceChanged();
    }
    emit previewChanged();
    if (std::exchange(startsWhenLooked_, false)) search();
}

ModelSource Quantizing::source() const {
    return edited_ ? opened_.sourceOf(edited_) : opened_.opened()->source;
}

/// Takes the edits in force over; false where the edited model is not made.
bool Quantizing::followEdits() {
    Recipe edited;
    edited.edits = opened_.recipeInForce().edits;
    if (edited.edits == editsOf(edited_)) return true;
    VariantPtr base = edited.edits.empty() ? nullptr : variants_.baseOf(edited);
    if (!edited.edits.empty() && !base) return false;
    edited_ = std::move(base);
    previewSamples();
    return true;
}

QuantizeJob Quantizing::jobOf(const QuantizeOptions& options) const {
    QuantizeJob job;
    job.model = source();
    job.quantization = {options, choice_.samples};
    job.both_modes = choice_.method == QuantizeMethod::automatic;
    job.budget_seconds = choice_.budgetSeconds;
    job.measure_seconds = choice_.measureSeconds;
    job.goal = choice_.goal;
    job.floor = choice_.floor;
    job.threads = opened_.runSettings().resources.threads;
    job.folder = folder_.path();
    job.labels = choice_.labels;
    if (preview_) job.data_warnings = preview_->warnings;
    return job;
}

void Quantizing::start() {
    if (isRunning() || !opened_.opened()) return;
    if (!followEdits()) {
        notice_ =
            tr("Put the edited model without quantization in force first: it is what is "
               "quantized.");
        return emit changed();
    }
    if (!preview_ && !previewJob_ && previewFailure_.isEmpty()) previewSamples();
    record_ = nullptr;
    if (choice_.samples.isGenerated() || !previewJob_) return search();
    notice_.clear();
    startsWhenLooked_ = true;
    emit changed();
}

void Quantizing::search() {
    record_ = nullptr;
    startJob(tr("Quantize %1").arg(opened_.opened()->title), jobOf(choice_.options()),
             [](const QuantizeRecord& state) { return state; });
}

void Quantizing::requantize() {
    if (isRunning() || !record_ || record_->best < 0) return;
    QuantizeOptions options = record_->trials[std::size_t(record_->best)].options;
    options.keep_float = choice_.keepFloat;
    if (takeOwnTypes(options)) options.weights_of = choice_.weightsOf;
    QuantizeJob job = jobOf(options);
    job.search = false;
    startJob(tr("Quantize %1 again").arg(opened_.opened()->title), std::move(job),
             [before = *record_](const QuantizeRecord& state) {
                 QuantizeRecord merged = state;
                 merged.trials = before.trials;
                 merged.diagnosis = before.diagnosis;
                 merged.sensitivity = before.sensitivity;
                 merged.trials.insert(merged.trials.end(), state.trials.begin(),
                                      state.trials.end());
                 if (merged.best >= 0) merged.best += std::ptrdiff_t(before.trials.size());
                 return merged;
             });
}

void Quantizing::rank() {
    if (isRunning() || !record_ || record_->best < 0) return;
    QuantizeJob job = jobOf(record_->trials[std::size_t(record_->best)].options);
    job.search = false;
    job.rank = true;
    startJob(tr("Rank the nodes of %1").arg(opened_.opened()->title), std::move(job),
             [before = *record_](const QuantizeRecord& state) {
                 QuantizeRecord merged = before;
                 merged.diagnosis = state.diagnosis;
                 merged.sensitivity = state.sensitivity;
                 return merged;
             });
}

void Quantizing::use(std::size_t trial) {
    if (isRunning() || !record_ || trial >= record_->trials.size() ||
        !record_->trials[trial].failure.empty() || record_->best == std::ptrdiff_t(trial))
        return;
    QuantizeJob job = jobOf(record_->trials[trial].options);
    job.search = false;
    job.measure_seconds = 0;
    startJob(tr("Quantize %1 again").arg(opened_.opened()->title), std::move(job),
             [before = *record_, trial](const QuantizeRecord& state) {
                 QuantizeRecord merged = state;
                 merged.trials = before.trials;
                 merged.diagnosis = before.diagnosis;
                 merged.sensitivity = before.sensitivity;
                 merged.original_ms = before.original_ms;
                 merged.best = state.best < 0 ? before.best : std::ptrdiff_t(trial);
                 return merged;
             });
}

void Quantizing::startJob(const QString& title, QuantizeJob job,
                          std::function<QuantizeRecord(const QuantizeRecord&)> merge) {
    notice_.clear();
    elapsed_.start();
    ranking_ = job.rank;
    const auto mailbox = std::make_shared<Mailbox>();
    const auto publish = [this, merge](const QuantizeRecord& state) {
        record_ = std::make_shared<const QuantizeRecord>(merge(state));
        emit changed();
    };
    const auto fetch = [mailbox, publish] {
        std::unique_ptr<QuantizeRecord> newest;
        {
            const std::lock_guard lock(mailbox->mutex);
            newest = std::move(mailbox->newest);
        }
        if (newest && newest->best >= 0) publish(*newest);
    };
    Job* started = job_.start<QuantizeRecord>(
        jobs_, title,
        [this, engine = &engine_, job = std::move(job), mailbox, fetch](
            const Progress& progress, const LatestJob::Ticket& ticket) {
            return engine->call(job, progress, [&](const QuantizeRecord& state) {
                const std::lock_guard lock(mailbox->mutex);
                const bool reported = mailbox->newest != nullptr;
                mailbox->newest = std::make_unique<QuantizeRecord>(state);
                if (reported) return;
                QMetaObject::invokeMethod(
                    this,
                    [fetch, ticket] {
                        if (ticket.isCurrent()) fetch();
                    },
                    Qt::QueuedConnection);
            });
        },
        [this, publish](const QuantizeRecord& record) {
            publish(record);
            requestVariant();
        },
        [this, fetch](const Error& error) {
            fetch();  // takes the results so far
            finish(&error);
        });
    started->setKept();
    started->setCommand(commandLine());
    emit changed();
}

void Quantizing::finish(const Error* error) {
    const bool cancelled = error->code() == ErrorCode::cancelled;
    const bool any = record_ && record_->best >= 0;
    const QString reason = QString::fromUtf8(error->what());
    if (cancelled)
        notice_ = any ? tr("Stopped; the best so far is kept.")
                      : tr("Stopped before the first recipe was tried.");
    else if (any) notice_ = tr("The search ended early, the best so far is kept: %1").arg(reason);
    emit changed();
    if (any) requestVariant();
    else if (!cancelled) emit failed(reason);
}

void Quantizing::cancel() {
    if (std::exchange(startsWhenLooked_, false)) {
        notice_ = tr("Stopped before the first recipe was tried.");
        emit changed();
    }
    job_.cancel();
}

std::optional<Recipe> Quantizing::recipe(bool optimized) const {
    if (!record_ || record_->best < 0) return std::nullopt;
    Recipe recipe;
    recipe.edits = editsOf(edited_);
    if (optimized) recipe.level = recipe.runLevel();
    recipe.quantization =
        Quantization{record_->trials[std::size_t(record_->best)].options, choice_.samples};
    return recipe;
}

VariantPtr Quantizing::variant() const {
    const auto wanted = recipe(true);
    return wanted && !job_ ? variants_.find(*wanted) : nullptr;
}

void Quantizing::requestVariant() {
    const auto wanted = recipe(true);
    if (!wanted) return;
    if (const VariantPtr known = variants_.find(*wanted)) {
        variants_.followSlot(Slot::B, known);
        emit changed();
        return;
    }
    Recipe beside = Recipe::plain(wanted->runLevel());  // what it is compared with
    beside.edits = editsOf(edited_);
    variants_.require({*wanted, beside});
}

QString Quantizing::timedUnder() const {
    // here, wherever else the model runs
    const DocumentPtr opened = opened_.opened();
    const int threads = opened ? conditionsOf(*opened->model, opened_.runSettings()).threads : 1;
    return conditionsText(Recipe(), threads, {});
}

QString Quantizing::commandLine() const {
    const DocumentPtr opened = opened_.opened();
    if (!opened) return {};
    ModelSource model = opened->source;
    QString first;
    if (edited_) {
        const Recipe& edited = edited_->recipe;
        const QString name = model.sample.empty()
                                 ? exactText(model.file.string())
                                 : QStringLiteral("sample:") + exactText(model.sample);
        const QString made = fileNameOf(edited, opened->title);
        first = lapidary::app::commandLine(edited, name, made) + u'\n';
        model.sample.clear();
        model.file = toPath(made);
    }
    return first + quantizeCommand(model, {choice_.options(), choice_.samples}, choice_.labels,
                                   choice_.budgetSeconds);
}

}  // namespace lapidary::app
