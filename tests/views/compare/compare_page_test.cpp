// SPDX-License-Identifier: Apache-2.0
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QClipboard>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>

#include <filesystem>
#include <fstream>
#include <set>

#include "compare/code_panel.h"
#include "compare/compare_page.h"
#include "compare/comparison_report.h"
#include "compare/difference_tables.h"
#include "compare/distribution_view.h"
#include "compare/matched_timelines.h"
#include "compare/memory_overlay.h"
#include "compare/module_waterfall.h"
#include "compare/signed_text.h"
#include "compare/summary_cards.h"
#include "compare/waterfall_delegate.h"
#include "views/graph_models.h"
#include "views/scripted_engine.h"
#include "support/test_data.h"
#include "widgets/cards/message_banner.h"
#include "widgets/choices/slot_bar.h"
#include "views/window_fixture.h"
#include "workbench/jobs/comparison.h"
#include "workbench/text/job_command.h"
#include "workbench/project/project.h"

namespace lapidary::views {
namespace {

app::Recipe recipeOf(Level level) {
    app::Recipe recipe;
    recipe.level = level;
    return recipe;
}

class ComparePageTest : public testing::Test {
protected:
    void SetUp() override {
        QSettings().clear();
        applyTheme(ThemeChoice::light);
        auto engine = std::make_unique<ScriptedEngine>();
        engine_ = engine.get();
        workbench_ = std::make_unique<app::Workbench>(std::move(engine));
        app::RunSettings settings;
        settings.repetitions = 5;
        settings.warmups = 1;
        settings.resources.threads = 2;
        workbench_->setRunSettings(settings);
        window_ = std::make_unique<MainWindow>(*workbench_);
        window_->resize(1400, 900);
        window_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get(), patience_ms));
        page_ = qobject_cast<ComparePage*>(window_->page(QStringLiteral("compare")));
        ASSERT_NE(page_, nullptr);
        window_->showPage(QStringLiteral("compare"));
    }
    void TearDown() override {
        engine_->hold = false;
        window_.reset();
        workbench_.reset();
    }
    template <typename Predicate>
    static bool waitFor(Predicate predicate) {
        return QTest::qWaitFor(predicate, patience_ms);
    }
    template <typename Widget>
    Widget* find(const char* name) const {
        auto* widget = window_->findChild<Widget*>(QString::fromLatin1(name));
        EXPECT_NE(widget, nullptr) << name;
        return widget;
    }
    app::Comparison& comparison() { return workbench_->comparison(); }
    app::VariantStore& store() { return workbench_->variants(); }
    void open() {
        workbench_->adopt(std::make_shared<const Model>(build_sample("bert-tiny")),
                          QStringLiteral("tiny"));
        window_->showPage(QStringLiteral("compare"));
        ASSERT_TRUE(waitFor([&] { return store().original() && store().isIdle(); }));
    }
    void choose(Level level) {
        page_->findChild<SlotCombo*>(QStringLiteral("slotB"))->choose(recipeOf(level));
        ASSERT_TRUE(
            waitFor([&] { return comparison().b() && comparison().b()->recipe.level == level; }));
    }
    void compare() {
        comparison().start();
        ASSERT_TRUE(comparison().isRunning());
        ASSERT_TRUE(waitFor([&] {
            return !comparison().isRunning() && page_->digest() &&
                   page_->digest()->record->complete;
        }));
    }

    std::unique_ptr<app::Workbench> workbench_;
    std::unique_ptr<MainWindow> window_;
    ScriptedEngine* engine_ = nullptr;
    ComparePage* page_ = nullptr;
};

