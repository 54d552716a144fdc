// SPDX-License-Identifier: Apache-2.0
// A window with a sample, and checks that its pages show the same figures.
#pragma once

#include <QLabel>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>

#include <lapidary/onnx_io/model_io.h>
#include <lapidary/report/model_summary.h>
#include <lapidary/export/requirement.h>

#include "canvas/graph_outline.h"
#include "checklist/checklist_page.h"
#include "compare/compare_digest.h"
#include "compare/compare_page.h"
#include "compare/module_waterfall.h"
#include "compare/summary_cards.h"
#include "memory/memory_page.h"
#include "optimize/export_dialog.h"
#include "optimize/export_preview.h"
#include "views/optimize/optimize_fixture.h"
#include "panels/inspector_panel.h"
#include "panels/problems_panel.h"
#include "support/test_data.h"
#include "tune/recommendation_card.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"
#include "workbench/jobs/comparison.h"
#include "workbench/tuning/level_times.h"
#include "workbench/document/planned_memory.h"
#include "workbench/project/project.h"
#include "workbench/document/run_conditions.h"
#include "workbench/tuning/tuning.h"

namespace lapidary::views {

class ConsistencyBase : public OptimizeTest {
protected:
    template <typename View>
    View* pageOf(const char* id) const {
        return qobject_cast<View*>(window_->page(QString::fromLatin1(id)));
    }
    bool quiet() {
        return waitFor(
            [&] { return workbench_->jobs().jobs().isEmpty() && workbench_->variants().isIdle(); });
    }
    /// The figure of a card by its label; empty: there is none.
    static QString figure(const QWidget* card, const QString& label) {
        for (const QWidget* widget : card->findChildren<QWidget*>())
            if (widget->accessibleName().startsWith(label + QStringLiteral(": ")))
                return widget->accessibleName().mid(label.size() + 2);
        return {};
    }
    QString chip() const { return find<QToolButton>("variantChip")->text(); }
    QString sizesChip() const { return find<QToolButton>("sizesChip")->text(); }
    LevelCard* cardInForce() const { return cards()->card(workbench_->recipeInForce().level); }
    /// The card of the level at which the variant in force runs.
    LevelCard* runningCard() const { return cards()->card(workbench_->recipeInForce().runLevel()); }
    /// The text in every headline: level, threads, sizes.
    QString conditions() const {
        const app::RunConditions& now = workbench_->conditions();
        return app::conditionsText(workbench_->recipeInForce(), now.threads, now.sizes);
    }
    void walk() {
        for (const QString& id : window_->pageIds()) {
            window_->showPage(id);
            ASSERT_TRUE(quiet()) << id.toStdString();
        }
    }

    void sizesAgree() {
        const app::InputSizes sizes = workbench_->conditions().sizes;
        if (sizes.empty()) {
            EXPECT_FALSE(find<QToolButton>("sizesChip")->isEnabled());
            return;
        }
        EXPECT_EQ(sizesChip(), app::textOf(sizes));
        for (const auto& [name, size] : sizes) {
            EXPECT_EQ(
                app::sizesOf(*workbench_->opened()->model, workbench_->run()->inputs).at(name),
                size)
                << name << ": the newest run";
            const auto* field =
                window_->findChild<QSpinBox*>(QStringLiteral("dimension_") + exactText(name));
            if (field && workbench_->document()->variant == nullptr) {
                const QString shown = field->text();
                EXPECT_TRUE(shown.contains(QString::number(size)))
                    << name << ": " << shown.toStdString();
            }
        }
        EXPECT_EQ(figure(runPage(), QStringLiteral("sizes")), app::textOf(sizes));
        EXPECT_TRUE(runningCard()->toolTip().contains(app::textOf(sizes)));
    }

