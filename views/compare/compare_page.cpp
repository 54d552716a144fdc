// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/compare_page.h"

#include <QApplication>
#include <QClipboard>
#include <QPointer>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <lapidary/report/html_report.h>

#include "compare/code_panel.h"
#include "compare/compute_price.h"
#include "compare/comparison_report.h"
#include "compare/difference_panel.h"
#include "compare/difference_tables.h"
#include "compare/distribution_view.h"
#include "compare/engine_panel.h"
#include "compare/graph_pair.h"
#include "compare/memory_overlay.h"
#include "compare/module_waterfall.h"
#include "compare/signed_text.h"
#include "compare/summary_cards.h"
#include "theme/theme.h"
#include "widgets/text/elided_label.h"
#include "widgets/cards/empty_state.h"
#include "widgets/cards/message_banner.h"
#include "widgets/text/quantity.h"
#include "widgets/choices/slot_bar.h"
#include "workbench/text/bounded_text.h"
#include "workbench/jobs/checklist.h"
#include "workbench/project/project.h"
#include "workbench/document/run_conditions.h"
#include "workbench/tuning/tuning.h"

namespace lapidary::views {
namespace {

bool isInOnnxRuntime(const app::VariantPtr& variant) {
    return variant && variant->recipe.runs_on && variant->recipe.runs_on->onnxruntime;
}

}  // namespace

ComparePage::ComparePage(app::Workbench& workbench, QWidget* parent)
    : Page(parent), workbench_(workbench), stack_(new QStackedWidget), empty_(new EmptyState),
      suggestions_(nullptr), content_(nullptr), slots_(new SlotBar(workbench)),
      banner_(new MessageBanner), verdict_(new QLabel), cards_(new SummaryCards),
      profileNote_(new ElidedLabel), tabs_(new QTabWidget), modules_(new ModuleWaterfall),
      timelines_(new MatchedTimelinesView), operators_(new OperatorDifferences),
      nodes_(new NodeDifferences), distribution_(new DistributionView), memory_(new MemoryOverlay),
      counts_(new CountDifferences), pair_(new GraphPair(workbench)),
      outputs_(new OutputDifferences), difference_(new DifferencePanel(workbench)),
      engines_(new EnginePanel(workbench)), code_(new CodePanel(workbench)) {
    setObjectName(QStringLiteral("comparePage"));
    setAcceptDrops(true);
    makeActions();
    content_ = makeContent();

    connect(empty_, &EmptyState::clicked, this, &ComparePage::openRequested);
    connect(slots_, &SlotBar::startRequested, &workbench_.comparison(), &app::Comparison::start);
    connect(code_, &CodePanel::statusMessage, this, &Page::statusMessage);
    app::Comparison& comparison = workbench_.comparison();
    connect(banner_, &MessageBanner::cancelRequested, &comparison, &app::Comparison::cancel);
    connect(&comparison, &app::Comparison::started, this, [this] {
        banner_->showMessage(MessageBanner::Kind::busy, tr("Comparing …"),
                             labelText(workbench_.comparison().job()->stage()));
        connect(workbench_.comparison().job(), &app::Job::progressed, banner_,
                [this, job = workbench_.comparison().job()] {
                    if (workbench_.comparison().job() != job) return;
                    banner_->showMessage(MessageBanner::Kind::busy, tr("Comparing …"),
                                         job->stage());
                    banner_->setFraction(job->fraction());
                });
    });
    connect(&comparison, &app::Comparison::changed, this, &ComparePage::refresh);
    connect(&comparison, &app::Comparison::pairChanged, this, &ComparePage::refresh);
    connect(&comparison, &app::Comparison::failed, this, [this](const QString& reason) {
        banner_->showMessage(MessageBanner::Kind::error, tr("The comparison failed"), reason,
                             tr("The comparison failed: %1").arg(reason));
        if (!workbench_.model().machine().isHere())
            banner_->addAction(QStringLiteral("run"), tr("Retry"),
                               [this] { workbench_.comparison().start(); });
        if (isInOnnxRuntime(workbench_.comparison().a()) ||
            isInOnnxRuntime(workbench_.comparison().b()))
            banner_->addAction(QStringLiteral("open"), tr("Choose …"), [this] { chooseRuntime(); });
    });
    connect(&comparison, &app::Comparison::changed, this, &ComparePage::offerRuntime);
    connect(&workbench_.variants(), &app::VariantStore::listChanged, this, &ComparePage::refresh);
    connect(&workbench_.variants(), &app::VariantStore::failed, this,
            [this](const app::Recipe& recipe, const QString& reason) {
                if (isVisible())
                    banner_->showMessage(MessageBanner::Kind::error,
                                         tr("%1 could not be made").arg(app::nameOf(recipe)),
                                         reason, reason);
            });
    connect(&workbench_, &app::Workbench::documentChanged, this, [this] {
        if (isVisible()) shown();
        else refresh();
    });
    connect(&workbench_, &app::Workbench::runSettingsChanged, this, [this] {
        const app::VariantPtr a = workbench_.comparison().a(), b = workbench_.comparison().b();
        if (isVisible() && state_ == State::ready && a && b)
            workbench_.plannedMemory().want({a, b});
        refreshVerdict();
        refreshFigures();
    });
    connect(&workbench_.plannedMemory(), &app::PlannedMemory::changed, this,
            &ComparePage::refreshFigures);
    connectTables();
    refresh();
}

void ComparePage::connectTables() {
    connect(operators_, &OperatorDifferences::operatorPicked, this, [this](const QString& op) {
        emit statusMessage(op.isEmpty() ? QString()
                                        : tr("Double click shows the nodes of %1.").arg(op));
    });
    connect(operators_, &QTreeView::activated, this, [this](const QModelIndex& index) {
        nodes_->setFilter(withoutDomain(cellText(operators_->rows().row(index.row()).op)));
        tabs_->setCurrentWidget(nodes_);
    });
    connect(modules_, &ModuleWaterfall::modulePicked, this, [this](const QString& scope) {
        nodes_->setFilter(scope);
        tabs_->setCurrentWidget(nodes_);
    });
    connect(timelines_, &MatchedTimelinesView::hovered, this, &Page::statusMessage);
    connect(tabs_, &QTabWidget::currentChanged, this, &ComparePage::refreshProfileNote);
    connect(outputs_, &OutputDifferences::outputPicked, this, [this](const QString& output) {
        emit statusMessage(tr("Double click finds where %1 starts to differ.").arg(output));
    });
    connect(outputs_, &OutputDifferences::outputActivated, &workbench_.comparison().search(),
            &app::DifferenceSearch::start);
    connect(difference_, &DifferencePanel::statusMessage, this, &Page::statusMessage);
    connect(difference_, &DifferencePanel::started, this,
            [this] { tabs_->setCurrentWidget(difference_); });
    connect(difference_, &DifferencePanel::nodeShown, this,
            [this] { emit pageRequested(QStringLiteral("graph")); });
    // Nodes here are original ones; a quantized model has different ids.
    const auto isShown = [this](NodeId node) {
        const app::DocumentPtr shown = workbench_.document();
        return shown && !(shown->variant && shown->variant->recipe.quantization) &&
               shown->model->graph.is_alive(node);
    };
    const auto focus = [this, isShown](NodeId node) {
        if (isShown(node)) workbench_.focusNode(node);
    };
    connect(timelines_, &MatchedTimelinesView::nodePicked, this, focus);
    connect(nodes_, &NodeDifferences::nodePicked, this, focus);
    const auto show = [this, isShown](NodeId node) {
        if (!isShown(node))
            return emit statusMessage(
                tr("The variant that is shown does not have this node; show the original first."));
        workbench_.focusNode(node);
        emit pageRequested(QStringLiteral("graph"));
    };
    connect(nodes_, &NodeDifferences::nodeActivated, this, show);
    connect(engines_, &EnginePanel::nodeActivated, this, show);
}

void ComparePage::shown() {
    // Shows the pair that is compared unless the user chose another.
    if (workbench_.opened() && workbench_.faultText().isEmpty()) {
        if (!workbench_.comparison().b()) workbench_.requestRunning();
        requestBeside();
    }
    refresh();
}

/// Requests the variant that B is compared with, if it is not made yet.
void ComparePage::requestBeside() {
    const app::Recipe beside = workbench_.comparison().recipeBeside();
    app::VariantStore& store = workbench_.variants();
    if (workbench_.comparison().a() || store.isPending(beside) ||
        !store.failureOf(beside).isEmpty())
        return;
    store.requestAlso(beside);
}

/// Where a side in ONNX Runtime could not be compared as a whole: why, and a button that chooses
/// another ONNX Runtime. Once for each result.
void ComparePage::offerRuntime() {
    const app::ComparisonPtr record = workbench_.comparison().result();
    if (!record || !record->complete || record->problems.isEmpty() || reported_.lock() == record ||
        !(isInOnnxRuntime(record->a) || isInOnnxRuntime(record->b)))
        return;
    reported_ = record;
    const QString problems = sentenceText(record->problems.join(u'\n'));
    banner_->showMessage(MessageBanner::Kind::warning, tr("The comparison is not complete"),
                         problems, problems);
    banner_->addAction(QStringLiteral("open"), tr("Choose …"), [this] { chooseRuntime(); });
}

void ComparePage::suggest(const app::Recipe& recipe) {
    slots_->combo(app::Slot::B)->choose(recipe);
    refresh();
}

void ComparePage::refresh() {
    const app::Comparison& comparison = workbench_.comparison();
    state_ = !workbench_.opened()      ? State::nothingOpen
             : comparison.isPossible() ? State::ready
                                       : State::noPair;
    stack_->setCurrentWidget(state_ == State::nothingOpen ? static_cast<QWidget*>(empty_)
                             : state_ == State::noPair    ? suggestions_
                                                          : content_);
    slots_->setVisible(state_ != State::nothingOpen);
    if (isVisible() && workbench_.opened() && workbench_.faultText().isEmpty()) requestBeside();
    if (!comparison.isRunning() && banner_->kind() == MessageBanner::Kind::busy) banner_->hide();
    const bool free = state_ == State::ready && !comparison.isRunning();
    start_->setEnabled(free);
    swap_->setEnabled(state_ == State::ready);
    copy_->setEnabled(state_ == State::ready);
    against_->setEnabled(state_ != State::nothingOpen);
    runtime_->setEnabled(state_ != State::nothingOpen);
    second_->setEnabled(state_ != State::nothingOpen);
    const app::ComparisonPtr record = comparison.result();
    report_->setEnabled(record != nullptr);
    tables_->setEnabled(record != nullptr);
    pair_->setPair(state_ == State::ready ? comparison.a() : nullptr,
                   state_ == State::ready ? comparison.b() : nullptr);
    if (state_ != State::ready) {
        if (digest_) showDigest(nullptr);
        return;
    }
    if (record && (!digest_ || digest_->record != record)) startDigest();
    else if (!record) showDigest(nullptr);
    else refreshVerdict();
}

/// A record without runs is shown at once, because there is almost nothing to compute.
void ComparePage::startDigest() {
    digestJob_.drop();
    const app::ComparisonPtr record = workbench_.comparison().result();
    const ModelPtr opened = workbench_.opened()->model;
    if (!record->run_a || !record->run_b) return showDigest(digestComparison(record, opened));
    digestJob_.start<CompareDigestPtr>(
        workbench_.jobs(), tr("Prepare the comparison"),
        [record, opened](const Progress& progress) {
            return digestComparison(record, opened, progress);
        },
        [this](CompareDigestPtr digest) {
            if (workbench_.comparison().result() == digest->record) showDigest(std::move(digest));
        },
        [this](const Error& error) {
            if (error.code() != ErrorCode::cancelled)
                banner_->showMessage(MessageBanner::Kind::error,
                                     tr("The comparison could not be prepared"),
                                     tipText(error.what()));
        });
}

void ComparePage::showDigest(CompareDigestPtr digest) {
    const CompareDigestPtr old = std::exchange(digest_, std::move(digest));
    const app::ComparisonRecord* record = digest_ ? digest_->record.get() : nullptr;
    const app::VariantPtr a = workbench_.comparison().a(), b = workbench_.comparison().b();
    const bool bothRan = record && record->run_a && record->run_b;
    modules_->setRows(
        bothRan ? std::shared_ptr<const std::vector<ModuleDifference>>(digest_, &digest_->modules)
                : nullptr);
    timelines_->setComparison(
        bothRan ? digest_->record : nullptr,
        digest_ ? std::shared_ptr<const MatchedTimelines>(digest_, &digest_->timelines) : nullptr);
    operators_->setRows(digest_ ? std::shared_ptr<const std::vector<OperatorDifference>>(
                                      digest_, &digest_->operators)
                                : nullptr);
    nodes_->setRows(
        digest_ ? std::shared_ptr<const std::vector<NodeDifference>>(digest_, &digest_->nodes)
                : nullptr);
    distribution_->setMeasurements(record && record->measured_a ? &*record->measured_a : nullptr,
                                   record && record->measured_b ? &*record->measured_b : nullptr,
                                   record ? record->difference : std::nullopt);
    memory_->setSides(digest_ ? digest_->memory_a : std::nullopt,
                      digest_ ? digest_->memory_b : std::nullopt);
    outputs_->setRows(record ? record->outputs : std::vector<OutputComparison>(),
                      record && record->outputs_compared,
                      record ? roundedOnOneSide(*record) : Compute::exact);
    if (a && b) {
        counts_->setRows(digest_ ? digest_->counts : countDifferences(a->summary, b->summary));
        if (isVisible()) workbench_.plannedMemory().want({a, b});
    }
    refreshFigures();
    refreshProfileNote();
    if (old) workbench_.jobs().releaseLater(old);
    refreshVerdict();
    emit digestChanged();
}

void ComparePage::refreshFigures() {
    const app::VariantPtr a = workbench_.comparison().a(), b = workbench_.comparison().b();
    if (state_ != State::ready || !a || !b) return;
    const app::PlannedMemory& planned = workbench_.plannedMemory();
    cards_->setFigures(summaryFigures(*a, *b, digest_ ? digest_->record.get() : nullptr,
                                      {planned.of(a), planned.of(b)}));
}

/// The note of the tabs whose times come from profiled runs. Timelines shows such runs unscaled.
void ComparePage::refreshProfileNote() {
    const QWidget* shown = tabs_->currentWidget();
    const bool isDrawn = shown == timelines_;
    const bool isProfiled = isDrawn || shown == modules_ || shown == operators_ || shown == nodes_;
    profileNote_->setVisible(isProfiled && digest_ && digest_->run_a && digest_->run_b);
    if (profileNote_->isHidden()) return;
    const TimeScale& scale = digest_->scale;
    const QString a = formatMilliseconds(scale.profiled_a_ms),
                  b = formatMilliseconds(scale.profiled_b_ms);
    profileNote_->setText(
        isDrawn ? tr("A typical profiled run of each. Watching costs time: profiled runs take %1 "
                     "in A and %2 in B.")
                      .arg(a, b)
        : scale.isOfMeasurement
            ? tr("Shares of profiled runs (%1 in A, %2 in B), scaled to the latencies above: "
                 "watching costs time.")
                  .arg(a, b)
            : tr("Typical profiled runs: %1 in A, %2 in B; watching costs time.").arg(a, b));
}

QString ComparePage::speedSentence(const app::Variant& a, const app::Variant& b,
                                   const app::ComparisonRecord* record) const {
    if (!record)
        return tr("%1 against %2: %3 instead of %4 nodes. Press Compare to measure, profile and "
                  "check the outputs.")
            .arg(b.name, a.name, formatCount(qint64(b.report.nodes_after)),
                 formatCount(qint64(a.report.nodes_after)));
    if (!record->difference) return {};
    const MedianEstimate& ratio = record->difference->ratio;
    const QString interval = percentInterval(ratio.low - 1, ratio.high - 1);
    if (!record->difference->significant)
        return tr("%1 and %2 do not differ beyond noise: the interval of the difference is %3.")
            .arg(b.name, a.name, interval);
    if (ratio.median < 1)
        return tr("%1 is faster than %2: %3 time per run (%4), significant.")
            .arg(b.name, a.name, signedPercent(ratio.median - 1), interval);
    return tr("%1 is slower than %2: %3 time per run (%4), significant.")
        .arg(b.name, a.name, signedPercent(ratio.median - 1), interval);
}

QString ComparePage::causeSentence(const app::ComparisonRecord* record) const {
    const bool isNoise = record && record->difference && !record->difference->significant;
    if (!digest_ || digest_->operators.empty() || isNoise) return {};
    // by part of the model, which contains a fused operator as well as the nodes that it replaces
    const auto& modules = digest_->modules;
    const bool hasParts = modules.size() > 2 && modules[1].kind == ModuleDifference::Kind::module;
    const OperatorDifference& first = digest_->operators.front();
    const double difference = hasParts ? modules[1].difference() : first.difference();
    if (difference == 0 || (!hasParts && first.op.empty())) return {};
    double whole = 0;
    for (const OperatorDifference& row : digest_->operators) whole += row.difference();
    // a disturbed profile may contradict the measured times
    if ((whole > 0) != (difference > 0) || std::abs(difference) > std::abs(whole)) return {};
    const bool isSlower = record && record->difference && record->difference->ratio.median > 1;
    if (record && record->difference && isSlower != (difference > 0)) return {};
    return hasParts ? tr("Most in one part: %1, %2 per run.")
                          .arg(modules[1].name.empty() ? tr("outside of all scopes")
                                                       : labelText(modules[1].name),
                               signedMilliseconds(difference))
                    : tr("Most of it: %1, %2 per run.")
                          .arg(withoutDomain(labelText(first.op)), signedMilliseconds(difference));
}

/// Outputs of a quantized model are never equal, so the sentence says how large the error is.
QString ComparePage::outputSentence(const app::ComparisonRecord& record) const {
    if (const QString price = computePriceSentence(record); !price.isEmpty()) return price;
    const bool quantized = record.a->recipe.quantization || record.b->recipe.quantization;
    const auto wrong = std::ranges::count_if(
        record.outputs, [](const OutputComparison& output) { return !output.comparison.matches; });
    if (wrong == 0) return tr("The outputs agree.");
    if (!quantized)
        return tr("Outputs that differ: %1 of %2.").arg(wrong).arg(record.outputs.size());
    const auto worst = std::ranges::min_element(
        record.outputs, {},
        [](const OutputComparison& output) { return output.comparison.sqnr_db; });
    return tr("SQNR of the outputs is %1 or more.").arg(formatDecibels(worst->comparison.sqnr_db));
}

void ComparePage::refreshVerdict() {
    const app::VariantPtr a = workbench_.comparison().a(), b = workbench_.comparison().b();
    if (state_ != State::ready || !a || !b) return;
    const app::ComparisonRecord* record = digest_ ? digest_->record.get() : nullptr;
    QStringList sentences{speedSentence(*a, *b, record), causeSentence(record)};
    if (record) {
        sentences << tr("Measured with %1, threads: %2.")
                         .arg(app::inputsText(record->sizes, record->settings.given))
                         .arg(record->threads);
        if (!record->ranOn.isEmpty())
            sentences << tr("It ran on %1.").arg(labelText(record->ranOn));
        if (record->outputs_compared) sentences << outputSentence(*record);
        if (!record->complete && !workbench_.comparison().isRunningPair())
            sentences << tr("It was cancelled before the end.");
        if (!(record->settings == workbench_.runSettings()))
            sentences << tr("The run settings have changed since.");
        for (const QString& problem : record->problems)
            sentences << (problem.endsWith(u'.') ? problem : problem + u'.');
    } else {
        sentences << tr("It will run with %1, threads: %2.")
                         .arg(app::inputsText(workbench_.conditions().sizes,
                                              workbench_.runSettings().given))
                         .arg(workbench_.conditions().threads);
    }
    sentences.removeAll(QString());
    verdict_->setText(sentenceText(sentences.join(u' ')));
}

void ComparePage::exportInJob(const QString& path,
                              std::function<void(const ReportContent&)> write) {
    const app::ComparisonPtr record = workbench_.comparison().result();
    if (!record || !workbench_.opened()) return;
    ReportContent content = reportOf(*workbench_.opened(), *record, workbench_.project().notes());
    content.sweep = workbench_.tuning().result();
    // in English, as all of the report
    if (workbench_.checklist().judged() == record->b)
        content.advice = workbench_.checklist().advice({});
    const QPointer<ComparePage> page(this);
    workbench_.jobs().start<bool>(
        tr("Write %1").arg(path),
        [content = std::move(content), write = std::move(write)](const Progress& progress) {
            progress.step("write");
            write(content);
            return true;
        },
        [this, page, path](bool) {
            if (page) emit statusMessage(tr("Saved %1").arg(path));
        },
        [this, page, path](const Error& error) {
            if (!page || error.code() == ErrorCode::cancelled) return;
            banner_->showMessage(MessageBanner::Kind::error, tr("%1 was not saved").arg(path),
                                 tipText(error.what()));
        });
}

void ComparePage::checkRecording(const QString& path) { difference_->checkRecording(path); }

void ComparePage::saveReport(const QString& path) {
    exportInJob(path, [file = toPath(path)](const ReportContent& content) {
        save_html_report(content, file);
    });
}

void ComparePage::saveTables(const QString& folder) {
    exportInJob(folder, [place = toPath(folder)](const ReportContent& content) {
        save_report_tables(content, place);
    });
}

}  // namespace lapidary::views