TEST_F(ComparePageTest, LeadsFromNothingToAPair) {
    EXPECT_EQ(page_->state(), ComparePage::State::nothingOpen);
    open();
    EXPECT_EQ(page_->state(), ComparePage::State::ready) << "level disabled against what runs";
    EXPECT_EQ(comparison().a()->recipe, recipeOf(Level::disabled));
    EXPECT_EQ(comparison().b()->recipe, recipeOf(Level::all));
    find<SlotCombo>("slotB")->choose(recipeOf(Level::disabled));
    EXPECT_EQ(page_->state(), ComparePage::State::noPair) << "nothing is compared with itself";
    auto* suggestion = find<QAbstractButton>("suggestExtended");
    ASSERT_TRUE(suggestion->isVisible());
    QTest::mouseClick(suggestion, Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return page_->state() == ComparePage::State::ready; }));
    EXPECT_EQ(comparison().a()->recipe, recipeOf(Level::disabled));
    EXPECT_EQ(comparison().b()->recipe.level, Level::extended);
    EXPECT_TRUE(page_->verdict().contains(QStringLiteral("Press Compare")))
        << page_->verdict().toStdString();
    // known before anything runs
    EXPECT_GT(find<CountDifferences>("countDifferences")->rows().rowCount(), 0);
    const auto& figures = find<SummaryCards>("summaryCards")->figures();
    EXPECT_TRUE(std::ranges::any_of(figures, [](const SummaryFigure& f) {
        return f.name == QLatin1String("Nodes") && f.sign < 0 &&
               f.change.startsWith(QStringLiteral("✓"));
    }));
}

TEST_F(ComparePageTest, FollowsTheShownVariantUntilSlotsAreChosen) {
    open();
    store().request({recipeOf(Level::basic), recipeOf(Level::all)});
    ASSERT_TRUE(waitFor([&] { return store().isIdle(); }));
    EXPECT_EQ(comparison().b()->recipe.level, Level::all) << "as the original runs";
    workbench_->showVariant(store().find(recipeOf(Level::basic)));
    EXPECT_EQ(comparison().b()->recipe.level, Level::basic);
    store().setSlot(app::Slot::B, store().find(recipeOf(Level::basic)));
    workbench_->showVariant(store().original());
    workbench_->showVariant(store().find(recipeOf(Level::all)));
    EXPECT_EQ(comparison().b()->recipe.level, Level::basic);
}

// The same operators in another layout are no other operators.
TEST(CompareDigest, BringsLayoutsOfAnOperatorTogether) {
    const auto run = [](std::vector<OperatorTotal> operators, double wall) {
        auto record = std::make_shared<app::RunRecord>();
        record->profile = std::make_shared<Profile>();
        record->executed = record->model = std::make_shared<const Model>(build_sample("mlp"));
        record->summary.operators = std::move(operators);
        for (const OperatorTotal& total : record->summary.operators)
            record->summary.kernel_ms += total.self_ms;
        record->summary.wall_ms = wall;
        return record;
    };
    auto record = std::make_shared<app::ComparisonRecord>();
    const auto original = std::make_shared<app::Variant>();
    record->a = record->b = original;
    record->run_a = run({{"Conv", 5, 8, 0.8}, {"Gemm", 1, 1, 0.1}}, 10);
    record->run_b = run({{"com.microsoft.nchwc::Conv", 4, 3, 0.6},
                         {"Conv", 1, 1, 0.2},
                         {"com.microsoft::Gelu", 1, 0.5, 0.1}},
                        5);
    const CompareDigestPtr digest = digestComparison(record, record->run_a->model);
    const auto conv = std::ranges::find(digest->operators, "Conv", &OperatorDifference::op);
    ASSERT_NE(conv, digest->operators.end());
    EXPECT_EQ(digest->operators.size(), 4u) << "Conv, Gemm, Gelu, session overhead";
    EXPECT_DOUBLE_EQ(conv->difference(), -4);
    EXPECT_EQ(conv->calls_b, 5);
    EXPECT_EQ(conv->blocked_a, 0);
    EXPECT_EQ(conv->blocked_b, 4);
    OperatorDifferences table;
    table.setRows({digest, &digest->operators});
    bool reported = false;
    for (int row = 0; row < table.rows().rowCount(); ++row)
        reported |= table.rows()
                        .index(row, 0)
                        .data(Qt::ToolTipRole)
                        .toString()
                        .contains(QStringLiteral("(NCHWc): 0 calls in A, 4 in B"));
    EXPECT_TRUE(reported);
}