    void timesAgree() {
        const app::RunFigures* time = workbench_->timeOf(workbench_->recipeInForce());
        ASSERT_TRUE(time);
        const QString median = formatMedian(time->median_ms, time->low_ms, time->high_ms);
        EXPECT_TRUE(chip().contains(median))
            << chip().toStdString() << " lacks " << median.toStdString();
        EXPECT_TRUE(runningCard()->timeText().startsWith(median))
            << runningCard()->timeText().toStdString();
        const std::vector<Advice> advice = workbench_->checklist().advice();
        const auto reported = std::ranges::find(advice, "runs", &Advice::id);
        ASSERT_NE(reported, advice.end());
        EXPECT_TRUE(QString::fromStdString(reported->finding).contains(median))
            << "the Checklist: " << reported->finding;
        EXPECT_TRUE(chip().startsWith(app::runNameOf(workbench_->recipeInForce())))
            << chip().toStdString();
        const app::RunRecordPtr run = workbench_->run();
        if (time->kind != app::RunKind::profile || !run) return;
        const QString runs = QStringLiteral("median of %1 profiled runs").arg(run->profile->runs);
        EXPECT_EQ(figure(runPage(), runs), median);
        EXPECT_TRUE(inspectorCard().contains(median))
            << "the Inspector: " << inspectorCard().toStdString();
        EXPECT_TRUE(
            find<QLabel>("runVerdict")->text().contains(formatMilliseconds(run->summary.wall_ms)))
            << "the headline has the median too: "
            << find<QLabel>("runVerdict")->text().toStdString();
    }

    void nodesAgree() {
        const app::VariantPtr shown = workbench_->document()->variant
                                          ? workbench_->document()->variant
                                          : workbench_->variants().original();
        const QString nodes = formatCount(qint64(shown->report.nodes_after));
        EXPECT_TRUE(cardInForce()->headline().startsWith(nodes + u' '))
            << cardInForce()->headline().toStdString();
        EXPECT_TRUE(cardInForce()->isInForce());
        auto* tree = find<QTreeView>("variantsPanel");
        const QModelIndex model = tree->model()->index(0, 0);
        bool reported = false;
        for (int row = 0; row < tree->model()->rowCount(model); ++row) {
            const QString name = tree->model()->index(row, 0, model).data().toString();
            if (!name.endsWith(shown->isOriginal() ? QStringLiteral("Original") : shown->name))
                continue;
            EXPECT_EQ(tree->model()->index(row, 1, model).data().toString(), nodes);
            reported = true;
        }
        EXPECT_TRUE(reported);
        if (shown->sessionNodes > 0) {
            const QString inSession = nodeCountText(shown->sessionNodes);
            EXPECT_TRUE(cardInForce()->toolTip().contains(inSession))
                << cardInForce()->toolTip().toStdString();
            EXPECT_TRUE(inspectorCard().contains(formatCount(qint64(shown->sessionNodes))))
                << inSession.toStdString();
        }
        workbench_->setFocus({});
        const QString card = find<InspectorPanel>("inspectorPanel")->plainText();
        EXPECT_TRUE(card.contains(nodes)) << "the Inspector's model card: " << nodes.toStdString();
    }

    void peaksAgree() {
        auto* memory = pageOf<MemoryPage>("memory");
        ASSERT_TRUE(memory->picture());
        const QString planned = formatBytes(memory->picture()->report.needed_bytes);
        EXPECT_EQ(figure(memory, QStringLiteral("activations planned")), planned);
        const QString process = formatBytes(memory->picture()->report.process.total());
        EXPECT_EQ(figure(memory, QStringLiteral("process")), process);
        EXPECT_TRUE(runningCard()->memoryText().contains(process))
            << runningCard()->memoryText().toStdString();
        const app::RunRecordPtr run = workbench_->run();
        ASSERT_TRUE(run);
        const QString measured = formatBytes(std::uint64_t(run->profile->peak_bytes));
        EXPECT_EQ(figure(runPage(), QStringLiteral("activations held")), measured);
        EXPECT_EQ(figure(memory, QStringLiteral("held in the last run")), measured);
        EXPECT_EQ(workbench_->project().runs().back().peak_bytes, run->profile->peak_bytes);
        EXPECT_EQ(figure(memory, QStringLiteral("weights as stored")),
                  figure(runPage(), QStringLiteral("weights as stored")));
    }

