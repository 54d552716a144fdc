// SPDX-License-Identifier: GPL-3.0-or-later
// Generation of tokens with the variant that runs, or with the variants in slots A and B on the
// same tokens.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/generation/generator.h>

#include "worker/jobs/engine.h"
#include "worker/jobs/generation/generate_job.h"
#include "worker/protocol/generate_record.h"
#include "workbench/document/variant.h"
#include "workbench/jobs/awaited_variants.h"
#include "workbench/jobs/latest_job.h"

namespace lapidary::app {

class Comparison;
class OpenedModel;
class VariantStore;

struct GenerateChoice {
    std::vector<std::int64_t> prompt{1};  // at least one token, unless there is a text
    QString text;                         // the prompt, where the model has a tokenizer
    int newTokens = 128;
    SamplingOptions sampling;
    std::vector<std::int64_t> stopTokens;  // none: those that files beside the model name
    CacheStorage storage = CacheStorage::automatic;
    int capacity = 0;   // of caches of fixed size; 0: prompt and new tokens
    bool both = false;  // A and B in turn; false: the variant in force
};

using GenerateRecordPtr = std::shared_ptr<const GenerateRecord>;

/// Numbers that commas or spaces part; empty where a word is none or negative.
std::vector<std::int64_t> tokensFrom(const QString& text);
QString textOf(const std::vector<std::int64_t>& tokens);  // "1, 15, 87"

class Generating : public QObject {
    Q_OBJECT
public:
    struct Parts {
        OpenedModel& model;
        VariantStore& variants;
        Comparison& comparison;
        JobRunner& jobs;
        Engine& engine;
    };
    explicit Generating(const Parts& parts, QObject* parent = nullptr);

    const GenerateChoice& choice() const { return choice_; }
    void setChoice(const GenerateChoice& choice) { choice_ = choice; }
    /// Why tokens cannot be generated with the open model; empty: they can, or none is open.
    QString refusal() const { return refusal_; }
    /// The tokenizer.json that lies beside the open model or in the folder above; empty: none does.
    const std::filesystem::path& tokenizer() const { return tokenizer_; }
    /// What was generated last with the open model; while it runs, what came so far. Null: nothing.
    GenerateRecordPtr record() const { return record_; }
    /// The names of the record's variants, parallel to its sides.
    const QStringList& names() const { return names_; }
    /// Also true while the variants that it needs are made.
    bool isRunning() const { return job_.isRunning() || awaited_->isWaiting(); }
    Job* job() const { return job_.job(); }  // null unless tokens are generated
    /// A message about the end of the last job; empty: it went well, or there was none.
    QString notice() const { return notice_; }
    /// The command that generates the same with the variant in force.
    QString commandLine() const;

public slots:
    /// Replaces the record. Variants that are missing are made first.
    void start();
    /// Keeps the tokens so far.
    void cancel();

signals:
    void changed();
    void failed(const QString& reason);

private:
    struct Mailbox;
    void open();
    std::vector<Recipe> missing() const;
    std::vector<VariantPtr> variants() const;
    void startJob();
    GenerateJob jobOf(const std::vector<VariantPtr>& variants) const;
    void finish(const Error& error);

    Parts parts_;
    AwaitedVariants* awaited_;
    GenerateChoice choice_;
    QString refusal_, notice_;
    std::filesystem::path tokenizer_;
    GenerateRecordPtr record_;
    QStringList names_;
    LatestJob job_;
};

}  // namespace lapidary::app
