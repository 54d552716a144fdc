// SPDX-License-Identifier: GPL-3.0-or-later
// Fewer bits for the open model: what is wanted, the search for it, and the variant that comes of
// it.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>

#include <lapidary/base/error.h>
#include <lapidary/internal/scratch_folder.h>

#include "worker/jobs/engine.h"
#include "worker/jobs/quantize_job.h"
#include "worker/protocol/quantize_record.h"
#include "worker/inputs/sample_preview.h"
#include "workbench/jobs/latest_job.h"
#include "workbench/text/recipe.h"
#include "workbench/document/variant.h"

namespace lapidary::app {

class OpenedModel;
class VariantStore;

/// Which recipes are tried.
enum class QuantizeMethod : std::uint8_t {
    automatic,
    dynamic8,
    static8,
    qoperator8,
    weights8,
    weights4,
    float16,
    bfloat16,
    float8
};

struct QuantizeChoice {
    QuantizeMethod method = QuantizeMethod::automatic;
    QuantizeGoal goal = QuantizeGoal::accurate;
    AccuracyFloor floor;          // of SQNR or changed answers
    double budgetSeconds = 60;    // 0: until all recipes are tried
    double measureSeconds = 0.5;  // of each recipe
    SampleChoice samples;
    std::filesystem::path labels;  // of the samples; empty: none
    DType weights = DType::i8;     // of static recipes: i8, u8, i4 or u4
    // as QuantizeOptions::weights_of, where the method takes it
    std::vector<std::string> weightsOf;
    bool reducedRange = false;           // for CPUs without VNNI
    std::vector<std::string> keepFloat;  // as QuantizeOptions has it
    friend bool operator==(const QuantizeChoice&, const QuantizeChoice&) = default;

    /// The first recipe that is tried.
    QuantizeOptions options() const;
    /// That weights of some nodes may have a type of their own.
    bool takesOwnTypes() const;
};

using QuantizeRecordPtr = std::shared_ptr<const QuantizeRecord>;
using SamplePreviewPtr = std::shared_ptr<const SamplePreview>;

class Quantizing : public QObject {
    Q_OBJECT
public:
    Quantizing(OpenedModel& opened, VariantStore& variants, JobRunner& jobs, Engine& engine,
               QObject* parent = nullptr);

    const QuantizeChoice& choice() const { return choice_; }
    /// Whether the choice's mean, deviation and order of channels were found by a look.
    bool isGuessed() const { return guess_ && *guess_ == choice_.samples.images; }
    /// The samples as the model will see them; null: not looked at yet, or they cannot be read.
    SamplePreviewPtr preview() const { return preview_; }
    QString previewFailure() const { return previewFailure_; }
    bool isPreviewing() const { return previewJob_.isRunning(); }

    /// True while rank() is at work.
    bool isRanking() const { return job_ && ranking_; }
    /// What was found for the open model; null: nothing yet.
    QuantizeRecordPtr record() const { return record_; }
    /// True too while the samples are looked at before a search.
    bool isRunning() const { return job_.isRunning() || startsWhenLooked_; }
    Job* job() const { return job_.job(); }  // null unless the search itself is running
    double secondsRunning() const { return job_ ? double(elapsed_.elapsed()) / 1e3 : 0; }
    /// What the last job left to say, such as that it was cancelled; empty: nothing.
    QString notice() const { return notice_; }

    /// Of the best of the record: quantized alone, or optimized afterwards as it was measured.
    /// Nothing: there is none.
    std::optional<Recipe> recipe(bool optimized) const;
    /// Null until it is made.
    VariantPtr variant() const;
    /// The command that repeats the search.
    QString commandLine() const;
    /// "level all · threads: 2": under which recipes are timed, each on its first sample.
    QString timedUnder() const;

public slots:
    void previewSamples();
    /// Emits choiceChanged(). New samples or labels are inspected; if that shows how pixels must be
    /// converted, and the user chose nothing, the choice takes it over.
    void setChoice(const lapidary::app::QuantizeChoice& choice);
    /// Searches, once the samples were looked at; what was found before goes.
    void start();
    /// The best recipe of the record once more with the choice's nodes kept float, as another
    /// trial, which is the best then.
    void requantize();
    /// Says of the best recipe whether weights or activations cost most, and which nodes.
    void rank();
    /// Makes this trial the best.
    void use(std::size_t trial);
    /// Keeps the best so far.
    void cancel();

signals:
    void choiceChanged();
    void previewChanged();
    void changed();                      // record(), isRunning(), notice(), variant()
    void failed(const QString& reason);  // nothing came of it

private:
    struct Mailbox;
    void open();
    void takePreview(SamplePreview preview);
    void search();
    QuantizeJob jobOf(const QuantizeOptions& options) const;
    void startJob(const QString& title, QuantizeJob job,
                  std::function<QuantizeRecord(const QuantizeRecord&)> merge);
    void finish(const Error* error);
    void requestVariant();

    OpenedModel& opened_;
    VariantStore& variants_;
    JobRunner& jobs_;
    Engine& engine_;
    ScratchFolder folder_;
    QuantizeChoice choice_;
    SamplePreviewPtr preview_;
    QString previewFailure_, notice_;
    QuantizeRecordPtr record_;
    std::optional<ImageOptions> guess_;  // of the newest look that had one
    bool startsWhenLooked_ = false;
    bool ranking_ = false;  // what job_ does
    LatestJob job_, previewJob_;
    QElapsedTimer elapsed_;
};

}  // namespace lapidary::app