TEST_F(ComparePageTest, MeasuresProfilesAndComparesOutputs) {
    open();
    choose(Level::all);
    QTest::mouseClick(find<QPushButton>("startComparison"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return page_->digest() && page_->digest()->record->complete; }));
    const app::ComparisonPtr record = comparison().result();
    ASSERT_TRUE(record && record->difference);
    EXPECT_TRUE(record->difference->significant);
    EXPECT_LT(record->difference->ratio.median, 0.85);
    EXPECT_EQ(engine_->last_job.candidates.size(), 2u);
    EXPECT_EQ(engine_->last_job.candidates[0].configuration.resources.threads, 2);
    // variants are optimized already
    EXPECT_EQ(engine_->last_job.candidates[0].configuration.level, Level::disabled);
    EXPECT_TRUE(page_->verdict().contains(QStringLiteral("faster")))
        << page_->verdict().toStdString();
    EXPECT_TRUE(page_->verdict().contains(QStringLiteral("1 of 2")))
        << page_->verdict().toStdString();

    const CompareDigest& digest = *page_->digest();
    double before = 0, after = 0;
    for (const OperatorDifference& row : digest.operators) {
        before += row.a_ms;
        after += row.b_ms;
    }
    ASSERT_TRUE(digest.run_a && digest.run_b);
    const ProfileSummary &of_a = digest.run_a->summary, &of_b = digest.run_b->summary;
    const double median_a = record->measured_a->wall.median.median,
                 median_b = record->measured_b->wall.median.median;
    EXPECT_NEAR(before, median_a, 0.01 * median_a) << "in parts of the latency that the card shows";
    EXPECT_NEAR(after, median_b, 0.01 * median_b);
    EXPECT_TRUE(digest.scale.isOfMeasurement);
    EXPECT_NEAR(digest.scale.a * of_a.wall_ms, median_a, 1e-9);
    EXPECT_EQ(digest.scale.profiled_b_ms, of_b.wall_ms);
    ASSERT_FALSE(digest.nodes.empty());
    double nodes_before = 0, nodes_after = 0;
    for (const NodeDifference& row : digest.nodes) {
        nodes_before += row.a_ms;
        nodes_after += row.b_ms;
        if (row.interval) {
            EXPECT_LE(row.interval->first, row.difference() + 1e-9);
            EXPECT_GE(row.interval->second, row.difference() - 1e-9);
        }
    }
    EXPECT_NEAR(nodes_before, of_a.kernel_ms * digest.scale.a,
                0.02 * of_a.kernel_ms * digest.scale.a);
    EXPECT_NEAR(nodes_after, of_b.kernel_ms * digest.scale.b,
                0.02 * of_b.kernel_ms * digest.scale.b);
    const MatchedTimelines& timelines = digest.timelines;
    ASSERT_FALSE(timelines.links.empty());
    EXPECT_LT(timelines.b.lane.size(), timelines.a.lane.size()) << "fused";
    const auto origins = [](const app::RunRecord& run, const MatchedRun& side, std::uint32_t span) {
        const Span& kernel = run.profile->kernels[side.lane[span].index];
        const auto& nodes = run.executed->graph.node(kernel.node).origins;
        return std::set<NodeId>(nodes.begin(), nodes.end());
    };
    std::size_t joined = 0, expected = 0;
    for (const MatchedSpans& link : timelines.links) {
        const auto of_b = origins(*record->run_b, timelines.b, link.b);
        for (std::uint32_t a = link.first_a; a <= link.last_a; ++a, ++joined) {
            const auto of_a = origins(*record->run_a, timelines.a, a);
            EXPECT_TRUE(
                std::ranges::any_of(of_a, [&](NodeId node) { return of_b.contains(node); }));
        }
    }
    for (std::uint32_t a = 0; a < timelines.a.lane.size(); ++a)
        for (std::uint32_t b = 0; b < timelines.b.lane.size(); ++b) {
            const auto of_a = origins(*record->run_a, timelines.a, a),
                       of_b = origins(*record->run_b, timelines.b, b);
            expected += std::ranges::any_of(of_a, [&](NodeId node) { return of_b.contains(node); });
        }
    EXPECT_EQ(joined, expected) << "each pair once";
    EXPECT_LT(timelines.links.size(), joined) << "neighbours are one band";
    auto* view = find<MatchedTimelinesView>("matchedTimelines");
    find<QTabWidget>("compareTabs")->setCurrentWidget(view);
    QTest::keyClick(view, Qt::Key_Right);
    EXPECT_EQ(view->current(), 0);
    EXPECT_TRUE(view->sentenceOf(true, 0).startsWith(QStringLiteral("In B: ")))
        << view->sentenceOf(true, 0).toStdString();
    EXPECT_FALSE(view->grab().toImage().isNull());
    EXPECT_EQ(find<OutputDifferences>("outputDifferences")->rows().rowCount(), 2);
    EXPECT_EQ(find<TableView>("roundTable")->model()->rowCount(), 40);
    ASSERT_TRUE(digest.memory_a && digest.memory_b);
    EXPECT_GT(digest.memory_a->peak_bytes, 0);
    QAbstractItemModelTester nodes(find<TableView>("nodeDifferences")->model());

    // Both directions are kept; asking for what is known measures nothing.
    const int measured = engine_->measured;
    workbench_->project().swapSlots();
    EXPECT_EQ(comparison().b()->recipe, recipeOf(Level::disabled));
    EXPECT_EQ(comparison().result(), nullptr);
    workbench_->project().swapSlots();
    EXPECT_EQ(comparison().result(), record);
    EXPECT_EQ(engine_->measured, measured);
}