    /// Every headline shows level, threads and sizes of the newest run.
    void conditionsAgree() {
        const app::RunRecordPtr run = workbench_->run();
        ASSERT_TRUE(run && run->model);
        EXPECT_EQ(run->model, workbench_->runningVariant()->model)
            << "what runs is what is planned and compared";
        EXPECT_EQ(run->profile->threads, workbench_->conditions().threads);
        EXPECT_EQ(figure(runPage(), QStringLiteral("level")),
                  app::nameOf(workbench_->recipeInForce().running()));
        EXPECT_EQ(figure(runPage(), QStringLiteral("threads")),
                  QString::number(run->profile->threads));
        EXPECT_TRUE(inspectorCard().contains(conditions())) << inspectorCard().toStdString();
        const QString planned = pageOf<MemoryPage>("memory")->conditionsText();
        EXPECT_EQ(planned, conditions());
        EXPECT_TRUE(findText(pageOf<MemoryPage>("memory"), planned)) << planned.toStdString();
        EXPECT_EQ(workbench_->tuning().measuredName(),
                  app::nameOf(workbench_->recipeInForce().running()));
        EXPECT_EQ(workbench_->project().runs().back().recipe,
                  workbench_->recipeInForce().running());
        const QString tip = find<QToolButton>("variantChip")->toolTip();
        EXPECT_TRUE(tip.contains(QStringLiteral("threads: %1").arg(run->profile->threads)))
            << tip.toStdString();
    }
    static bool findText(const QWidget* page, const QString& text) {
        return std::ranges::any_of(page->findChildren<QLabel*>(), [&](const QLabel* label) {
            return label->text().contains(text);
        });
    }

    /// Checklist and Inspector show the same requirement of the graph in force: for the graph in
    /// the file, and at level all.
    void portabilityAgrees() {
        for (const app::Recipe& recipe : {app::Recipe(), app::Recipe::plain(Level::all)}) {
            const app::VariantPtr variant = workbench_->variants().find(recipe);
            ASSERT_TRUE(variant);
            workbench_->showVariant(variant);
            ASSERT_TRUE(quiet());
            const QString needed =
                QString::fromStdString(requirement_of(*workbench_->document()->model).sentence);
            const auto isReported = [&] {
                return checklistFinding("portability")
                    .endsWith(QStringLiteral("Needs: %1.").arg(needed));
            };
            EXPECT_TRUE(waitFor(isReported)) << checklistFinding("portability").toStdString()
                                             << "\nlacks " << needed.toStdString();
            EXPECT_TRUE(inspectorCard().contains(needed.simplified()))
                << inspectorCard().toStdString() << "\nlacks " << needed.toStdString();
        }
    }

