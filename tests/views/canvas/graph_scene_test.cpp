// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <lapidary/base/error.h>

#include "canvas/graph_scene.h"
#include "views/graph_models.h"

namespace lapidary::views {
namespace {

SceneOptions options() {
    SceneOptions o;
    o.title.ascii.fill(8);
    o.body.ascii.fill(6);
    return o;
}

GraphOutlinePtr outline_of(ModelPtr model) {
    return std::make_shared<const GraphOutline>(std::move(model));
}

OutlineIndex group_named(const GraphOutline& outline, const char* label) {
    for (OutlineIndex i = 0; i < outline.groups().size(); ++i) {
        if (outline.groups()[i].label == QLatin1String(label)) return i;
    }
    return noIndex;
}

/// Boxes of the same frame keep apart, content lies inside its frame, lines stay in the drawing.
void check_scene(const GraphScene& scene) {
    for (OutlineIndex i = 0; i < scene.boxes.size(); ++i) {
        const QRectF r = scene.boxes[i].rect();
        ASSERT_TRUE(QRectF(-0.5, -0.5, scene.width + 1, scene.height + 1).contains(r)) << i;
        if (scene.boxes[i].frame != noIndex) {
            ASSERT_TRUE(scene.boxes[scene.boxes[i].frame].open);
            ASSERT_TRUE(scene.boxes[scene.boxes[i].frame].rect().contains(r)) << i;
        }
        std::vector<std::uint32_t> near;
        scene.boxGrid.find(r, near);
        ASSERT_TRUE(std::find(near.begin(), near.end(), i) != near.end());
        for (std::uint32_t j : near) {
            if (j != i && scene.boxes[j].frame == scene.boxes[i].frame) {
                ASSERT_FALSE(scene.boxes[j].rect().intersects(r)) << i << " and " << j;
            }
        }
    }
    for (const SceneLine& line : scene.lines) {
        ASSERT_GE(line.count, 2u);
        for (const LayoutPoint& p : scene.pointsOf(line)) {
            ASSERT_TRUE(p.x >= -0.5f && p.y >= -0.5f && p.x <= scene.width + 0.5f &&
                        p.y <= scene.height + 0.5f);
        }
    }
}

TEST(GraphOutline, groups_nodes_by_the_scopes_of_their_names) {
    const auto outline = outline_of(scoped_model(16));
    const OutlineIndex layer = group_named(*outline, "layer1"),
                       block = group_named(*outline, "block9");
    ASSERT_NE(layer, noIndex);
    ASSERT_NE(block, noIndex);
    EXPECT_EQ(outline->groups()[block].parent, layer);
    EXPECT_EQ(outline->groups()[block].nodes, 7u);
    EXPECT_EQ(outline->groups()[layer].nodes, 56u);
    EXPECT_EQ(outline->groups()[0].nodes, 112u);
    EXPECT_EQ(group_named(*outline, "conv0"), noIndex)
        << "a scope around a single node is no group";
    EXPECT_EQ(outline->groups()[block].mainFamily, OperatorFamily::convolution);
}

TEST(GraphOutline, dequantized_weights_are_drawn_where_they_are_read) {
    auto model = std::make_unique<Model>();
    model->opset_imports[""] = 17;
    GraphEdit edit(model->graph);
    edit.set_default_version(17);
    ValueId v = edit.add_input("x", float_type({1, 2}));
    const ValueId scale = edit.add_initializer("scale", Tensor::of<float>({}, {0.5f}));
    const ValueId shared =
        edit.node("DequantizeLinear",
                  {edit.add_initializer("bias_q", Tensor::of<std::int8_t>({2}, {1, 2})), scale}, {},
                  "bias_DequantizeLinear");
    for (const std::string block : {"a", "b"}) {
        const ValueId weight = edit.node(
            "DequantizeLinear",
            {edit.add_initializer("w_" + block, Tensor::of<std::int8_t>({2, 2}, {1, 2, 3, 4})),
             scale},
            {}, "onnx::MatMul_" + block + "_DequantizeLinear");
        v = edit.node("MatMul", {v, weight}, {}, "/" + block + "/MatMul");
        v = edit.node("Add", {v, shared}, {}, "/" + block + "/Add");
    }
    edit.add_output(v);
    edit.finish();
    const GraphOutlinePtr outline = outline_of(finished(std::move(model)));
    const auto groupOf = [&](std::size_t node) {
        return outline->leaves()[outline->leafOf(0, outline->model()->graph.nodes()[node])].group;
    };
    // nodes: the shared one, then of each block the weight's, MatMul and Add
    EXPECT_EQ(groupOf(1), group_named(*outline, "a"));
    EXPECT_EQ(groupOf(2), group_named(*outline, "a"));
    EXPECT_EQ(groupOf(4), group_named(*outline, "b"));
    EXPECT_EQ(groupOf(0), 0u) << "two scopes read it";
}

TEST(GraphOutline, leaves_a_scope_around_everything_out) {
    const auto outline = outline_of(scoped_model(4));
    EXPECT_EQ(group_named(*outline, "layer0"), noIndex);
    EXPECT_NE(group_named(*outline, "block3"), noIndex);
}

TEST(GraphOutline, knows_tensors_across_bodies) {
    const ModelPtr model = branching_model();
    const auto outline = outline_of(model);
    ASSERT_EQ(outline->places().size(), 3u);
    const OutlineIndex x = outline->tensorOf(0, model->graph.find_value("x"));
    ASSERT_NE(x, noIndex);
    EXPECT_EQ(outline->tensors()[x].readers.size(), 2u);  // Relu and the first Neg, inside
    EXPECT_EQ(outline->tensorOf(1, outline->places()[1].graph->find_value("x")), x);
    const OutlineIndex control = group_named(*outline, "If");
    ASSERT_NE(control, noIndex);
    EXPECT_EQ(outline->groups()[control].kind, OutlineGroup::Kind::Control);
    EXPECT_EQ(outline->groups()[control].groups.size(), 2u);
    EXPECT_EQ(outline->groups()[group_named(*outline, "else_branch")].nodes, 2u);
}

TEST(GraphOutline, shows_called_functions_but_no_endless_recursion) {
    auto body = std::make_shared<Graph>();
    {
        GraphEdit edit(*body);
        ValueId v = edit.add_input("a", {});
        v = edit.node("Relu", {v});
        const ValueId out = edit.add_value("b");
        // calls itself
        edit.add_node({.op_type = "Twice", .inputs = {v}, .outputs = {out}, .domain = "own"});
        edit.add_output(out);
        edit.finish();
    }
    auto model = std::make_unique<Model>();
    Function function;
    function.domain = "own";
    function.name = "Twice";
    function.body = body;
    model->functions.push_back(function);
    GraphEdit edit(model->graph);
    ValueId v = edit.add_input("x", float_type({2}));
    for (int i = 0; i < 2; ++i) {
        const ValueId out = edit.add_value("");
        edit.add_node({.op_type = "Twice",
                       .inputs = {v},
                       .outputs = {out},
                       .name = "call" + std::to_string(i),
                       .domain = "own"});
        v = out;
    }
    edit.add_output(v);
    edit.finish();
    const auto outline = outline_of(finished(std::move(model)));
    EXPECT_EQ(outline->places().size(), 3u);  // main, and the body once for each call
    EXPECT_EQ(outline->groups()[0].nodes, 2u + 4u);
    const auto scene = buildScene(outline, allGroups(*outline, true), options());
    check_scene(*scene);
    // ends of the model; call and body frames; ends and nodes in each
    EXPECT_EQ(scene->boxes.size(), 2u + 2 * 2 + 2 * 4);
}

TEST(GraphScene, draws_closed_groups_as_one_box) {
    const auto outline = outline_of(scoped_model(16));
    const auto scene = buildScene(outline, allGroups(*outline, false), options());
    check_scene(*scene);
    EXPECT_EQ(scene->boxes.size(), 4u);  // input, two layers, output
    EXPECT_EQ(scene->lines.size(), 3u);
    const OutlineIndex leaf = outline->leafOf(0, outline->model()->graph.nodes()[100]);
    EXPECT_EQ(scene->titleOf(scene->boxes[scene->boxOfLeaf[leaf]]), "layer1");
}

TEST(GraphScene, opens_groups_and_carries_lines_through_their_frames) {
    const auto outline = outline_of(scoped_model(16));
    OpenGroups open = allGroups(*outline, false);
    open[group_named(*outline, "layer0")] = true;
    const auto scene = buildScene(outline, open, options());
    check_scene(*scene);
    EXPECT_EQ(scene->boxes.size(), 12u);  // and eight blocks
    const SceneBox& frame = scene->boxes[scene->boxOfGroup[group_named(*outline, "layer0")]];
    EXPECT_TRUE(frame.open);
    // the image's line ends on the frame where the inner line begins
    bool met = false;
    for (const SceneLine& outer : scene->lines) {
        if (&scene->boxes[outer.target] != &frame) continue;
        for (const SceneLine& inner : scene->lines) {
            if (inner.tensor != outer.tensor || &scene->boxes[inner.source] != &frame) continue;
            const LayoutPoint a = scene->pointsOf(outer).back(), b = scene->pointsOf(inner).front();
            met = met || (std::abs(a.x - b.x) < 0.5f && std::abs(a.y - b.y) < 0.5f);
        }
    }
    EXPECT_TRUE(met);
}

TEST(GraphScene, all_open_shows_every_node_once) {
    for (LayoutDirection direction : {LayoutDirection::down, LayoutDirection::right}) {
        const auto outline = outline_of(scoped_model(40));
        SceneOptions o = options();
        o.direction = direction;
        const auto scene = buildScene(outline, allGroups(*outline, true), o);
        check_scene(*scene);
        std::set<OutlineIndex> leaves;
        for (const SceneBox& box : scene->boxes) {
            if (box.leaf != noIndex) { EXPECT_TRUE(leaves.insert(box.leaf).second); }
        }
        EXPECT_EQ(leaves.size(), outline->leaves().size());
    }
}

TEST(GraphScene, shows_bodies_of_control_flow) {
    const auto outline = outline_of(branching_model());
    const auto closed = buildScene(outline, allGroups(*outline, false), options());
    check_scene(*closed);
    EXPECT_EQ(closed->boxes.size(), 5u);  // condition, x, If, sum, y; the constant is left out
    EXPECT_EQ(closed->lines.size(), 4u);  // condition, x (read inside), If -> sum, sum -> y
    const auto open = buildScene(outline, allGroups(*outline, true), options());
    check_scene(*open);
    EXPECT_EQ(open->boxes.size(), 5u + 2 + 3 + 2);  // two bodies, three nodes, two body outputs
    SceneOptions all = options();
    all.showConstants = true;
    EXPECT_EQ(buildScene(outline, allGroups(*outline, false), all)->boxes.size(), 6u);
}

TEST(GraphScene, opens_level_by_level_up_to_a_limit) {
    const auto outline = outline_of(scoped_model(80));  // 10 layers, 80 blocks, 560 nodes
    EXPECT_EQ(countVisible(*outline, allGroups(*outline, false)), 12u);
    EXPECT_EQ(countVisible(*outline, defaultOpenGroups(*outline, 400)), 92u);
    EXPECT_EQ(countVisible(*outline, defaultOpenGroups(*outline, 50)), 12u);
    EXPECT_EQ(countVisible(*outline, defaultOpenGroups(*outline, 1000)), 92u + 560);
    const auto scene = buildScene(outline, defaultOpenGroups(*outline, 1000), options());
    EXPECT_EQ(scene->boxes.size(), countVisible(*outline, scene->open));
}

TEST(GraphScene, control_flow_opens_with_its_bodies) {
    const auto outline = outline_of(branching_model());
    EXPECT_EQ(defaultOpenGroups(*outline), allGroups(*outline, true)) << "small models open all";
    const OutlineIndex control = group_named(*outline, "If");
    const OpenGroups open = toggled(*outline, allGroups(*outline, false), control);
    EXPECT_EQ(open, allGroups(*outline, true));
    EXPECT_FALSE(toggled(*outline, open, control)[control]);
}

TEST(GraphScene, same_input_gives_the_same_drawing) {
    const auto outline = outline_of(scoped_model(12));
    const auto a = buildScene(outline, allGroups(*outline, true), options()),
               b = buildScene(outline, allGroups(*outline, true), options());
    EXPECT_EQ(a->points, b->points);
}

TEST(GraphScene, finds_boxes_by_place) {
    const auto outline = outline_of(scoped_model(4));
    const auto scene = buildScene(outline, allGroups(*outline, true), options());
    for (OutlineIndex i = 0; i < scene->boxes.size(); ++i) {
        if (scene->boxes[i].open) continue;
        const QPointF c = scene->boxes[i].rect().center();
        EXPECT_EQ(scene->boxAt(static_cast<float>(c.x()), static_cast<float>(c.y())), i);
    }
    EXPECT_EQ(scene->boxAt(-50, -50), noIndex);
}

TEST(GraphScene, stops_when_cancelled) {
    const auto outline = outline_of(scoped_model(4));
    SceneOptions o = options();
    o.cancel.cancel();
    EXPECT_THROW(buildScene(outline, allGroups(*outline, true), o), Error);
}

TEST(GraphScene, keeps_hostile_names_short) {
    auto model = std::make_unique<Model>();
    GraphEdit edit(model->graph);
    ValueId v = edit.add_input("x", float_type({1}));
    std::string deep;
    for (int i = 0; i < 5000; ++i) deep += "/a";
    v = edit.node(std::string(100000, 'Q'), {v}, {}, deep + "/n1");
    v = edit.node("Relu", {v}, {}, deep + "/n2");
    v = edit.node("Relu", {v}, {}, "///");
    edit.add_output(v);
    edit.finish();
    const auto outline = outline_of(finished(std::move(model)));
    EXPECT_LT(outline->groups().size(), 20u);
    const auto scene = buildScene(outline, allGroups(*outline, true), options());
    check_scene(*scene);
    for (const SceneBox& box : scene->boxes) {
        if (!box.open) { EXPECT_LE(box.width, 230); }
    }
}

/// Whether lines of the scene, between boxes that stand in one frame, run in a circle.
std::size_t backwardLines(const GraphScene& scene) {
    return std::size_t(
        std::ranges::count_if(scene.lines, [](const SceneLine& line) { return line.backward; }));
}

TEST(GraphOutline, ScopesThatDataLeavesAndEntersAgainBecomeSeveral) {
    const auto outline = std::make_shared<const GraphOutline>(ort_cnn_model(6));
    QStringList top;
    for (const OutlineIndex group : outline->groups()[0].groups)
        top << outline->groups()[group].label;
    EXPECT_EQ(top, (QStringList{QStringLiteral("features (1)"), QStringLiteral("features (2)")}));
    std::uint32_t nodes = 0;
    for (const OutlineLeaf& leaf : outline->leaves()) {
        nodes += leaf.kind == OutlineLeaf::Kind::Node;
        const auto& leaves = outline->groups()[leaf.group].leaves;
        EXPECT_NE(std::ranges::find(leaves, OutlineIndex(&leaf - outline->leaves().data())),
                  leaves.end());
    }
    EXPECT_EQ(outline->groups()[0].nodes, nodes);
    for (OutlineIndex g = 1; g < outline->groups().size(); ++g)
        EXPECT_LT(outline->groups()[g].parent, g);
    for (const bool open : {false, true})
        EXPECT_EQ(backwardLines(*buildScene(outline, allGroups(*outline, open), options())), 0u);
}

/// Nodes of random scopes: whatever is open, data flows one way.
TEST(GraphOutline, NoChoiceOfScopesMakesDataFlowBackwards) {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        auto model = std::make_unique<Model>();
        model->opset_imports[""] = 17;
        GraphEdit edit(model->graph);
        edit.set_default_version(17);
        std::vector<ValueId> values{edit.add_input("x", float_type({4}))};
        for (int i = 0; i < 60; ++i) {
            std::string name;
            for (unsigned depth = random() % 4; depth > 0; --depth)
                name += "/s" + std::to_string(random() % 3);
            const auto recent = [&] {
                return values[values.size() - 1 -
                              random() % std::min<std::size_t>(values.size(), 5)];
            };
            values.push_back(
                edit.node("Add", {recent(), recent()}, {}, name + "/n" + std::to_string(i)));
        }
        edit.add_output(values.back());
        edit.finish();
        const auto outline = std::make_shared<const GraphOutline>(finished(std::move(model)));
        std::size_t leaves = 0;
        for (const OutlineGroup& group : outline->groups()) leaves += group.leaves.size();
        ASSERT_EQ(leaves, outline->leaves().size()) << "each stands in one group";
        for (int choice = 0; choice < 4; ++choice) {
            OpenGroups open = allGroups(*outline, false);
            for (std::size_t g = 1; g < open.size(); ++g) open[g] = random() % 2 == 0;
            ASSERT_EQ(backwardLines(*buildScene(outline, open, options())), 0u);
        }
    }
}

TEST(GraphOutline, InputsByTheDozenAreCollectedAndOpenAgain) {
    auto model = std::make_unique<Model>();
    model->opset_imports[""] = 17;
    GraphEdit edit(model->graph);
    edit.set_default_version(17);
    ValueId v = edit.add_input("tokens", float_type({4}));
    for (int layer = 0; layer < 12; ++layer) {
        const std::string number = std::to_string(layer);
        const ValueId past = edit.add_input("past." + number + ".key", float_type({4}));
        v = edit.node("Add", {v, past}, {}, "/layer" + number + "/add");
        v = edit.node("Relu", {v}, {}, "/layer" + number + "/relu");
        edit.add_output(
            edit.node("Neg", {v}, {}, "/layer" + number + "/neg", "present." + number + ".key"));
    }
    edit.add_output(edit.node("Abs", {v}, {}, "last", "y"));
    edit.finish();
    const auto outline = std::make_shared<const GraphOutline>(finished(std::move(model)));
    std::vector<OutlineIndex> ends;
    for (OutlineIndex g = 0; g < outline->groups().size(); ++g)
        if (outline->groups()[g].kind == OutlineGroup::Kind::Ends) ends.push_back(g);
    ASSERT_EQ(ends.size(), 2u);
    EXPECT_EQ(outline->groups()[ends[0]].label, QStringLiteral("past…"));
    EXPECT_EQ(outline->countText(ends[0]), QStringLiteral("12 inputs"));
    EXPECT_EQ(outline->countText(ends[1]), QStringLiteral("12 outputs"));
    const auto closed = buildScene(outline, defaultOpenGroups(*outline), options());
    EXPECT_NE(closed->boxOfGroup[ends[0]], noIndex);
    EXPECT_FALSE(closed->open[ends[0]]);
    std::set<OutlineIndex> drawn;
    for (const SceneLine& line : closed->lines)
        if (line.source == closed->boxOfGroup[ends[0]]) drawn.insert(line.tensor);
    EXPECT_EQ(drawn.size(), 1u) << "one bundle";
    const auto folded = buildScene(outline, allGroups(*outline, false), options());
    std::map<std::pair<OutlineIndex, OutlineIndex>, int> lines;
    for (const SceneLine& line : folded->lines)
        if (line.target == folded->boxOfGroup[ends[1]])
            EXPECT_EQ(++lines[std::pair(line.source, line.target)], 1)
                << "one line from each closed group";
    const auto open = buildScene(outline, toggled(*outline, closed->open, ends[0]), options());
    EXPECT_EQ(open->boxes.size(), closed->boxes.size() + 12);
}

}  // namespace
}  // namespace lapidary::views
