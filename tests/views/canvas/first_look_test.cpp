// SPDX-License-Identifier: Apache-2.0
// The first drawing of a model uses the canvas, its labels can be read, and data flows one way.
#include <algorithm>
#include <cstdio>

#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>

#include "graph/graph_page.h"
#include "views/graph_models.h"
#include "support/test_data.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

// of height or width of the canvas, from the first box in view to the last
constexpr double least_reach = 0.55;
constexpr double least_area = 0.03;         // of the canvas, covered by cards
constexpr std::size_t least_boxes = 5;      // in view, where the model has that many
constexpr std::size_t most_ends = 20;       // inputs and outputs that stand each for itself
constexpr double most_behind_words = 2500;  // square pixels of cards, at the lower edge
// of the canvas when the whole drawing is fitted into it: not a sliver
constexpr double least_fit = 0.03;

/// What the canvas shows.
struct Look {
    double scale = 0, reach = 0, area = 0;
    std::size_t boxes = 0;              // cards in view
    std::size_t upward = 0, lines = 0;  // of the whole drawing
    // inputs and outputs of the model that are boxes of their own
    std::size_t ends = 0;
    // square pixels of cards beneath the map or the legend, unfolded ones
    double covered = 0;
    double behindWords = 0;        // ... beneath the words that they fold to
    std::size_t hiddenLabels = 0;  // of lines, beneath the map or the legend, unfolded ones
};

Look lookAt(const GraphCanvas& canvas) {
    const GraphScene& scene = *canvas.scene();
    const QRectF view(QPointF(), QSizeF(canvas.size()));
    Look look;
    look.scale = canvas.scale();
    const OverlaySubject subject = canvas.overlaySubject();
    const QRectF map = canvas.overlay().mapRect(subject, canvas.visibleArea()),
                 legend = canvas.overlay().legendRect(subject);
    const auto cover = [&](const QRectF& over, bool folded, const QRectF& card) {
        const QRectF both = over.intersected(card);
        (folded ? look.behindWords : look.covered) +=
            both.isEmpty() ? 0 : both.width() * both.height();
    };
    QRectF all;
    for (const SceneBox& box : scene.boxes) {
        if (box.open) continue;
        look.ends += box.group == noIndex && scene.nodesIn(box) == 0 && box.frame == noIndex;
        const QRectF card(canvas.fromScene(box.rect().topLeft()),
                          box.rect().size() * canvas.scale());
        const QRectF seen = card.intersected(view);
        if (seen.isEmpty()) continue;
        cover(map, canvas.overlay().isMapFolded(), seen);
        cover(legend, canvas.overlay().isLegendFolded(), seen);
        ++look.boxes;
        look.area += seen.width() * seen.height();
        all = all.united(seen);
    }
    look.area /= view.width() * view.height();
    look.reach = std::max(all.width() / view.width(), all.height() / view.height());
    std::vector<QRectF> open;  // map and legend, unfolded
    if (!canvas.overlay().isMapFolded() && !map.isEmpty()) open.push_back(map);
    if (!canvas.overlay().isLegendFolded() && !legend.isEmpty()) open.push_back(legend);
    for (std::size_t l = 0; l < scene.lines.size(); ++l) {
        const SceneLine& line = scene.lines[l];
        const QRectF& label = scene.labels[l];
        if (!label.isEmpty() && look.scale >= labelledScale)
            for (const QRectF& card : open)
                look.hiddenLabels += card.intersects(
                    QRectF(canvas.fromScene(label.topLeft()), label.size() * look.scale));
        const auto points = scene.pointsOf(line);
        if (points.size() < 2) continue;
        ++look.lines;
        look.upward += line.backward || (!line.wrapped && points.back().y < points.front().y - 1);
    }
    return look;
}

class FirstLookTest : public WindowTest {
protected:
    GraphPage* page() const {
        return qobject_cast<GraphPage*>(window_->page(QStringLiteral("graph")));
    }
    GraphCanvas* canvas() const { return page()->canvas(); }
    void judge(const std::string& name, const ModelPtr& model) {
        for (const QSize size : {QSize(1280, 800), QSize(1600, 1000)}) {
            window_->resize(size);
            workbench_->closeModel();
            workbench_->adopt(model, QString::fromStdString(name));
            ASSERT_TRUE(waitFor([&] { return canvas()->scene() && !page()->isLayingOut(); }));
            QTest::qWait(50);  // the docks have found their places
            judgeSize(name + " at " + std::to_string(size.width()));
        }
    }
    void judgeSize(const std::string& name) {
        const Look look = lookAt(*canvas());
        canvas()->fit();
        const Look whole = lookAt(*canvas());
        std::printf(
            "%-24s scale %.2f, reach %3.0f %%, cards %4.1f %% of the canvas, %zu in view, %zu "
            "ends, "
            "%zu of %zu lines upward; fitted: scale %.2f, cards %4.1f %%\n",
            name.c_str(), look.scale, 100 * look.reach, 100 * look.area, look.boxes, look.ends,
            look.upward, look.lines, whole.scale, 100 * whole.area);
        EXPECT_GE(look.scale, readableScale) << name << ": labels cannot be read";
        EXPECT_EQ(look.covered, 0) << name << ": cards beneath the map or the legend";
        EXPECT_LE(look.behindWords, most_behind_words) << name;
        EXPECT_EQ(look.hiddenLabels, 0u)
            << name << ": labels of lines beneath the map or the legend";
        // all of it in view, at its actual size
        const bool isSmall = look.scale >= 1 && look.boxes == whole.boxes;
        if (!isSmall) {
            EXPECT_GE(look.reach, least_reach) << name << ": most of the canvas is empty";
            EXPECT_GE(look.area, least_area) << name;
        }
        EXPECT_GE(look.boxes, std::min(least_boxes, canvas()->scene()->boxes.size())) << name;
        EXPECT_EQ(look.upward, 0u) << name << ": data flows upwards";
        EXPECT_LE(look.ends, most_ends) << name << ": inputs and outputs push the graph aside";
        EXPECT_GE(whole.area, least_fit) << name << ": a sliver when fitted";
    }
};