    QString inspectorCard() {
        workbench_->setFocus({});
        return find<InspectorPanel>("inspectorPanel")->plainText().simplified();
    }
    QString checklistFinding(const char* id) const {
        for (const Advice& row : pageOf<ChecklistPage>("checklist")->rows())
            if (row.id == id) return QString::fromStdString(row.finding);
        return {};
    }
    /// Lines of the Problems panel of that severity.
    QStringList problems(const QString& severity) const {
        QStringList found;
        const auto* model = find<ProblemsPanel>("problemsPanel")->model();
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->index(row, 0).data().toString().contains(severity))
                found << model->index(row, 1).data().toString() + u'\n' +
                             model->index(row, 2).data().toString();
        return found;
    }
    /// The Problems panel, its tab, the Inspector's model card and the document show the same
    /// problems.
    void problemsAgree() {
        const auto* panel = find<ProblemsPanel>("problemsPanel");
        const auto* tabs = find<QTabWidget>("bottomTabs");
        ASSERT_TRUE(panel && tabs);
        EXPECT_EQ(panel->problemCount(), panel->model()->rowCount());
        EXPECT_EQ(tabs->tabText(0), panel->problemCount() > 0
                                        ? QStringLiteral("Problems (%1)").arg(panel->problemCount())
                                        : QStringLiteral("Problems"));
        const app::DocumentPtr shown = workbench_->document();
        const QStringList errors = problems(QStringLiteral("Error")),
                          warnings = problems(QStringLiteral("Warning"));
        EXPECT_EQ(std::size_t(errors.size()),
                  shown->faults.size() + shown->summary.unsupported.size());
        const QString card = inspectorCard();
        const bool nothing = card.contains(QStringLiteral("Every operator can run here"));
        EXPECT_EQ(nothing, errors.isEmpty() && warnings.isEmpty()) << card.toStdString();
        for (const QString& line : errors + warnings)
            EXPECT_TRUE(card.contains(line.section(u'\n', 1).simplified()))
                << "the Inspector lacks " << line.toStdString();
        const bool isPlain = requirement_of(*shown->model).kind == Requirement::Kind::onnx;
        const QStringList notes =
            problems(QStringLiteral("Note")).filter(QStringLiteral("no ONNX operators"));
        EXPECT_EQ(notes.isEmpty(), isPlain) << notes.join(u'\n').toStdString();
        for (const QString& note : notes)
            EXPECT_TRUE(
                note.contains(QString::fromStdString(requirement_of(*shown->model).sentence)));
    }
    /// The preview of an export shows what the file then holds. It is about the variant in force,
    /// with its time. If the original is in force, it is about the variant that the Optimize page
    /// draws, and says so.
    void exportAgrees(const QString& file) {
        const app::Recipe inForce = workbench_->recipeInForce(),
                          exported = inForce.isOriginal() ? page()->variant()->recipe : inForce;
        command(QStringLiteral("Export …"))->trigger();
        auto* dialog = window_->findChild<ExportDialog*>();
        ASSERT_TRUE(dialog);
        EXPECT_TRUE(dialog->windowTitle().endsWith(app::nameOf(exported)))
            << dialog->windowTitle().toStdString();
        auto* preview = dialog->findChild<ExportPreview*>();
        ASSERT_TRUE(waitFor([&] { return preview->figures().has_value(); }))
            << preview->text().toStdString();
        const QString reported = preview->text(),
                      contents =
                          dialog->findChild<QLabel*>(QStringLiteral("exportContents"))->text();
        EXPECT_EQ(contents.contains(QStringLiteral("In force is %1.").arg(app::nameOf(inForce))),
                  !(inForce == exported))
            << contents.toStdString();
        if (const app::RunFigures* time = workbench_->timeOf(exported))
            EXPECT_TRUE(
                contents.contains(formatMedian(time->median_ms, time->low_ms, time->high_ms)))
                << contents.toStdString();
        else EXPECT_FALSE(contents.contains(QStringLiteral(" ms"))) << contents.toStdString();
        QSignalSpy saved(dialog, &ExportDialog::saved), failed(dialog, &ExportDialog::failed);
        dialog->setPath(file);
        dialog->save();
        ASSERT_TRUE(waitFor([&] { return saved.size() + failed.size() > 0; }));
        ASSERT_EQ(failed.size(), 0) << failed.value(0).value(0).toString().toStdString();
        dialog->close();
        ASSERT_TRUE(waitFor([&] { return !window_->findChild<ExportDialog*>(); }));
        const Model written = load_model(file.toStdString());
        const ModelSummary summary = summarize(written);
        EXPECT_TRUE(reported.startsWith(nodeCountText(std::uint64_t(summary.nodes)) +
                                        QStringLiteral(", ") + formatBytes(summary.weight_bytes)))
            << reported.toStdString();
        EXPECT_TRUE(reported.contains(QString::fromStdString(requirement_of(written).sentence)))
            << reported.toStdString();
        const app::VariantPtr variant = workbench_->variants().find(exported);
        ASSERT_TRUE(variant);
        // the target may add constants
        const QString weightsOnTheCard = formatBytes(variant->summary.weight_bytes);
        EXPECT_TRUE(
            formatBytes(summary.weight_bytes) == weightsOnTheCard ||
            reported.contains(QStringLiteral("Here weights take %1;").arg(weightsOnTheCard)))
            << "the card shows " << weightsOnTheCard.toStdString() << ": "
            << reported.toStdString();
        // the target may write one node as several
        const auto onTheCard = std::int64_t(variant->report.nodes_after);
        EXPECT_TRUE(
            summary.nodes == onTheCard ||
            reported.contains(QStringLiteral("the level leaves %1;").arg(formatCount(onTheCard))))
            << "the card shows " << onTheCard << ": " << reported.toStdString();
    }

    void allAgree() {
        problemsAgree();
        sizesAgree();
        timesAgree();
        nodesAgree();
        peaksAgree();
        conditionsAgree();
    }
};

}  // namespace lapidary::views
