// SPDX-License-Identifier: Apache-2.0
// The Optimize page as people use it: step through rewrites, switch passes, undo, near misses,
// variants.
#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTabWidget>
#include <QTreeView>

#include <memory>
#include <optional>
#include <set>

#include "optimize/change_panel.h"
#include "optimize/level_cards.h"
#include "optimize/near_miss_panel.h"
#include "optimize/pass_list_panel.h"
#include "optimize/rewrite_text.h"
#include "optimize_fixture.h"
#include "panels/inspector_panel.h"
#include "widgets/cards/empty_state.h"
#include "widgets/text/quantity.h"
#include "window/dialogs/convert_dialog.h"

namespace lapidary::views {
namespace {

class OptimizePageTest : public OptimizeTest {};

TEST_F(OptimizePageTest, SaysWhatToDoWhileNothingIsOpen) {
    window_->showPage(QStringLiteral("optimize"));
    auto* empty = page()->findChild<EmptyState*>();
    ASSERT_TRUE(empty);
    EXPECT_TRUE(empty->isVisible());
    EXPECT_FALSE(command(QStringLiteral("Use this graph"))->isEnabled());
    EXPECT_FALSE(command(QStringLiteral("Next rewrite"))->isEnabled());
}

TEST_F(OptimizePageTest, MakesAllLevelsAndDrawsTheChosenOne) {
    openAndOptimize("bert-tiny");
    for (const Level level : {Level::disabled, Level::basic, Level::extended, Level::all})
        EXPECT_EQ(cards()->card(level)->state(), LevelCard::State::Ready);
    const app::VariantPtr variant = page()->variant();
    EXPECT_EQ(variant->recipe.level, Level::extended);
    EXPECT_GT(variant->report.rewrites.size(), 0u);
    EXPECT_LT(variant->report.nodes_after, variant->report.nodes_before);
    EXPECT_EQ(page()->stepBar()->steps(), int(variant->report.rewrites.size()));
    EXPECT_EQ(page()->shownStep(), int(variant->rewrites()));
    EXPECT_GT(variant->sessionRewrites, 0u);
    EXPECT_GT(page()->diffView()->diff()->removed, 0u);
    EXPECT_EQ(workbench_->variants().list().size(), 5u) << "the original and four levels";
    QTest::mouseClick(cards()->card(Level::basic), Qt::LeftButton);
    ASSERT_TRUE(settled());
    EXPECT_EQ(page()->variant()->recipe.level, Level::basic);
    EXPECT_EQ(page()->shownStep(), int(page()->variant()->rewrites()));
}

TEST_F(OptimizePageTest, CardsBreakIntoRowsWhereTheWidthEnds) {
    QWidget page;  // a top-level window could not become narrower than a row of its cards
    LevelCards& cards = *new LevelCards(&page);
    const int each = cards.card(Level::basic)->minimumSizeHint().width();
    const auto rowsAt = [&](int width) {
        cards.resize(width, 600);
        cards.grab();
        std::set<int> rows;
        using Card = std::optional<Level>;
        for (const Card level : {Card(), Card(Level::disabled), Card(Level::basic),
                                 Card(Level::extended), Card(Level::all)}) {
            EXPECT_GE(cards.card(level)->width(), each) << width;
            EXPECT_LE(cards.card(level)->geometry().right(), width);
            rows.insert(cards.card(level)->y());
        }
        return rows.size();
    };
    EXPECT_EQ(rowsAt(each * 6), 1u);
    EXPECT_EQ(rowsAt(each * 4), 2u);
    EXPECT_EQ(rowsAt(each * 3 / 2), 5u);
    EXPECT_LE(cards.minimumSizeHint().width(), each * 3 / 2);
}

TEST_F(OptimizePageTest, TheSliderGoesOnThroughWhatASessionDoes) {
    openAndOptimize("bert-tiny");
    const app::VariantPtr variant = page()->variant();
    const int own = int(variant->rewrites()), steps = page()->stepBar()->steps();
    ASSERT_EQ(steps, own + int(variant->sessionRewrites));
    ASSERT_GT(steps, own);
    const std::size_t finished = page()->diffView()->diff()->nodesAfter;
    EXPECT_EQ(finished, variant->report.nodes_after);
    const auto counted = [](int step, int of) {
        return QStringLiteral("%1 of %2").arg(step).arg(of);
    };
    EXPECT_EQ(page()->stepBar()->countText(), counted(own, own))
        << "the finished graph leaves nothing to apply";
    EXPECT_TRUE(
        page()->stepBar()->description().startsWith(QStringLiteral("All rewrites applied")));
    EXPECT_TRUE(page()->stepBar()->description().contains(QString::number(steps - own)));
    for (int step = own + 1; step <= steps; ++step) {
        page()->stepBar()->slider()->setValue(step);
        ASSERT_TRUE(settled());
        ASSERT_EQ(page()->shownStep(), step);
        const AppliedRewrite& applied = variant->report.rewrites[std::size_t(step - 1)];
        EXPECT_EQ(applied.level, Level::session);
        EXPECT_EQ(page()->stepBar()->countText(),
                  QStringLiteral("session: ") + counted(step - own, steps - own));
        EXPECT_FALSE(applied.rewrite.origins.empty()) << step;
        EXPECT_TRUE(page()->stepBar()->description().contains(
            QString::fromStdString(applied.rewrite.pass)));
    }
    EXPECT_LT(page()->diffView()->diff()->nodesAfter, finished)
        << "a session's kernels take several nodes";
    bool own_operator = false;
    for (const OutlineLeaf& leaf : page()->diffView()->diff()->after->outline->leaves())
        own_operator =
            own_operator ||
            (leaf.kind == OutlineLeaf::Kind::Node &&
             page()->diffView()->diff()->after->outline->nodeOf(leaf).domain == "lapidary");
    EXPECT_TRUE(own_operator);
    EXPECT_FALSE(page()->command().contains(QStringLiteral("--stop-after")))
        << "what is exported is the variant";
}

TEST_F(OptimizePageTest, TheHeadlineSaysInWordsWhatWasRewritten) {
    openAndOptimize("bert-tiny");
    const QString verdict = find<QLabel>("optimizeVerdict")->text();
    const PipelineReport& report = page()->variant()->report;
    const auto applied = [&](std::string_view pass) {
        return std::ranges::count_if(
            report.rewrites, [&](const AppliedRewrite& a) { return a.rewrite.pass == pass; });
    };
    ASSERT_GT(applied("fuse_attention"), 1);
    EXPECT_TRUE(
        verdict.contains(wordsFor(RewriteKind::attention, std::size_t(applied("fuse_attention")))))
        << verdict.toStdString();
    EXPECT_FALSE(verdict.contains(u'_')) << "no names of passes: " << verdict.toStdString();
    EXPECT_EQ(headlineOf({}), QString());
    EXPECT_EQ(wordsFor(RewriteKind::constant, 1), QStringLiteral("1 constant folded"));
    for (const PassInfo& pass : all_passes())
        if (pass.level != Level::session && pass.level != Level::disabled &&
            (pass.name.starts_with("fuse_") || pass.name.starts_with("eliminate_")))
            EXPECT_TRUE(kindOf(pass.name) != RewriteKind::other || pass.name == "fuse_div_mul" ||
                        pass.name == "fuse_not_where" || pass.name == "fuse_label_encoder" ||
                        pass.name == "fuse_bias_dropout")
                << pass.name;
}

// As screen readers do: they toggle what can be checked and click nothing.
TEST_F(OptimizePageTest, TogglingALevelChoosesIt) {
    openAndOptimize("bert-tiny");
    QAccessibleInterface* card = QAccessible::queryAccessibleInterface(cards()->card(Level::basic));
    ASSERT_TRUE(card && card->actionInterface());
    ASSERT_TRUE(card->actionInterface()->actionNames().contains(
        QAccessibleActionInterface::toggleAction()));
    card->actionInterface()->doAction(QAccessibleActionInterface::toggleAction());
    EXPECT_EQ(page()->recipe().level, Level::basic);
    ASSERT_TRUE(settled());
    EXPECT_EQ(page()->variant()->recipe.level, Level::basic);
    EXPECT_TRUE(cards()->card(Level::basic)->isChecked());
    EXPECT_FALSE(cards()->card(Level::extended)->isChecked());
}

TEST_F(OptimizePageTest, StepsKeepEveryNodeInItsPlace) {
    openAndOptimize("bert-tiny");
    command(QStringLiteral("Side by side"))->trigger();
    StepBar* bar = page()->stepBar();
    std::map<std::string, QPointF> places;
    for (int step = 0; step <= bar->steps(); step += std::max(1, bar->steps() / 12)) {
        bar->slider()->setValue(step);
        ASSERT_TRUE(settled());
        ASSERT_EQ(page()->shownStep(), step);
        const GraphScene& scene = *page()->diffView()->after()->scene();
        const std::vector<std::string> keys = leafKeys(*scene.outline);
        for (OutlineIndex leaf = 0; leaf < keys.size(); ++leaf) {
            if (scene.boxOfLeaf[leaf] == noIndex) continue;
            const QPointF centre = scene.boxes[scene.boxOfLeaf[leaf]].rect().center();
            const auto [at, fresh] = places.emplace(keys[leaf], centre);
            EXPECT_LT(QLineF(at->second, centre).length(), 2)
                << keys[leaf] << " moved at step " << step;
        }
    }
    EXPECT_GT(places.size(), 20u);
}

TEST_F(OptimizePageTest, TheKeyboardStepsAndTheChangeListFollows) {
    openAndOptimize("bert-tiny");
    StepBar* bar = page()->stepBar();
    bar->slider()->setFocus();
    const int last = bar->steps();
    QTest::keyClick(bar->slider(), Qt::Key_Home);
    ASSERT_TRUE(settled());
    EXPECT_EQ(page()->shownStep(), 0);
    EXPECT_EQ(page()->diffView()->diff()->removed, 0u);
    command(QStringLiteral("Next rewrite"))->trigger();
    ASSERT_TRUE(settled());
    EXPECT_EQ(page()->shownStep(), 1);
    auto* changes = find<ChangePanel>("changePanel");
    EXPECT_EQ(changes->model().stepAt(changes->view()->currentIndex()), 1u);
    EXPECT_EQ(bar->description(), describeRewrite(*page()->variant(), 1));
    changes->view()->setCurrentIndex(changes->model().indexOf(std::size_t(last)));
    ASSERT_TRUE(settled());
    EXPECT_EQ(page()->shownStep(), last);
    EXPECT_EQ(bar->step(), last);
}

TEST_F(OptimizePageTest, SplitPanesMoveTogetherAndTheOverlayShowsRemovedNodes) {
    openAndOptimize("bert-tiny");
    DiffView* diff = page()->diffView();
    command(QStringLiteral("Side by side"))->trigger();
    diff->after()->zoomBy(0.5, {10, 10});
    EXPECT_DOUBLE_EQ(diff->before()->scale(), diff->after()->scale());
    diff->before()->zoomBy(1.7, {50, 20});
    EXPECT_DOUBLE_EQ(diff->before()->scale(), diff->after()->scale());
    EXPECT_EQ(diff->before()->origin(), diff->after()->origin());
    const auto count = [](const std::vector<BoxMark>& marks, auto is) {
        return std::ranges::count_if(marks, is);
    };
    EXPECT_EQ(count(diff->before()->marks(), isRemoval), std::ptrdiff_t(diff->diff()->removed));
    EXPECT_EQ(count(diff->after()->marks(), isAddition), std::ptrdiff_t(diff->diff()->added));
    EXPECT_FALSE(diff->after()->ghost());
    command(QStringLiteral("Compact result"))->trigger();
    command(QStringLiteral("Overlay"))->trigger();
    EXPECT_FALSE(diff->before()->isVisible());
    ASSERT_TRUE(diff->after()->ghost());
    EXPECT_EQ(count(diff->after()->ghostLook().marks, isRemoval),
              std::ptrdiff_t(diff->diff()->removed));
    EXPECT_FALSE(diff->after()->brackets().empty());
    for (const SceneBracket& bracket : diff->after()->brackets())
        EXPECT_TRUE(bracket.text.contains(QStringLiteral("→")));
    command(QStringLiteral("Side by side"))->trigger();
    EXPECT_TRUE(diff->before()->isVisible());
}

TEST_F(OptimizePageTest, TheResultIsCompactAndStepsShowRemovedNodes) {
    openAndOptimize("bert-tiny");
    DiffView* diff = page()->diffView();
    EXPECT_EQ(diff->mode(), DiffView::Mode::Overlay);
    ASSERT_TRUE(diff->showsCompact());
    const GraphScene &compact = *diff->after()->scene(), &stretched = *diff->diff()->after;
    EXPECT_EQ(diff->after()->scene(), diff->diff()->compact);
    EXPECT_LT(compact.height, 0.6 * stretched.height) << "no gaps where nodes were removed";
    EXPECT_EQ(std::ranges::count_if(diff->after()->marks(), isAddition),
              std::ptrdiff_t(diff->diff()->added));
    EXPECT_FALSE(diff->after()->ghost());
    StepBar* bar = page()->stepBar();
    bar->slider()->setValue(page()->stepBar()->steps() / 2);
    ASSERT_TRUE(settled());
    EXPECT_FALSE(diff->showsCompact());
    EXPECT_TRUE(diff->after()->ghost()) << "removed nodes are drawn beneath";
    command(QStringLiteral("Finished graph"))->trigger();
    ASSERT_TRUE(settled());
    EXPECT_TRUE(diff->showsCompact());
}

// Beside the tabs, which have room for their titles (TheTabsHaveRoomOnAWindowOf1280).
TEST_F(OptimizePageTest, TheCanvasHasMostOfThePageAndTheStepBarItsWidth) {
    window_->resize(1280, 800);
    openAndOptimize("bert-tiny");
    const QWidget& canvas = *page()->diffView();
    const auto hasRoom = [&] {
        return canvas.width() >= 0.6 * page()->width() && canvas.height() >= 0.6 * page()->height();
    };
    EXPECT_TRUE(waitFor(hasRoom)) << canvas.width() << "x" << canvas.height() << " of "
                                  << page()->width() << "x" << page()->height();
    EXPECT_GE(page()->stepBar()->width(), page()->width() - 4);
}

TEST_F(OptimizePageTest, ASwitchedOffPassLeavesItsPlacesAloneAndUndoBringsItBack) {
    openAndOptimize("bert-tiny");
    const app::VariantPtr before = page()->variant();
    const auto used = std::ranges::find_if(before->report.passes, [](const PassRun& p) {
        return p.applied > 0 && p.level == Level::extended;
    });
    ASSERT_NE(used, before->report.passes.end());
    const std::string name = used->pass;
    auto* passes = find<PassListPanel>("passListPanel");
    const QModelIndex line = passes->model().indexOf(name);
    EXPECT_EQ(line.siblingAtColumn(PassModel::Applied).data().toString(),
              QString::number(used->applied));
    passes->model().setData(line, Qt::Unchecked, Qt::CheckStateRole);
    EXPECT_EQ(page()->recipe().disabled_passes, std::vector<std::string>{name});
    ASSERT_TRUE(settled());
    EXPECT_NE(page()->variant(), before);
    EXPECT_TRUE(page()->command().contains(QStringLiteral("--disable-pass ") +
                                           QString::fromStdString(name)));
    for (const PassRun& run : page()->variant()->report.passes) {
        if (run.pass == name) { EXPECT_FALSE(run.skipped.empty()); }
    }
    command(QStringLiteral("Undo switch %1 off").arg(QString::fromStdString(name)))->trigger();
    EXPECT_TRUE(page()->recipe().disabled_passes.empty());
    EXPECT_EQ(page()->variant(), before) << "cached by recipe";
    window_->activateWindow();
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(page()->recipe().disabled_passes, std::vector<std::string>{name});
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_TRUE(page()->recipe().disabled_passes.empty());
}

TEST_F(OptimizePageTest, PassesAreFoundByTheirOrtNames) {
    openAndOptimize("mlp");
    auto* passes = find<PassListPanel>("passListPanel");
    const int all = passes->view()->model()->rowCount();
    EXPECT_GT(all, 0);
    EXPECT_EQ(passes->view()->isColumnHidden(PassModel::Missed),
              passes->model().widestText(PassModel::Missed).isEmpty())
        << "the column of near misses is there when there are some";
    passes->filterEdit()->setText(QStringLiteral("QuickGelu"));
    const QAbstractItemModel* shown = passes->view()->model();
    int found = 0;
    for (int level = 0; level < shown->rowCount(); ++level)
        found += shown->rowCount(shown->index(level, 0));
    EXPECT_GE(found, 1);
    EXPECT_LT(found, int(all_passes().size()));
    passes->choose("fuse_quick_gelu");
    EXPECT_TRUE(find<QLabel>("passDetails")->text().contains(QStringLiteral("QuickGelu")));
}

TEST_F(OptimizePageTest, AVariantCanBeShownEverywhereAndStepsToo) {
    openAndOptimize("bert-tiny");
    const auto opened = workbench_->document();
    command(QStringLiteral("Use this graph"))->trigger();
    EXPECT_EQ(workbench_->document()->variant, page()->variant());
    EXPECT_EQ(workbench_->opened(), opened);
    EXPECT_TRUE(window_->windowTitle().contains(QStringLiteral("Extended")));
    const Graph& graph = workbench_->document()->model->graph;
    const auto fused = std::ranges::find_if(
        graph.nodes(), [&](NodeId n) { return graph.node(n).origins.size() > 1; });
    ASSERT_NE(fused, graph.nodes().end());
    workbench_->focusNode(*fused);
    const std::string first =
        opened->model->graph.node(graph.node(*fused).origins.front()).describe();
    EXPECT_TRUE(
        find<InspectorPanel>("inspectorPanel")->plainText().contains(QString::fromStdString(first)))
        << "the Inspector names what it stands for";
    page()->stepBar()->slider()->setValue(3);
    ASSERT_TRUE(settled());
    command(QStringLiteral("Use this graph"))->trigger();
    ASSERT_TRUE(waitFor([&] {
        return workbench_->document()->variant &&
               workbench_->document()->variant->recipe.stop_after == std::size_t(3);
    }));
    EXPECT_EQ(workbench_->document()->variant->rewrites(), 3u);
    workbench_->showVariant(workbench_->variants().original());
    EXPECT_EQ(workbench_->document(), opened);
    auto* tree = find<QTreeView>("variantsPanel");
    EXPECT_EQ(tree->model()->rowCount(tree->model()->index(0, 0)), 6);
}

TEST_F(OptimizePageTest, TheCommandRepeatsWhatIsShown) {
    openAndOptimize("mlp");
    command(QStringLiteral("Copy command"))->trigger();
    EXPECT_EQ(QApplication::clipboard()->text(), page()->command());
    EXPECT_TRUE(page()->command().startsWith(
        QStringLiteral("lapidary-cli optimize mlp.onnx -o mlp.optimized.onnx --level extended")))
        << page()->command().toStdString();
}

TEST_F(OptimizePageTest, ItemModelsPassTheTestersOfQt) {
    PassModel passes;
    QAbstractItemModelTester passTester(&passes,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
    ChangeModel changes;
    QAbstractItemModelTester changeTester(&changes,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    openAndOptimize("bert-tiny");
    auto* misses = find<NearMissPanel>("nearMissPanel");
    QAbstractItemModelTester missTester(misses->table()->model(),
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
    passes.show(page()->variant()->recipe, page()->variant());
    changes.setVariant(page()->variant());
    int rewrites = 0;
    for (int rule = 0; rule < changes.rowCount(); ++rule)
        rewrites += changes.rowCount(changes.index(rule, 0));
    EXPECT_EQ(rewrites, int(page()->variant()->report.rewrites.size()));
    misses->setVariant(page()->variant(), page()->variant()->shares);
    std::size_t places = 0;
    for (int row = 0; row < misses->model().rowCount(); ++row)
        places += misses->model().row(row).misses.size();
    EXPECT_EQ(places, page()->variant()->report.near_misses.size()) << "each in one line";
    changes.setVariant(nullptr);
    EXPECT_EQ(changes.rowCount(), 0);
}

TEST_F(OptimizePageTest, ANearMissIsMarkedOnTheFinishedGraph) {
    workbench_->adopt(nearMissModel(), QStringLiteral("almost"));
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(optimized());
    auto* misses = find<NearMissPanel>("nearMissPanel");
    ASSERT_GT(misses->model().rowCount(), 0);
    find<QTabWidget>("optimizeTabs")->setCurrentWidget(misses);
    misses->table()->setCurrentIndex(misses->table()->model()->index(0, 0));
    ASSERT_TRUE(settled());
    const auto& marks = page()->diffView()->after()->marks();
    EXPECT_EQ(std::ranges::count(marks, BoxMark::Root), 1);
    EXPECT_TRUE(find<QLabel>("missDetails")
                    ->text()
                    .contains(QString::fromStdString(misses->model().row(0).reason)));
}

TEST_F(OptimizePageTest, ANearMissSaysWhatItWouldSaveAtMost) {
    workbench_->adopt(nearMissModel(), QStringLiteral("almost"));
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(optimized());
    const app::VariantPtr variant = page()->variant();
    ASSERT_FALSE(variant->report.near_misses.empty());
    auto* misses = find<NearMissPanel>("nearMissPanel");
    const auto details = [&](const TimeShares& shares) {
        misses->setVariant(variant, shares);
        misses->table()->setCurrentIndex(misses->table()->model()->index(0, 0));
        return find<QLabel>("missDetails")->text();
    };
    TimeShares shares;
    for (const NearMiss& miss : variant->report.near_misses) shares.by_node[miss.node] = 0.25;
    shares.is_measured = true;
    const std::optional<double> share = group_near_misses(variant->report, shares).front().share;
    ASSERT_TRUE(share);
    const QString measured = details(shares);
    EXPECT_TRUE(measured.contains(QStringLiteral("at most ") + formatRoundPercent(*share)))
        << measured.toStdString();
    EXPECT_TRUE(measured.contains(QStringLiteral("(measured)"))) << measured.toStdString();
    shares.is_measured = false;
    EXPECT_TRUE(details(shares).contains(QStringLiteral("(estimated)")));
    EXPECT_FALSE(details({}).contains(QStringLiteral("at most"))) << "their time is not known";
}

TEST_F(OptimizePageTest, ANearMissOffersTheConversionThatMayHelp) {
    workbench_->adopt(nearMissModel(), QStringLiteral("almost"));
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(optimized());
    ASSERT_FALSE(page()->variant()->report.near_misses.empty());
    const auto panelFor = [&](const char* reason) {
        auto variant = std::make_shared<app::Variant>(*page()->variant());
        variant->report.near_misses.resize(1);
        variant->report.near_misses.front().reason = reason;
        auto panel = std::make_unique<NearMissPanel>();
        panel->setVariant(variant, {});
        panel->table()->setCurrentIndex(panel->table()->model()->index(0, 0));
        return panel;
    };
    const auto old = panelFor("MatMulInteger needs opset 10, the model has 9");
    auto* newer = old->findChild<QPushButton*>(QStringLiteral("missNewerOpset"));
    ASSERT_TRUE(newer);
    EXPECT_FALSE(newer->isHidden());
    EXPECT_TRUE(old->findChild<QPushButton*>(QStringLiteral("missFixDimensions"))->isHidden());
    std::optional<InspectorRequest::Kind> requested;
    QObject::connect(old.get(), &NearMissPanel::conversionRequested, old.get(),
                     [&](const InspectorRequest& request) { requested = request.kind; });
    newer->click();
    EXPECT_EQ(requested, InspectorRequest::Kind::newerOpset);
    const auto other = panelFor("the bias is computed, needs a constant");
    EXPECT_TRUE(other->findChild<QPushButton*>(QStringLiteral("missNewerOpset"))->isHidden());

    emit find<NearMissPanel>("nearMissPanel")
        ->conversionRequested(InspectorRequest{InspectorRequest::Kind::newerOpset});
    auto* dialog = find<ConvertDialog>("convertDialog");
    ASSERT_TRUE(dialog);
    dialog->close();
}

TEST_F(OptimizePageTest, TheTabsHaveRoomOnAWindowOf1280) {
    window_->resize(1280, 800);
    openAndOptimize("bert-tiny");
    QCoreApplication::processEvents();
    EXPECT_GE(find<QTabWidget>("optimizeTabs")->width(), 320);
    EXPECT_LE(window_->width(), 1280) << "and the page still fits";
}

TEST_F(OptimizePageTest, NothingToOptimizeIsSaidWithTheReason) {
    workbench_->adopt(plainModel(), QStringLiteral("plain"));
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(optimized());
    EXPECT_TRUE(
        find<QLabel>("optimizeVerdict")->text().contains(QStringLiteral("nothing to optimize")))
        << find<QLabel>("optimizeVerdict")->text().toStdString();
    EXPECT_EQ(page()->stepBar()->steps(), 0);
    EXPECT_FALSE(page()->stepBar()->slider()->isEnabled());
}

}  // namespace
}  // namespace lapidary::views
