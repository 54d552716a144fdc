// SPDX-License-Identifier: GPL-3.0-or-later
// The open decoder's variants side by side: speed by context, memory, and quality on a text.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <memory>
#include <vector>

#include <lapidary/base/error.h>

#include "worker/jobs/generation/decoders_job.h"
#include "worker/jobs/engine.h"
#include "worker/protocol/decoders_record.h"
#include "workbench/document/variant.h"
#include "workbench/jobs/awaited_variants.h"
#include "workbench/jobs/latest_job.h"

namespace lapidary::app {

class OpenedModel;
class VariantStore;

struct DecodersChoice {
    QString text;              // a file; empty: quality is not measured
    int textTokens = 1024;     // of it at most
    bool halfCaches = false;   // each variant once more with its caches in float16
    std::vector<int> threads;  // each variant with each of them; none: as in the run settings
    double seconds = 2;        // of measuring, for each variant and context
};

using DecodersRecordPtr = std::shared_ptr<const DecodersRecord>;

class MeasuredDecoders : public QObject {
    Q_OBJECT
public:
    struct Parts {
        OpenedModel& model;
        VariantStore& variants;
        JobRunner& jobs;
        Engine& engine;
    };
    explicit MeasuredDecoders(const Parts& parts, QObject* parent = nullptr);

    const DecodersChoice& choice() const { return choice_; }
    void setChoice(const DecodersChoice& choice);
    /// What is measured: the open model at the level in force, then what was quantized of it and
    /// other files, at that level. Variants in other engines are left out.
    std::vector<Recipe> recipes() const;
    /// What was measured last with the open model; while it runs, what came so far. Null: nothing.
    DecodersRecordPtr record() const { return record_; }
    /// The names of the record's variants, by DecoderSide::model.
    const QStringList& names() const { return names_; }
    /// The text that the record's quality is of; empty: none.
    QString measuredText() const { return measuredText_; }
    /// Also true while the variants that it needs are made.
    bool isRunning() const { return job_.isRunning() || awaited_->isWaiting(); }
    Job* job() const { return job_.job(); }  // null unless decoders are measured
    /// A message about the end of the last job; empty: it went well, or there was none.
    QString notice() const { return notice_; }

public slots:
    /// Replaces the record. Variants that are missing are made first.
    void start();
    /// Keeps what was measured.
    void cancel();

signals:
    void changed();
    void failed(const QString& reason);

private:
    struct Mailbox;
    void open();
    std::vector<Recipe> missing() const;
    void startJob();
    DecodersJob jobOf(const std::vector<VariantPtr>& variants) const;
    void publish(DecodersRecord record);
    void finish(const Error& error);

    Parts parts_;
    AwaitedVariants* awaited_;
    DecodersChoice choice_;
    std::filesystem::path tokenizer_;
    DecodersRecordPtr record_;
    QStringList names_;
    QString measuredText_, notice_;
    std::vector<Recipe> wanted_;  // of the newest start
    LatestJob job_;
};

}  // namespace lapidary::app
