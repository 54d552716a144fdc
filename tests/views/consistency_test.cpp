// SPDX-License-Identifier: Apache-2.0
// One truth: whatever page tells a figure of the model, it is the same figure. Three models, two sets of sizes, two
// variants; every figure shown for one quantity is read from the widgets and compared.
#include <QLabel>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>

#include <lapidary/model_io.h>
#include <lapidary/model_summary.h>
#include <lapidary/requirement.h>

#include "canvas/graph_outline.h"
#include "checklist/checklist_page.h"
#include "compare/compare_digest.h"
#include "compare/compare_page.h"
#include "compare/module_waterfall.h"
#include "compare/summary_cards.h"
#include "memory/memory_page.h"
#include "optimize/export_dialog.h"
#include "optimize/export_preview.h"
#include "optimize_fixture.h"
#include "panels/inspector_panel.h"
#include "panels/problems_panel.h"
#include "support/test_data.h"
#include "tune/recommendation_card.h"
#include "widgets/quantity.h"
#include "workbench/bounded_text.h"
#include "workbench/comparison.h"
#include "workbench/level_times.h"
#include "workbench/planned_memory.h"
#include "workbench/project.h"
#include "workbench/run_conditions.h"
#include "workbench/tuning.h"

namespace lapidary::views {
namespace {

class ConsistencyBase : public OptimizeTest {
protected:
    template <typename View>
    View* pageOf(const char* id) const { return qobject_cast<View*>(window_->page(QString::fromLatin1(id))); }
    bool quiet() {
        return waitFor([&] { return workbench_->jobs().jobs().isEmpty() && workbench_->variants().isIdle(); });
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
    /// Of the level at which the variant in force runs.
    LevelCard* runningCard() const { return cards()->card(workbench_->recipeInForce().runLevel()); }
    /// What every headline names: level, threads, sizes.
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
            EXPECT_EQ(app::sizesOf(*workbench_->opened()->model, workbench_->run()->inputs).at(name), size)
                << name << ": the newest run";
            const auto* field = window_->findChild<QSpinBox*>(QStringLiteral("dimension_") + exactText(name));
            if (field && workbench_->document()->variant == nullptr) {
                const QString shown = field->text();
                EXPECT_TRUE(shown.contains(QString::number(size))) << name << ": " << shown.toStdString();
            }
        }
        EXPECT_EQ(figure(runPage(), QStringLiteral("sizes")), app::textOf(sizes));
        EXPECT_TRUE(runningCard()->toolTip().contains(app::textOf(sizes)));
    }

    void timesAgree() {
        const app::RunFigures* time = workbench_->timeOf(workbench_->recipeInForce());
        ASSERT_TRUE(time);
        const QString median = formatMedian(time->median_ms, time->low_ms, time->high_ms);
        EXPECT_TRUE(chip().contains(median)) << chip().toStdString() << " lacks " << median.toStdString();
        EXPECT_TRUE(runningCard()->timeText().startsWith(median)) << runningCard()->timeText().toStdString();
        const std::vector<Advice> advice = workbench_->checklist().advice();
        const auto told = std::ranges::find(advice, "runs", &Advice::id);
        ASSERT_NE(told, advice.end());
        EXPECT_TRUE(QString::fromStdString(told->finding).contains(median)) << "the Checklist: " << told->finding;
        EXPECT_TRUE(chip().startsWith(app::runNameOf(workbench_->recipeInForce()))) << chip().toStdString();
        const app::RunRecordPtr run = workbench_->run();
        if (time->kind != app::RunKind::profile || !run) return;
        const QString runs = QStringLiteral("median of %1 profiled runs").arg(run->profile->runs);
        EXPECT_EQ(figure(runPage(), runs), median);
        EXPECT_TRUE(inspectorCard().contains(median)) << "the Inspector: " << inspectorCard().toStdString();
        EXPECT_TRUE(find<QLabel>("runVerdict")->text().contains(formatMilliseconds(run->summary.wall_ms)))
            << "the headline tells the median too: " << find<QLabel>("runVerdict")->text().toStdString();
    }

