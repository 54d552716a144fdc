// SPDX-License-Identifier: GPL-3.0-or-later
// Quantization of the open model: the chosen options, the search, and the resulting variant.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>

#include <lapidary/base/error.h>
#include <lapidary/internal/scratch_folder.h>

#include "worker/jobs/engine.h"
#include "worker/jobs/quantize/quantize_job.h"
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
    double measureSeconds = 0.5;  // time to measure each recipe
    SampleChoice samples;
    std::filesystem::path labels;  // class labels of the samples; empty: none
    DType weights = DType::i8;     // of static recipes: i8, u8, i4 or u4
    // as QuantizeOptions::weights_of, if the method uses it
    std::vector<std::string> weightsOf;
    bool reducedRange = false;  // for CPUs without VNNI
    // of weights in blocks, as in QuantizeOptions
    bool rotates = false;
    bool smooths = false;  // by each input
    bool fitsBlocks = false;
    bool compensates = false;
    double bitsPerWeight = 0;            // 0: those of the method
    std::vector<std::string> keepFloat;  // as QuantizeOptions::keep_float
    friend bool operator==(const QuantizeChoice&, const QuantizeChoice&) = default;

    /// The first recipe that is tried.
    QuantizeOptions options() const;
    /// True if weights of some nodes may have another type.
    bool takesOwnTypes() const;
    /// True if weights become integers in blocks.
    bool hasBlocks() const;
};

/// True if weights of single nodes may have types of their own with these options.
bool takeOwnTypes(const QuantizeOptions& options);

using QuantizeRecordPtr = std::shared_ptr<const QuantizeRecord>;
using SamplePreviewPtr = std::shared_ptr<const SamplePreview>;

class Quantizing : public QObject {
    Q_OBJECT
public:
    Quantizing(OpenedModel& opened, VariantStore& variants, JobRunner& jobs, Engine& engine,
               QObject* parent = nullptr);

    const QuantizeChoice& choice() const { return choice_; }
    /// True if the choice's mean, deviation and order of channels come from inspecting the samples.
    bool isGuessed() const { return guess_ && *guess_ == choice_.samples.images; }
    /// The samples as the model will see them; null: not looked at yet, or they cannot be read.
    SamplePreviewPtr preview() const { return preview_; }
    QString previewFailure() const { return previewFailure_; }
    bool isPreviewing() const { return previewJob_.isRunning(); }

    /// True while rank() runs.
    bool isRanking() const { return job_ && ranking_; }
    /// The results for the open model; null: none yet.
    QuantizeRecordPtr record() const { return record_; }
    /// Also true while the samples are inspected before a search.
    bool isRunning() const { return job_.isRunning() || startsWhenLooked_; }
    Job* job() const { return job_.job(); }  // null unless the search itself is running
    double secondsRunning() const { return job_ ? double(elapsed_.elapsed()) / 1e3 : 0; }
    /// A message about the end of the last job, such as that it was cancelled; empty: none.
    QString notice() const { return notice_; }

    /// The recipe of the best trial: only quantized, or also optimized as it was measured. Empty:
    /// there is no such trial.
    std::optional<Recipe> recipe(bool optimized) const;
    /// The variant of the best trial; null until it is made.
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
    /// Searches after the samples were inspected; replaces earlier results.
    void start();
    /// Quantizes by the best recipe again with the choice's nodes kept float, and with its types of
    /// single weights where the recipe has room for them. This adds a trial, which becomes the
    /// best.
    void requantize();
    /// Finds out for the best recipe whether weights or activations lose more accuracy, and which
    /// nodes lose most.
    void rank();
    /// Makes this trial the best.
    void use(std::size_t trial);
    /// Stops the job and keeps the best trial so far.
    void cancel();

signals:
    void choiceChanged();
    void previewChanged();
    void changed();                      // record(), isRunning(), notice(), variant()
    void failed(const QString& reason);  // there is no result

private:
    struct Mailbox;
    void open();
    void takePreview(SamplePreview preview);
    void search();
    /// What is quantized: the opened model, or edited_.
    ModelSource source() const;
    bool followEdits();
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
    std::optional<ImageOptions> guess_;  // of the newest inspection that made one
    // what is quantized, if that is an edited model: the one in force at start(); else null
    VariantPtr edited_;
    bool startsWhenLooked_ = false;
    bool ranking_ = false;  // what job_ does
    LatestJob job_, previewJob_;
    QElapsedTimer elapsed_;
};

}  // namespace lapidary::app
