// SPDX-License-Identifier: Apache-2.0
// What one sees of a model first is worth seeing: it uses the canvas, its labels can be read, and data flows one way.
#include <algorithm>
#include <cstdio>

#include "graph/graph_page.h"
#include "graph_models.h"
#include "window_fixture.h"

namespace lapidary::views {
namespace {

constexpr double least_reach = 0.55;     // of height or width of the canvas, from the first box in view to the last
constexpr double least_area = 0.03;      // of the canvas, covered by cards
constexpr std::size_t least_boxes = 5;   // in view, where the model has that many

/// What the canvas shows.
struct Look {
    double scale = 0, reach = 0, area = 0;
    std::size_t boxes = 0, cut = 0;      // cards in view; of them cut off sideways, where the drawing runs downwards
    std::size_t upward = 0, lines = 0;   // of the whole drawing
};

Look lookAt(const GraphCanvas& canvas) {
    const GraphScene& scene = *canvas.scene();
    const QRectF view(QPointF(), QSizeF(canvas.size()));
    Look look;
    look.scale = canvas.scale();
    QRectF all;
    for (const SceneBox& box : scene.boxes) {
        if (box.open) continue;
        const QRectF card(canvas.fromScene(box.rect().topLeft()), box.rect().size() * canvas.scale());
        const QRectF seen = card.intersected(view);
        if (seen.isEmpty()) continue;
        ++look.boxes;
        look.cut += seen.width() < card.width() - 1;
        look.area += seen.width() * seen.height();
        all = all.united(seen);
    }
    look.area /= view.width() * view.height();
    look.reach = std::max(all.width() / view.width(), all.height() / view.height());
    for (const SceneLine& line : scene.lines) {
        const auto points = scene.pointsOf(line);
        if (points.size() < 2) continue;
        ++look.lines;
        look.upward += points.back().y < points.front().y - 1;
    }
    return look;
}

class FirstLookTest : public WindowTest {
protected:
    GraphCanvas* canvas() const {
        return qobject_cast<GraphPage*>(window_->page(QStringLiteral("graph")))->canvas();
    }
    void open(ModelPtr model, const QString& title) {
        window_->resize(1280, 800);
        workbench_->adopt(std::move(model), title);
        auto* page = qobject_cast<GraphPage*>(window_->page(QStringLiteral("graph")));
        ASSERT_TRUE(waitFor([&] { return canvas()->scene() && !page->isLayingOut(); }));
        QTest::qWait(50);  // the docks have found their places
    }
    void judge(const std::string& name) {
        const Look look = lookAt(*canvas());
        std::printf("%-12s scale %.2f, reach %3.0f %%, cards %4.1f %% of the canvas, %zu in view (%zu cut off), "
                    "%zu of %zu lines upward\n",
                    name.c_str(), look.scale, 100 * look.reach, 100 * look.area, look.boxes, look.cut, look.upward,
                    look.lines);
        EXPECT_GE(look.scale, readableScale) << name << ": labels cannot be read";
        EXPECT_GE(look.reach, least_reach) << name << ": most of the canvas is empty";
        EXPECT_GE(look.area, least_area) << name;
        EXPECT_GE(look.boxes, std::min(least_boxes, canvas()->scene()->boxes.size())) << name;
        EXPECT_EQ(look.upward, 0u) << name << ": data flows upwards";
    }
};

class FirstLookOfSamples : public FirstLookTest, public testing::WithParamInterface<const char*> {};

TEST_P(FirstLookOfSamples, IsWorthSeeing) {
    open(std::make_shared<const Model>(build_sample(GetParam())), QString::fromLatin1(GetParam()));
    judge(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Samples, FirstLookOfSamples,
                         testing::Values("mlp", "lenet", "squeezenet", "resnet18", "resnet50", "mobilenetv2",
                                         "shufflenet", "unet", "bert-tiny", "bert-base", "gpt2-small", "lstm"),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::erase(name, '-');
                             return name;
                         });

TEST_F(FirstLookTest, SamplesAreAllLookedAt) {
    EXPECT_EQ(list_samples().size(), 12u) << "the list above names each";
}

TEST_F(FirstLookTest, OfTenThousandNodesInAChain) {
    open(chain_model(10'000), QStringLiteral("chain"));
    judge("chain");
}

TEST_F(FirstLookTest, OfManyBlocksInScopes) {
    open(scoped_model(200), QStringLiteral("scoped"));
    judge("scoped");
}

}  // namespace
}  // namespace lapidary::views