    void nodesAgree() {
        const app::VariantPtr shown =
            workbench_->document()->variant ? workbench_->document()->variant : workbench_->variants().original();
        const QString nodes = formatCount(qint64(shown->report.nodes_after));
        EXPECT_TRUE(cardInForce()->headline().startsWith(nodes + u' ')) << cardInForce()->headline().toStdString();
        EXPECT_TRUE(cardInForce()->isInForce());
        auto* tree = find<QTreeView>("variantsPanel");
        const QModelIndex model = tree->model()->index(0, 0);
        bool told = false;
        for (int row = 0; row < tree->model()->rowCount(model); ++row) {
            const QString name = tree->model()->index(row, 0, model).data().toString();
            if (!name.endsWith(shown->isOriginal() ? QStringLiteral("Original") : shown->name)) continue;
            EXPECT_EQ(tree->model()->index(row, 1, model).data().toString(), nodes);
            told = true;
        }
        EXPECT_TRUE(told);
        if (shown->sessionNodes > 0) {
            const QString inSession = nodeCountText(shown->sessionNodes);
            EXPECT_TRUE(cardInForce()->toolTip().contains(inSession)) << cardInForce()->toolTip().toStdString();
            EXPECT_TRUE(inspectorCard().contains(formatCount(qint64(shown->sessionNodes)))) << inSession.toStdString();
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
        EXPECT_TRUE(runningCard()->memoryText().contains(process)) << runningCard()->memoryText().toStdString();
        const app::RunRecordPtr run = workbench_->run();
        ASSERT_TRUE(run);
        const QString measured = formatBytes(std::uint64_t(run->profile->peak_bytes));
        EXPECT_EQ(figure(runPage(), QStringLiteral("activations held")), measured);
        EXPECT_EQ(figure(memory, QStringLiteral("held in the last run")), measured);
        EXPECT_EQ(workbench_->project().runs().back().peak_bytes, run->profile->peak_bytes);
        EXPECT_EQ(figure(memory, QStringLiteral("weights as stored")),
                  figure(runPage(), QStringLiteral("weights as stored")));
    }

    /// Level, threads and sizes stand at every headline, and are what the newest run had.
    void conditionsAgree() {
        const app::RunRecordPtr run = workbench_->run();
        ASSERT_TRUE(run && run->model);
        EXPECT_EQ(run->model, workbench_->runningVariant()->model) << "what runs is what is planned and compared";
        EXPECT_EQ(run->profile->threads, workbench_->conditions().threads);
        EXPECT_EQ(figure(runPage(), QStringLiteral("level")),
                  app::nameOf(workbench_->recipeInForce().running()));
        EXPECT_EQ(figure(runPage(), QStringLiteral("threads")), QString::number(run->profile->threads));
        EXPECT_TRUE(inspectorCard().contains(conditions())) << inspectorCard().toStdString();
        const QString planned = pageOf<MemoryPage>("memory")->conditionsText();
        EXPECT_EQ(planned, conditions());
        EXPECT_TRUE(findText(pageOf<MemoryPage>("memory"), planned)) << planned.toStdString();
        EXPECT_EQ(workbench_->tuning().measuredName(), app::nameOf(workbench_->recipeInForce().running()));
        EXPECT_EQ(workbench_->project().runs().back().recipe, workbench_->recipeInForce().running());
        const QString tip = find<QToolButton>("variantChip")->toolTip();
        EXPECT_TRUE(tip.contains(QStringLiteral("threads: %1").arg(run->profile->threads))) << tip.toStdString();
    }
    static bool findText(const QWidget* page, const QString& text) {
        return std::ranges::any_of(page->findChildren<QLabel*>(),
                                   [&](const QLabel* label) { return label->text().contains(text); });
    }

    void portabilityAgrees() {
        workbench_->showVariant(workbench_->variants().original());
        ASSERT_TRUE(quiet());
        const auto& rows = pageOf<ChecklistPage>("checklist")->rows();
        const auto row = std::ranges::find(rows, "portability", &Advice::id);
        ASSERT_NE(row, rows.end());
        const QString finding = QString::fromStdString(row->finding);
        const qsizetype needs = finding.indexOf(QStringLiteral("Needs: "));
        ASSERT_GE(needs, 0) << finding.toStdString();
        const QString sentence = finding.mid(needs + 7).chopped(1);  // without the full stop
        const QString card = find<InspectorPanel>("inspectorPanel")->plainText().simplified();
        EXPECT_TRUE(card.contains(sentence.simplified()))
            << "the Inspector says otherwise than \"" << sentence.toStdString() << '"';
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
                found << model->index(row, 1).data().toString() + u'\n' + model->index(row, 2).data().toString();
        return found;
    }
    /// The Problems panel, its tab, the Inspector's model card and the document tell of the same.
    void problemsAgree() {
        const auto* panel = find<ProblemsPanel>("problemsPanel");
        const auto* tabs = find<QTabWidget>("bottomTabs");
        ASSERT_TRUE(panel && tabs);
        EXPECT_EQ(panel->problemCount(), panel->model()->rowCount());
        EXPECT_EQ(tabs->tabText(0), panel->problemCount() > 0
                                        ? QStringLiteral("Problems (%1)").arg(panel->problemCount())
                                        : QStringLiteral("Problems"));
        const app::DocumentPtr shown = workbench_->document();
        const QStringList errors = problems(QStringLiteral("Error")), warnings = problems(QStringLiteral("Warning"));
        EXPECT_EQ(std::size_t(errors.size()), shown->faults.size() + shown->summary.unsupported.size());
        const QString card = inspectorCard();
        const bool nothing = card.contains(QStringLiteral("nothing about the file is odd"));
        EXPECT_EQ(nothing, errors.isEmpty() && warnings.isEmpty()) << card.toStdString();
        for (const QString& line : errors + warnings)
            EXPECT_TRUE(card.contains(line.section(u'\n', 1).simplified()))
                << "the Inspector lacks " << line.toStdString();
        const bool isPlain = requirement_of(*shown->model).kind == Requirement::Kind::onnx;
        const QStringList notes = problems(QStringLiteral("Note")).filter(QStringLiteral("no ONNX operators"));
        EXPECT_EQ(notes.isEmpty(), isPlain) << notes.join(u'\n').toStdString();
        for (const QString& note : notes)
            EXPECT_TRUE(note.contains(QString::fromStdString(requirement_of(*shown->model).sentence)));
    }
    /// What the export says before it writes is what the file holds. It is of the variant in force, with its time;
    /// while the original is in force of what the Optimize page draws, and it says that.
    void exportAgrees(const QString& file) {
        const app::Recipe inForce = workbench_->recipeInForce(),
                          exported = inForce.isOriginal() ? page()->variant()->recipe : inForce;
        command(QStringLiteral("Export …"))->trigger();
        auto* dialog = window_->findChild<ExportDialog*>();
        ASSERT_TRUE(dialog);
        EXPECT_TRUE(dialog->windowTitle().endsWith(app::nameOf(exported))) << dialog->windowTitle().toStdString();
        auto* preview = dialog->findChild<ExportPreview*>();
        ASSERT_TRUE(waitFor([&] { return preview->figures().has_value(); })) << preview->text().toStdString();
        const QString told = preview->text(),
                      contents = dialog->findChild<QLabel*>(QStringLiteral("exportContents"))->text();
        EXPECT_EQ(contents.contains(QStringLiteral("In force is %1.").arg(app::nameOf(inForce))),
                  !(inForce == exported))
            << contents.toStdString();
        if (const app::RunFigures* time = workbench_->timeOf(exported))
            EXPECT_TRUE(contents.contains(formatMedian(time->median_ms, time->low_ms, time->high_ms)))
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
        EXPECT_TRUE(told.startsWith(nodeCountText(std::uint64_t(summary.nodes)) + QStringLiteral(", ") +
                                    formatBytes(summary.weight_bytes)))
            << told.toStdString();
        EXPECT_TRUE(told.contains(QString::fromStdString(requirement_of(written).sentence))) << told.toStdString();
        const app::VariantPtr variant = workbench_->variants().find(exported);
        ASSERT_TRUE(variant);
        EXPECT_EQ(formatBytes(summary.weight_bytes), formatBytes(variant->summary.weight_bytes));
        const auto onTheCard = std::int64_t(variant->report.nodes_after);  // some of which the target writes as several
        EXPECT_TRUE(summary.nodes == onTheCard ||
                    told.contains(QStringLiteral("the level leaves %1;").arg(formatCount(onTheCard))))
            << "the card tells " << onTheCard << ": " << told.toStdString();
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

class ConsistencyTest : public ConsistencyBase, public testing::WithParamInterface<const char*> {
protected:
    void open() {
        openAndOptimize(GetParam());
        ASSERT_TRUE(quiet());
    }
};
using ConsistencyOfFaults = ConsistencyBase;

TEST_P(ConsistencyTest, EveryPageTellsTheSameFigures) {
    open();
    runModel();
    walk();
    allAgree();
    EXPECT_TRUE(chip().startsWith(QStringLiteral("Original, run at level all"))) << chip().toStdString();
    const app::RunRecordPtr run = workbench_->run();
    workbench_->useRecipe(app::Recipe::plain(Level::all));
    ASSERT_TRUE(quiet());
    EXPECT_EQ(workbench_->run(), run) << "one run for what runs alike";
    walk();
    allAgree();

    app::Recipe extended;
    extended.level = Level::extended;
    workbench_->useRecipe(extended);
    ASSERT_TRUE(quiet());
    EXPECT_TRUE(chip().startsWith(QStringLiteral("Extended"))) << chip().toStdString();
    EXPECT_FALSE(workbench_->run()) << "no run of another variant is shown as this one's";
    EXPECT_EQ(workbench_->timeOf(extended), nullptr);
    EXPECT_FALSE(chip().contains(QStringLiteral("ms"))) << "nothing was measured: " << chip().toStdString();
    EXPECT_EQ(workbench_->tuning().measuredName(), QStringLiteral("Extended")) << "Tune measures what is in force";
    runModel();
    walk();
    allAgree();
    portabilityAgrees();
}

TEST_P(ConsistencyTest, AnExportIsWhatItSaysAndOpensAsThat) {
    open();
    runModel();
    const QTemporaryDir folder;
    exportAgrees(folder.filePath(QStringLiteral("original.onnx")));
    app::Recipe extended;
    extended.level = Level::extended;
    workbench_->choose(extended, QStringLiteral("test"));
    ASSERT_TRUE(quiet());
    runModel();
    const QString file = folder.filePath(QStringLiteral("extended.onnx"));
    exportAgrees(file);
    // the file itself: every place says who can run it in the same words
    workbench_->project().forgetChanges();
    workbench_->openModel(file);
    ASSERT_TRUE(waitFor(
        [&] { return workbench_->opened() && workbench_->opened()->model->path.string() == file.toStdString(); }));
    walk();
    const Requirement needs = requirement_of(*workbench_->opened()->model);
    const QString sentence = QString::fromStdString(needs.sentence);
    EXPECT_TRUE(inspectorCard().contains(sentence)) << inspectorCard().toStdString();
    EXPECT_TRUE(checklistFinding("portability").contains(sentence))
        << checklistFinding("portability").toStdString();
    problemsAgree();
    if (needs.kind != Requirement::Kind::onnx) {
        const QStringList notes = problems(QStringLiteral("Note"));
        EXPECT_FALSE(notes.filter(checklistFinding("portability")).isEmpty())
            << "Problems and Checklist say it in one sentence: " << notes.join(u'\n').toStdString();
    }
    const std::string passport = [&] {
        for (const auto& [key, value] : workbench_->opened()->model->metadata)
            if (key == "lapidary.needs") return value;
        return std::string();
    }();
    EXPECT_EQ(passport, needs.sentence);
}

TEST_F(ConsistencyOfFaults, AFaultIsOneEverywhere) {
    const ModelPtr valid = scoped_model(3);
    Model model = *valid;
    GraphEdit edit(model.graph);
    const NodeId node = *std::ranges::find_if(
        model.graph.nodes(), [&](NodeId id) { return model.graph.node(id).op_type == "Conv"; });
    edit.set_input(node, 1, edit.add_initializer("wrong", Tensor::of<float>({4, 7, 1, 1}, std::vector<float>(28, 1))));
    edit.finish();
    const TemporaryFolder folder;
    save_model(model, folder / "invalid.onnx");
    workbench_->openModel(QString::fromStdString((folder / "invalid.onnx").string()));
    ASSERT_TRUE(waitFor([&] { return workbench_->document() != nullptr; }));
    ASSERT_TRUE(quiet());
    ASSERT_EQ(workbench_->document()->faults.size(), 1u);
    problemsAgree();
}

TEST_P(ConsistencyTest, OtherSizesAreOtherFiguresEverywhere) {
    open();
    const app::InputSizes before = workbench_->conditions().sizes;
    if (before.empty()) GTEST_SKIP() << GetParam() << " has inputs of fixed sizes";
    runModel();
    walk();
    const QString time = runningCard()->timeText(), memory = runningCard()->memoryText();
    app::RunSettings settings = workbench_->runSettings();
    const std::string name = before.begin()->first;
    settings.dimensions[name] = before.begin()->second * 2;
    workbench_->setRunSettings(settings);
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(quiet());
    EXPECT_EQ(sizesChip(), app::textOf(workbench_->conditions().sizes));
    EXPECT_EQ(runningCard()->timeText(), QStringLiteral("press Measure"))
        << "the time was one of other sizes: " << time.toStdString();
    EXPECT_FALSE(chip().contains(QStringLiteral(" ms"))) << chip().toStdString();
    EXPECT_NE(runningCard()->memoryText(), memory) << "more data, more memory";
    runModel();
    walk();
    allAgree();
}

TEST_P(ConsistencyTest, AChangeAndTheTwoValuesBesideItPointTheSameWay) {
    open();
    app::Recipe all;
    all.level = Level::all;
    workbench_->project().setSlot(app::Slot::A, workbench_->variants().find(app::Recipe::plain(Level::disabled)));
    workbench_->project().setSlot(app::Slot::B, workbench_->variants().find(all));
    app::Comparison& comparison = workbench_->comparison();
    MeasureOptions options = comparison.options();
    options.seconds = 0.5;
    comparison.setOptions(options);
    window_->showPage(QStringLiteral("compare"));
    comparison.start();
    ASSERT_TRUE(
        waitFor([&] { return comparison.result() && comparison.result()->complete && !comparison.isRunning(); }));
    ASSERT_TRUE(quiet());
    const app::ComparisonRecord& record = *comparison.result();
    ASSERT_TRUE(record.measured_a && record.measured_b) << record.problems.join(u'\n').toStdString();
    const auto figures = window_->findChild<SummaryCards*>()->figures();
    for (const SummaryFigure& figure : figures) {
        if (figure.sign != 0 && !figure.change.isEmpty()) {
            EXPECT_EQ(figure.change.contains(QStringLiteral("▲")), figure.sign < 0)
                << figure.name.toStdString() << ": up is better: " << figure.change.toStdString();
        }
        if (figure.change.isEmpty() || figure.name == QStringLiteral("Throughput")) continue;
        const bool more = figure.change.contains(u'+'), less = figure.change.contains(QStringLiteral("−"));
        EXPECT_TRUE(figure.sign <= 0 || more) << figure.name.toStdString() << ": " << figure.change.toStdString();
        EXPECT_TRUE(figure.sign >= 0 || less) << figure.name.toStdString() << ": " << figure.change.toStdString();
    }
    const double a = record.measured_a->wall.median.median, b = record.measured_b->wall.median.median;
    const auto latency = std::ranges::find(figures, QStringLiteral("Latency"), &SummaryFigure::name);
    ASSERT_NE(latency, figures.end());
    EXPECT_TRUE(!latency->change.contains(u'+') || b > a) << latency->change.toStdString();
    EXPECT_TRUE(!latency->change.contains(QStringLiteral("−")) || b < a) << latency->change.toStdString();
    // the tables of profiled runs, which take longer, are in the same scale
    const auto* compare = pageOf<ComparePage>("compare");
    ASSERT_TRUE(waitFor([&] { return compare->digest() && compare->digest()->record.get() == &record; }));
    const auto& bars = window_->findChild<ModuleWaterfall*>()->rows();
    if (bars.rowCount() > 0) {
        EXPECT_EQ(bars.index(0, 3).data().toString(), latency->a) << "A as a whole";
        EXPECT_EQ(bars.index(bars.rowCount() - 1, 4).data().toString(), latency->b) << "B as a whole";
    }
    double ofA = 0, ofB = 0;
    for (const OperatorDifference& row : compare->digest()->operators) ofA += row.a_ms, ofB += row.b_ms;
    EXPECT_NEAR(ofA, a, 0.02 * a);
    EXPECT_NEAR(ofB, b, 0.02 * b);
    const QString note = find<QLabel>("compareProfileNote")->text();
    EXPECT_TRUE(note.contains(formatMilliseconds(compare->digest()->run_a->summary.wall_ms))) << note.toStdString();
    EXPECT_TRUE(note.contains(QStringLiteral("scaled"))) << note.toStdString();
    const auto nodes = std::ranges::find(figures, QStringLiteral("Nodes"), &SummaryFigure::name);
    ASSERT_NE(nodes, figures.end());
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(quiet());
    EXPECT_TRUE(cards()->card(Level::all)->headline().startsWith(nodes->b + u' '));
    EXPECT_TRUE(cards()->card(Level::disabled)->headline().startsWith(nodes->a + u' '));
}

TEST_P(ConsistencyTest, ComparePlansThePeaksThatOptimizeTells) {
    open();
    app::Recipe all;
    all.level = Level::all;
    workbench_->project().setSlot(app::Slot::A, workbench_->variants().find(app::Recipe::plain(Level::disabled)));
    workbench_->project().setSlot(app::Slot::B, workbench_->variants().find(all));
    window_->showPage(QStringLiteral("compare"));
    const auto* told = window_->findChild<SummaryCards*>();
    const auto peak = [&] {
        const auto at = std::ranges::find(told->figures(), QStringLiteral("Process"), &SummaryFigure::name);
        return at == told->figures().end() ? SummaryFigure() : *at;
    };
    ASSERT_TRUE(waitFor([&] { return !peak().a.isEmpty() && !peak().b.isEmpty(); }));
    const app::PlannedMemory& planned = workbench_->plannedMemory();
    const auto disabled = workbench_->variants().find(app::Recipe::plain(Level::disabled));
    EXPECT_EQ(peak().a, formatBytes(planned.of(disabled)->process_bytes));
    EXPECT_EQ(peak().b, formatBytes(planned.of(workbench_->variants().find(all))->process_bytes));
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(quiet());
    for (const auto& [level, text] : {std::pair(Level::disabled, peak().a), {Level::all, peak().b}})
        EXPECT_TRUE(cards()->card(level)->memoryText().contains(QStringLiteral("process %1").arg(text)))
            << cards()->card(level)->memoryText().toStdString() << ", Compare: " << text.toStdString();
}

TEST_P(ConsistencyTest, LevelsAreMeasuredInTurnAndTold) {
    open();
    MeasureOptions options = workbench_->levelTimes().options();
    options.seconds = 0.3;
    workbench_->levelTimes().setOptions(options);
    command(QStringLiteral("Measure the levels"))->trigger();
    EXPECT_TRUE(workbench_->levelTimes().isRunning());
    ASSERT_TRUE(waitFor([&] { return !workbench_->levelTimes().isRunning(); }));
    for (const Level level : {Level::disabled, Level::basic, Level::extended, Level::all}) {
        app::Recipe recipe;
        recipe.level = level;
        const app::RunFigures* time = workbench_->timeOf(recipe);
        ASSERT_TRUE(time) << int(level);
        EXPECT_EQ(time->kind, app::RunKind::measurement);
        EXPECT_TRUE(cards()->card(level)->timeText().startsWith(
            formatMedian(time->median_ms, time->low_ms, time->high_ms)))
            << cards()->card(level)->timeText().toStdString();
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, ConsistencyTest, testing::Values("mlp", "lenet", "bert-tiny"),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::erase(name, '-');
                             return name;
                         });

}  // namespace
}  // namespace lapidary::views