TEST_F(ComparePageTest, SaysWhenThereIsNoDifference) {
    engine_->factor = 1;
    open();
    choose(Level::basic);
    compare();
    EXPECT_FALSE(comparison().result()->difference->significant);
    EXPECT_TRUE(page_->verdict().contains(QStringLiteral("do not differ beyond noise")))
        << page_->verdict().toStdString();
    const auto& figures = find<SummaryCards>("summaryCards")->figures();
    EXPECT_EQ(figures[0].worth, QStringLiteral("no difference beyond noise"));
    EXPECT_EQ(figures[0].sign, 0);
}

TEST_F(ComparePageTest, CancelKeepsWhatWasMeasured) {
    engine_->hold = true;
    open();
    choose(Level::all);
    comparison().start();
    ASSERT_TRUE(
        waitFor([&] { return comparison().result() && comparison().result()->measured_a; }));
    auto* banner = page_->findChild<MessageBanner*>(QStringLiteral("messageBanner"));
    ASSERT_NE(banner, nullptr);
    EXPECT_TRUE(banner->isVisible());
    QSignalSpy cancelled(&comparison(), &app::Comparison::cancelled);
    comparison().cancel();
    ASSERT_TRUE(waitFor([&] { return cancelled.size() == 1; }));
    EXPECT_FALSE(comparison().isRunning());
    EXPECT_FALSE(banner->isVisible());
    ASSERT_TRUE(comparison().result() && comparison().result()->measured_a);
    EXPECT_FALSE(comparison().result()->complete);
    EXPECT_TRUE(page_->verdict().contains(QStringLiteral("cancelled")))
        << page_->verdict().toStdString();
}

TEST_F(ComparePageTest, APartThatFailsLeavesTheOthers) {
    engine_->measuring_fails = "no clock here";
    open();
    choose(Level::basic);
    compare();
    const app::ComparisonPtr record = comparison().result();
    EXPECT_FALSE(record->measured_a);
    EXPECT_TRUE(record->run_a && record->run_b);
    EXPECT_TRUE(page_->verdict().contains(QStringLiteral("no clock here")))
        << page_->verdict().toStdString();
    EXPECT_FALSE(page_->digest()->operators.empty());
}

TEST_F(ComparePageTest, ANewModelEndsTheComparison) {
    engine_->hold = true;
    open();
    choose(Level::basic);
    comparison().start();
    ASSERT_TRUE(waitFor([&] { return comparison().result() != nullptr; }));
    open();
    EXPECT_FALSE(comparison().isRunning());
    EXPECT_EQ(comparison().result(), nullptr);
    ASSERT_EQ(page_->state(), ComparePage::State::ready)
        << "level disabled against what runs, of the new model";
    EXPECT_EQ(comparison().a()->recipe, recipeOf(Level::disabled));
    EXPECT_EQ(comparison().b()->recipe, recipeOf(Level::all))
        << "the choice was of the model before";
    EXPECT_EQ(page_->digest(), nullptr);
    EXPECT_TRUE(page_->verdict().contains(QStringLiteral("Press Compare")))
        << page_->verdict().toStdString();
    ASSERT_TRUE(waitFor([&] { return workbench_->jobs().jobs().isEmpty(); }));
    EXPECT_EQ(comparison().result(), nullptr);
    EXPECT_EQ(page_->digest(), nullptr);
}

