// SPDX-License-Identifier: Apache-2.0
// A second model beside the first: another file takes slot B, is measured, matched by the names of
// nodes, drawn beside it, and kept in the project. Models run in the worker process.
#include <QAction>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QTabWidget>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>

#include "compare/compare_page.h"
#include "compare/graph_pair.h"
#include "support/test_data.h"
#include "support/unnamed_block.h"
#include "support/time_budget.h"
#include "widgets/cards/message_banner.h"
#include "views/window_fixture.h"
#include "worker/models/other_model.h"
#include "workbench/jobs/comparison.h"
#include "workbench/text/job_command.h"
#include "workbench/project/project.h"

namespace lapidary::views {
namespace {

class SecondModelTest : public WindowTest {
protected:
    void SetUp() override {
        qputenv("LAPIDARY_WORKER", QByteArray::fromStdString(cli_program()));
        WindowTest::SetUp();
    }
    void TearDown() override {
        WindowTest::TearDown();
        qputenv("LAPIDARY_WORKER", "off");
    }
    QString save(const std::string& name, const std::string& text) {
        Model model;
        model.ir_version = 8;
        model.opset_imports[""] = 17;
        model.graph = parse_graph(text);
        save_model(model, folder_ / name);
        return QString::fromStdString((folder_ / name).string());
    }
    QString first() {
        return save("first.onnx",
                    "(x: f32[n,4]) -> (y)\n a = Relu(x) as \"act\"\n b = Exp(a) as \"middle\"\n"
                    " y = Neg(b) as \"last\"");
    }
    /// "middle" computes something else, "extra" is new.
    QString second() {
        return save("second.onnx",
                    "(x: f32[n,4]) -> (y)\n a = Relu(x) as \"act\"\n b = Tanh(a) as \"middle\"\n"
                    " c = Abs(b) as \"extra\"\n y = Neg(c) as \"last\"");
    }
    ComparePage* page() const {
        return qobject_cast<ComparePage*>(window_->page(QStringLiteral("compare")));
    }
    void open(const QString& path) {
        workbench_->openModel(path);
        ASSERT_TRUE(
            waitFor([&] { return workbench_->opened() && workbench_->jobs().jobs().isEmpty(); }));
    }
    app::VariantPtr b() const { return workbench_->comparison().b(); }
    TemporaryFolder folder_;
};

TEST_F(SecondModelTest, ThreeStepsFromTheOpenModelToTheAnswer) {
    open(first());
    const QString file = second();
    int steps = 0;
    command(QStringLiteral("Compare with a second model …"))->trigger();
    ++steps;
    ASSERT_EQ(window_->currentPage(), QStringLiteral("compare"));
    auto* dialog = find<QFileDialog>("secondModelDialog");
    dialog->selectFile(file);
    emit dialog->fileSelected(file);
    dialog->close();
    ++steps;
    ASSERT_TRUE(waitFor([&] { return b() && b()->recipe.other_model; }))
        << page()->verdict().toStdString();
    EXPECT_EQ(b()->name, QStringLiteral("second.onnx · All"));
    ASSERT_TRUE(waitFor([&] { return workbench_->comparison().a() != nullptr; }));
    EXPECT_EQ(workbench_->comparison().a()->recipe, app::Recipe::plain(Level::all))
        << "both run alike";
    app::Comparison& comparison = workbench_->comparison();
    MeasureOptions options = comparison.options();
    options.seconds = 0.3;
    comparison.setOptions(options);
    find<QPushButton>("startComparison")->click();
    ++steps;
    ASSERT_TRUE(waitFor(
        [&] { return comparison.result() && comparison.result()->complete && page()->digest(); }));
    EXPECT_EQ(steps, 3);
    EXPECT_TRUE(comparison.result()->problems.isEmpty())
        << comparison.result()->problems.join(u'\n').toStdString();
    ASSERT_EQ(comparison.result()->outputs.size(), 1u);
    EXPECT_FALSE(comparison.result()->outputs[0].comparison.matches) << "Exp is not Tanh";
    std::map<std::string, std::pair<std::string, std::string>> sides;
    ASSERT_TRUE(waitFor([&] { return !page()->digest()->nodes.empty(); }));
    for (const NodeDifference& node : page()->digest()->nodes)
        sides[node.name] = {node.in_a, node.in_b};
    EXPECT_TRUE(sides.contains("act")) << "matched by name";
    EXPECT_TRUE(page()->verdict().contains(QStringLiteral("second.onnx")))
        << page()->verdict().toStdString();
}

TEST_F(SecondModelTest, BothGraphsAreDrawnSideBySideWithWhatDiffers) {
    open(first());
    window_->showPage(QStringLiteral("compare"));
    page()->openSecond(second());
    ASSERT_TRUE(waitFor([&] { return b() && b()->recipe.other_model; }));
    auto* pair = find<GraphPair>("graphPair");
    find<QTabWidget>("compareTabs")->setCurrentWidget(pair);
    ASSERT_TRUE(waitFor([&] { return pair->drawing() != nullptr; }));
    const PairDrawing& drawing = *pair->drawing();
    EXPECT_EQ(drawing.a.alone, 0u);
    EXPECT_EQ(drawing.b.alone, 1u) << "\"extra\"";
    EXPECT_EQ(drawing.changed, 1u) << "\"middle\"";
    EXPECT_TRUE(pair->sentence().contains(QStringLiteral("only in B: 1")))
        << pair->sentence().toStdString();
    EXPECT_EQ(std::ranges::count(drawing.b.marks, BoxMark::Added), 1);
    EXPECT_EQ(std::ranges::count(drawing.a.marks, BoxMark::EarlierRemoved), 1);
    // what stands for the same is at the same height
    GraphCanvas *left = pair->canvas(app::Slot::A), *right = pair->canvas(app::Slot::B);
    const auto boxOf = [](const PairSide& side, const QString& name) {
        for (OutlineIndex i = 0; i < side.scene->boxes.size(); ++i)
            if (side.scene->boxes[i].leaf != noIndex &&
                side.scene->outline->leaves()[side.scene->boxes[i].leaf].name == name)
                return side.scene->boxes[i].rect().center();
        return QPointF();
    };
    left->showView(
        1, boxOf(drawing.a, QStringLiteral("last")) - QPointF(left->width(), left->height()) / 2);
    EXPECT_NEAR(left->fromScene(boxOf(drawing.a, QStringLiteral("last"))).y(),
                right->fromScene(boxOf(drawing.b, QStringLiteral("last"))).y(), 2);
}

TEST_F(SecondModelTest, AModelOfOtherInputsIsRefusedWithTheReason) {
    open(first());
    window_->showPage(QStringLiteral("compare"));
    page()->openSecond(save("other.onnx", "(image: f32[n,4]) -> (y)\n y = Relu(image)"));
    ASSERT_TRUE(waitFor([&] {
        const auto* banner = page()->findChild<MessageBanner*>();
        return banner && banner->kind() == MessageBanner::Kind::error && banner->isVisible();
    }));
    EXPECT_FALSE(b() && b()->recipe.other_model);
    QString reason;
    for (const app::VariantPtr& variant : workbench_->variants().list())
        EXPECT_FALSE(variant->recipe.other_model) << variant->name.toStdString();
}

TEST_F(SecondModelTest, OfAFileInBlocksItIsAskedOnceAsOpeningDoes) {
    save_model(test::model_of_unnamed_block(), folder_ / "blocked.onnx");
    save_model(test::model_of_two_convolutions(), folder_ / "plain.onnx");
    open(QString::fromStdString((folder_ / "plain.onnx").string()));
    window_->showPage(QStringLiteral("compare"));
    page()->openSecond(QString::fromStdString((folder_ / "blocked.onnx").string()));
    ASSERT_TRUE(
        waitFor([&] { return window_->findChild<QMessageBox*>(QStringLiteral("channelBlock")); }));
    auto* box = find<QMessageBox>("channelBlock");
    EXPECT_FALSE(b() && b()->recipe.other_model) << "nothing before the answer";
    for (QAbstractButton* button : box->buttons())
        if (button->text().contains(QStringLiteral("16"))) button->click();
    ASSERT_TRUE(waitFor([&] { return b() && b()->recipe.other_model; }))
        << page()->verdict().toStdString();
    EXPECT_EQ(b()->recipe.other_model->channel_block, 16);
    EXPECT_EQ(app::parse_recipe(app::recipe_text(b()->recipe)), b()->recipe);
    app::Comparison& comparison = workbench_->comparison();
    MeasureOptions options = comparison.options();
    options.seconds = 0.1;
    comparison.setOptions(options);
    comparison.start();
    ASSERT_TRUE(waitFor([&] { return comparison.result() && comparison.result()->complete; }));
    EXPECT_TRUE(comparison.result()->problems.isEmpty())
        << comparison.result()->problems.join(u'\n').toStdString();
    ASSERT_EQ(comparison.result()->outputs.size(), 1u);
    EXPECT_TRUE(comparison.result()->outputs[0].comparison.matches);
    EXPECT_TRUE(app::comparisonCommand(workbench_->opened()->source, *comparison.a(), *b(),
                                       workbench_->runSettings())
                    .contains(QStringLiteral("--channel-block 16")));
}

TEST_F(SecondModelTest, TheRecipeIsReadAgainAndAChangedFileIsRefused) {
    app::Recipe recipe;
    recipe.level = Level::all;
    recipe.other_model = app::other_model(second().toStdString());
    EXPECT_EQ(app::parse_recipe(app::recipe_text(recipe)), recipe);
    EXPECT_FALSE(recipe.isOriginal());
    EXPECT_FALSE(recipe.isPlainLevel());
    EXPECT_FALSE(recipe.isOtherAlone());
    const Model opened = load_model(first().toStdString());
    const Model other = app::load_other(*recipe.other_model, opened);
    std::size_t matched = 0;
    for (const NodeId id : other.graph.nodes())
        for (const NodeId origin : other.graph.node(id).origins)
            matched += opened.graph.is_alive(origin);
    EXPECT_EQ(matched, 3u);
    save("second.onnx", "(x: f32[n,4]) -> (y)\n y = Relu(x)");
    EXPECT_THROW(app::load_other(*recipe.other_model, opened), Error);
}

TEST_F(SecondModelTest, TheCommandAndTheProjectKnowBoth) {
    open(first());
    window_->showPage(QStringLiteral("compare"));
    const QString file = second();
    page()->openSecond(file);
    ASSERT_TRUE(
        waitFor([&] { return b() && b()->recipe.other_model && workbench_->comparison().a(); }));
    const QString line =
        app::comparisonCommand(workbench_->opened()->source, *workbench_->comparison().a(), *b(),
                               workbench_->runSettings());
    EXPECT_TRUE(line.startsWith(QStringLiteral("lapidary-cli compare "))) << line.toStdString();
    EXPECT_TRUE(line.contains(QStringLiteral("first.onnx")) &&
                line.contains(QStringLiteral("second.onnx")))
        << line.toStdString();
    const QString project = QString::fromStdString((folder_ / "both.lapidary").string());
    workbench_->project().saveAs(project);
    ASSERT_TRUE(waitFor([&] { return !workbench_->project().isSaving(); }));
    workbench_->closeModel();
    workbench_->openAny(project);
    EXPECT_TRUE(waitFor([&] {
        return b() && b()->recipe.other_model && b()->name == QStringLiteral("second.onnx · All");
    }));
}

}  // namespace
}  // namespace lapidary::views