class FirstLookOfSamples : public FirstLookTest, public testing::WithParamInterface<const char*> {};

TEST_P(FirstLookOfSamples, UsesTheCanvasAndCanBeRead) {
    judge(GetParam(), std::make_shared<const Model>(build_sample(GetParam())));
}

INSTANTIATE_TEST_SUITE_P(Samples, FirstLookOfSamples,
                         testing::Values("mlp", "lenet", "squeezenet", "resnet18", "resnet50",
                                         "mobilenetv2", "shufflenet", "unet", "bert-tiny",
                                         "bert-base", "gpt2-small", "llama-160m", "llama-1b",
                                         "lstm"),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::erase(name, '-');
                             return name;
                         });

TEST_F(FirstLookTest, AllSamplesAreTested) {
    EXPECT_EQ(list_samples().size(), 14u) << "the list above names each";
}

TEST_F(FirstLookTest, OfTenThousandNodesInAChain) {
    judge("chain", chain_model(10'000));
    for (const QSize size : {QSize(1280, 800), QSize(1600, 1000)}) {
        window_->resize(size);
        workbench_->closeModel();
        workbench_->adopt(chain_model(10'000), QStringLiteral("chain"));
        ASSERT_TRUE(waitFor([&] { return canvas()->scene() && !page()->isLayingOut(); }));
        QTest::qWait(50);
        const Look look = lookAt(*canvas());
        EXPECT_GT(look.boxes, 50u) << "cards lie everywhere";
        EXPECT_EQ(look.behindWords + look.covered, 0) << "map and legend stand above the drawing";
    }
}

TEST_F(FirstLookTest, OfManyBlocksInScopes) { judge("scoped", scoped_model(200)); }

TEST_F(FirstLookTest, OfACnnAsOnnxRuntimeWritesIt) { judge("ort cnn", ort_cnn_model(17)); }

TEST_F(FirstLookTest, OfVariantsAtTheHighestLevel) {
    for (const char* name : {"mobilenetv2", "bert-tiny"}) {
        OptimizeOptions options;
        options.level = Level::all;
        judge(std::string(name) + " all",
              std::make_shared<const Model>(optimize(build_sample(name), options).model));
    }
}

TEST_F(FirstLookTest, OfAnInvalidModelIsItsFault) {
    const ModelPtr valid = scoped_model(40);
    Model model = *valid;
    GraphEdit edit(model.graph);
    const NodeId node = *std::ranges::find_if(model.graph.nodes(), [&](NodeId id) {
        return model.graph.node(id).name == "/layer2/block20/conv1/Conv";
    });
    edit.set_input(
        node, 1,
        edit.add_initializer("wrong", Tensor::of<float>({4, 7, 1, 1}, std::vector<float>(28, 1))));
    edit.finish();
    const TemporaryFolder folder;
    save_model(model, folder / "invalid.onnx");
    for (const QSize size : {QSize(1280, 800), QSize(1600, 1000)}) {
        window_->resize(size);
        workbench_->closeModel();
        workbench_->openModel(QString::fromStdString((folder / "invalid.onnx").string()));
        ASSERT_TRUE(waitFor(
            [&] { return workbench_->document() && canvas()->scene() && !page()->isLayingOut(); }));
        QTest::qWait(50);
        EXPECT_GE(canvas()->scale(), readableScale);
        ASSERT_EQ(canvas()->pins().size(), 1u);
        const SceneBox& box = canvas()->scene()->boxes[canvas()->pins().front().box];
        EXPECT_EQ(canvas()->marks()[canvas()->pins().front().box], BoxMark::Fault);
        EXPECT_TRUE(canvas()->visibleArea().contains(box.rect())) << "what is wrong is in view";
    }
}

}  // namespace
}  // namespace lapidary::views