TEST_F(ComparePageTest, TakesVariantsThatAreDropped) {
    open();
    auto* combo = find<SlotCombo>("slotB");
    QMimeData data;
    data.setData(QLatin1String(variant_mime_type), app::toJson(recipeOf(Level::basic)).toUtf8());
    EXPECT_TRUE(combo->take(data));
    ASSERT_TRUE(waitFor(
        [&] { return comparison().b() && comparison().b()->recipe.level == Level::basic; }));
    QMimeData other;
    other.setData(QLatin1String(variant_mime_type), "[1");
    EXPECT_FALSE(combo->take(other));
    EXPECT_EQ(comparison().b()->recipe.level, Level::basic);
}

TEST_F(ComparePageTest, SavesReportAndTables) {
    open();
    choose(Level::all);
    compare();
    const TemporaryFolder folder;
    const auto report = folder.path() / "report.html", tables = folder.path() / "tables";
    QSignalSpy reported(page_, &Page::statusMessage);
    const auto saved = [&](const std::filesystem::path& path) {
        return waitFor([&] {
            return std::ranges::any_of(reported, [&](const auto& line) {
                return line[0].toString().contains(QString::fromStdString(path.string()));
            });
        });
    };
    page_->saveReport(QString::fromStdString(report.string()));
    ASSERT_TRUE(saved(report));
    std::ifstream in(report);
    const std::string html((std::istreambuf_iterator<char>(in)), {});
    EXPECT_NE(html.find("<html"), std::string::npos);
    EXPECT_NE(html.find("tiny"), std::string::npos);
    page_->saveTables(QString::fromStdString(tables.string()));
    ASSERT_TRUE(saved(tables));
    EXPECT_TRUE(std::filesystem::exists(tables / "report.json"));
    EXPECT_TRUE(std::filesystem::exists(tables / "nodes.csv"));
    page_->saveReport(QStringLiteral("/no/such/folder/report.html"));
    auto* banner = page_->findChild<MessageBanner*>(QStringLiteral("messageBanner"));
    ASSERT_TRUE(waitFor(
        [&] { return banner->isVisible() && banner->kind() == MessageBanner::Kind::error; }));
}

TEST_F(ComparePageTest, WritesCodeForEitherSide) {
    open();
    choose(Level::extended);
    auto* code = find<CodePanel>("codePanel");
    for (auto* tabs : page_->findChildren<QTabWidget*>()) tabs->setCurrentWidget(code);
    const auto written = [&] { return waitFor([&] { return !code->isWriting(); }); };
    for (int language = 0; language < code->language()->count(); ++language) {
        code->language()->setCurrentIndex(language);
        ASSERT_TRUE(written());
        EXPECT_FALSE(code->text().isEmpty()) << language;
    }
    code->language()->setCurrentIndex(0);
    ASSERT_TRUE(written());
    EXPECT_TRUE(code->text().contains(QStringLiteral("ORT_ENABLE_EXTENDED")))
        << code->text().toStdString();
    code->side()->setCurrentIndex(0);
    ASSERT_TRUE(written());
    EXPECT_TRUE(code->text().contains(QStringLiteral("ORT_DISABLE_ALL")))
        << code->text().toStdString();
    EXPECT_FALSE(code->text().contains(QStringLiteral("optimized_model_filepath")) ||
                 code->text().contains(QStringLiteral("enable_profiling")));
    for (const char* box : {"codeOptimizedModel", "codeProfile"})
        find<QCheckBox>(box)->setChecked(true);
    ASSERT_TRUE(written());
    for (const char* line : {"options.optimized_model_filepath = ", ".onnxruntime.onnx\"",
                             "options.enable_profiling = True", "options.profile_file_prefix = "})
        EXPECT_TRUE(code->text().contains(QString::fromLatin1(line))) << line << " in\n"
                                                                      << code->text().toStdString();
    code->providers()->setText(QStringLiteral("cuda:device_id=1,use_tf32=0"));
    code->options()->setText(QStringLiteral("enable_mem_pattern=0 session.disable_prepacking=1"));
    ASSERT_TRUE(written());
    for (const char* line :
         {"(\"CUDAExecutionProvider\", {\"device_id\": \"1\", \"use_tf32\": \"0\"}),",
          "options.enable_mem_pattern = False",
          "options.add_session_config_entry(\"session.disable_prepacking\", \"1\")"})
        EXPECT_TRUE(code->text().contains(QString::fromLatin1(line))) << line << " in\n"
                                                                      << code->text().toStdString();
    const auto problem = [&] {
        EXPECT_TRUE(written());
        return code->text().isEmpty() ? find<QLabel>("codeProblem")->text().toStdString()
                                      : std::string("none");
    };
    code->options()->setText(QStringLiteral("enable_mem_patern=0"));
    EXPECT_NE(problem().find("the nearest is enable_mem_pattern"), std::string::npos) << problem();
    code->options()->setText(QStringLiteral("alone"));
    EXPECT_NE(problem().find("expected KEY=VALUE, found \"alone\""), std::string::npos)
        << problem();
    code->options()->clear();
    code->providers()->setText(QStringLiteral("cuda:tf32=0"));
    EXPECT_NE(problem().find("CUDA has no option \"tf32\""), std::string::npos) << problem();
    code->providers()->clear();
    app::Recipe recipe = recipeOf(Level::all);
    for (const PassInfo& pass : all_passes())
        if (pass.name == "fuse_gelu") recipe.setPass(pass, false);
    recipe.runs_on =
        app::RunsOn{.onnxruntime = true, .providers = {{"cuda", {{"device_id", "1"}}}}};
    const SnippetSettings settings =
        snippetSettings(recipe, workbench_->runSettings(), QStringLiteral("m.onnx"), false);
    EXPECT_FALSE(settings.disabled_optimizers.empty());
    EXPECT_EQ(settings.configuration.resources.threads, 2);
    ASSERT_EQ(settings.providers.size(), 1u) << "those that the variant runs on";
    EXPECT_EQ(settings.providers.front().options.at("device_id"), "1");
    EXPECT_TRUE(snippetSettings(recipe, workbench_->runSettings(), QStringLiteral("m.onnx"), true)
                    .optimized_already);
}

TEST_F(ComparePageTest, CommandRepeatsTheComparison) {
    open();
    choose(Level::extended);
    app::ModelSource source;
    EXPECT_EQ(app::comparisonCommand(source, *comparison().a(), *comparison().b(),
                                     workbench_->runSettings()),
              QString())
        << "a model without a file";
    source.file = "tiny.onnx";
    EXPECT_EQ(app::comparisonCommand(source, *comparison().a(), *comparison().b(),
                                     workbench_->runSettings()),
              QStringLiteral(
                  "lapidary-cli compare tiny.onnx --level disabled --level extended --intra 2"));
    app::Variant partly = *comparison().b();
    partly.recipe.stop_after = 3;
    const QString command =
        app::comparisonCommand(source, *comparison().a(), partly, workbench_->runSettings());
    EXPECT_TRUE(command.contains(QStringLiteral("\"stop_after\":3"))) << command.toStdString();
    EXPECT_EQ(command.count(u'\n'), 1);
}

TEST_F(ComparePageTest, SignificantNodesOnly) {
    auto* table = new NodeDifferences;
    const std::unique_ptr<NodeDifferences> owner(table);
    NodeDifference faster{NodeId(1), "a", "Conv", "a", "a", 2, 1, std::pair(-1.2, -0.8)};
    NodeDifference unsure{NodeId(2), "b", "Conv", "b", "b", 2, 1.9, std::pair(-0.3, 0.1)};
    NodeDifference unknown{NodeId(3), "c", "Relu", "c", "", 2, 0, std::nullopt};
    table->setRows(
        std::make_shared<const std::vector<NodeDifference>>(std::vector{faster, unsure, unknown}));
    EXPECT_EQ(table->rows().rowCount(), 3);
    table->significantOnly()->setChecked(true);
    ASSERT_EQ(table->rows().rowCount(), 1);
    EXPECT_EQ(table->rows().row(0).name, "a");
}

}  // namespace
}  // namespace lapidary::views
