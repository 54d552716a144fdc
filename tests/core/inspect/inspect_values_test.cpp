// SPDX-License-Identifier: Apache-2.0
// Values inside of models: which of them a choice names, what is said of each, and that looking at
// them takes no memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <lapidary/base/counted_memory.h>
#include <lapidary/base/error.h>
#include <lapidary/exec/session.h>
#include <lapidary/exec/step_observer.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/inspect/inspect_values.h>
#include <lapidary/onnx_io/model_io.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text);
    return model;
}

InspectOptions unfused(ValueChoice choice) {
    InspectOptions options;
    options.choice = std::move(choice);
    options.session.session_passes.set = SessionPasses::Set::none;
    return options;
}

std::vector<std::string> names_in(const Inspection& inspection) {
    std::vector<std::string> names;
    for (const InspectedValue& value : inspection.values) names.push_back(value.full_name());
    return names;
}

using Texts = std::vector<std::string>;

const std::string chain = R"((x: f32[2,2]) -> (y)
a = Neg(x) as "/first/negate"
b = Add(a, w: f32[2]{1.0, 100000.0}) as "/first/add"
y = Sqrt(b) as "/second/root")";

NamedValues chain_inputs() { return {{"x", Tensor::of<float>({2, 2}, {3, 4, 0, 1})}}; }

Texts chosen(ValueChoice choice) {
    return names_in(inspect_values(model_of(chain), chain_inputs(), unfused(std::move(choice))));
}

TEST(InspectValues, AreNamedByThemselvesByNodesAndByScopes) {
    EXPECT_EQ(chosen({.values = {"b"}}), Texts{"b"});
    EXPECT_EQ(chosen({.values = {"*"}}), (Texts{"w", "x", "a", "b", "y"}));
    EXPECT_EQ(chosen({.values = {"?"}, .nodes = {"/first/add"}}).size(), 5u);
    EXPECT_EQ(chosen({.nodes = {"*root"}}), Texts{"y"});
    EXPECT_EQ(chosen({.scopes = {"/first"}}), (Texts{"a", "b"}));
}

TEST(InspectValues, OfFunctionsAreThereForEachCall) {
    auto model = std::make_shared<Model>();
    model->opset_imports = {{"", 17}, {"local", 1}};
    model->graph = parse_graph(R"((x: f32[2]) -> (y)
h = local::Negative@1(x) as "first"
y = local::Negative@1(h) as "second")");
    Function function;
    function.domain = "local";
    function.name = "Negative";
    function.opset_imports[""] = 17;
    function.body = std::make_shared<Graph>(parse_graph(R"((a: f32[...]) -> (r)
n = Neg(a) as "negate"
r = Mul(n, a) as "scale")"));
    model->functions.push_back(std::move(function));
    const auto found = [&](ValueChoice choice) {
        return names_in(inspect_values(model, {{"x", Tensor::of<float>({2}, {1, 2})}},
                                       unfused(std::move(choice))));
    };
    EXPECT_EQ(found({.values = {"n"}}), (Texts{"first/n", "second/n"}));
    EXPECT_EQ(found({.values = {"second/n"}}), Texts{"second/n"});
    EXPECT_EQ(found({.nodes = {"negate"}}), (Texts{"first/n", "second/n"}));
    EXPECT_EQ(found({.scopes = {"first"}}), (Texts{"first/n", "h"}));
    EXPECT_THROW(found({.values = {"m"}}), Error);
}

TEST(InspectValues, LeaveNoPagesOfWeightsInMemory) {
    if (!counted_memory()) GTEST_SKIP() << "the system does not count pages of files apart";
    constexpr std::int64_t elements = 12'000'000;
    const TemporaryFolder folder;
    {
        Model model = *model_of("(x: f32[1]) -> (y)\ny = Add(x, w: f32[1]{1.0})");
        GraphEdit edit(model.graph);
        const ValueId w = edit.add_initializer("large", Tensor(DType::f32, {elements}));
        edit.set_input(model.graph.nodes()[0], 1, w);
        edit.finish();
        save_model(model, folder / "m.onnx");
    }
    const auto model = std::make_shared<const Model>(load_model(folder / "m.onnx"));
    const std::uint64_t before = counted_memory()->files;
    const Inspection found = inspect_values(model, {}, unfused({.values = {"large"}}));
    EXPECT_EQ(found.values.at(0).shape, Shape{elements});
    EXPECT_LT(counted_memory()->files, before + elements * sizeof(float) / 2);
}

TEST(InspectValues, SaysWhatDoesNotExist) {
    const auto problem = [](ValueChoice choice) -> std::string {
        try {
            chosen(std::move(choice));
        } catch (const Error& e) { return e.what(); }
        return "none";
    };
    EXPECT_TRUE(problem({.values = {"bb"}}).starts_with("the model has no value \"bb\""));
    EXPECT_NE(problem({.nodes = {"/first/ad"}}).find("/first/add"), std::string::npos);
    EXPECT_EQ(problem({.scopes = {"/third"}}), "no node of the model has a name within \"/third\"");
}

TEST(InspectValues, HaveStatisticsAndTheirOrigin) {
    const Inspection inspection =
        inspect_values(model_of(chain), chain_inputs(), unfused({.values = {"b", "y"}}));
    const InspectedValue& b = inspection.values.at(0);
    EXPECT_EQ(b.role, ValueRole::inner);
    EXPECT_EQ(b.node, "/first/add");
    EXPECT_EQ(b.op, "Add");
    EXPECT_EQ(b.type, "tensor f32[2,2]");
    ASSERT_TRUE(b.numbers);
    EXPECT_EQ(b.numbers->minimum, -2);
    EXPECT_EQ(b.numbers->beyond_float16.too_large, 2);
    EXPECT_EQ(b.numbers->beyond_bfloat16.too_large, 0);
    EXPECT_EQ(b.numbers->histogram.size(), 64u);
    EXPECT_TRUE(b.kept.is_empty());
    const InspectedValue& y = inspection.values.at(1);
    EXPECT_EQ(y.role, ValueRole::output);
    EXPECT_EQ(y.numbers->nans, 1);
}

TEST(InspectValues, KeepsWhatIsAskedForAlone) {
    InspectOptions options = unfused({.values = {"a"}});
    options.keeps = true;
    const auto kept = [&] {
        return to_doubles(
            inspect_values(model_of(chain), chain_inputs(), options).values.at(0).kept.tensor());
    };
    EXPECT_EQ(kept(), (std::vector<double>{-3, -4, 0, -1}));
    options.slice = parse_slice(":,1");
    EXPECT_EQ(kept(), (std::vector<double>{-4, -1}));
}

const std::string loop = R"((n: i64[], x: f32[1]) -> (y)
y = Loop(n, _, x) {body: graph {
    (i: i64[], go: bool[], c: f32[1]) -> (go_on, d)
    go_on = Identity(go)
    d = Add(c, x)
}} as "again")";

TEST(InspectValues, OfBodiesComeForEachIteration) {
    const NamedValues inputs{{"n", Tensor::scalar<std::int64_t>(3)},
                             {"x", Tensor::of<float>({1}, {5})}};
    const Inspection all = inspect_values(model_of(loop), inputs, unfused({.values = {"d"}}));
    EXPECT_EQ(names_in(all), (Texts{"again/body/d[0]", "again/body/d[1]", "again/body/d[2]"}));
    EXPECT_EQ(all.values.at(2).numbers->maximum, 20);
    const Inspection one = inspect_values(model_of(loop), inputs,
                                          unfused({.values = {"again/body/*"}, .iteration = 1}));
    EXPECT_EQ(names_in(one), (Texts{"again/body/i[1]", "again/body/go[1]", "again/body/c[1]",
                                    "again/body/go_on[1]", "again/body/d[1]"}));
    InspectOptions few = unfused({.values = {"d"}});
    few.most_values = 2;
    EXPECT_EQ(inspect_values(model_of(loop), inputs, few).left_out, 1u);
}

TEST(InspectValues, OfAnotherEngineComeInSlices) {
    const ModelPtr model = model_of(chain);
    int runs = 0;
    const EngineRun engine = [&](const Model& given, const NamedValues& inputs) {
        ++runs;
        EXPECT_LE(given.graph.outputs().size(), 2u);
        return Session::compile(std::make_shared<const Model>(given)).run(inputs).outputs;
    };
    const InspectOptions options = unfused({.values = {"*"}});
    const Inspection theirs = inspect_values_in(engine, model, chain_inputs(), options, 2 * 16);
    EXPECT_EQ(runs, 2) << "two values of 16 bytes, then one";
    const Inspection ours = inspect_values(model, chain_inputs(), options);
    ASSERT_EQ(names_in(theirs), names_in(ours));
    for (std::size_t i = 0; i < ours.values.size(); ++i)
        EXPECT_EQ(theirs.values[i].numbers->histogram, ours.values[i].numbers->histogram);
    EXPECT_THROW(inspect_values_in(engine, model_of(loop), {}, unfused({.values = {"d"}}), 100),
                 Error);
}

TEST(InspectValues, TakeNoMemoryOfTheRun) {
    const ModelPtr model = std::make_shared<const Model>(build_sample("bert-tiny"));
    const NamedValues inputs = generate_inputs(*model, {}, {.dimensions = {{"sequence", 128}}});
    SessionOptions options;
    options.session_passes.set = SessionPasses::Set::none;
    const auto peak = [&](StepObserver* observer) {
        Session session = Session::compile(model, options);
        RunOptions run;
        run.profile = true;
        run.observer = observer;
        return session.run(inputs, run).profile->peak_bytes;
    };
    const Inspection all = inspect_values(model, inputs, unfused({.values = {"*"}}));
    EXPECT_GT(all.values.size(), 100u);
    class Looks : public StepObserver {
        void node_ran(ObservedGraph& graph, const Node& node) override {
            for (ValueId id : node.outputs)
                if (id) EXPECT_FALSE(graph.value(id).is_empty());
        }
    } looks;
    EXPECT_LE(static_cast<double>(peak(&looks)), 1.05 * static_cast<double>(peak(nullptr)));
}

TEST(TensorSlice, TakesElementsAndRanges) {
    const Tensor t = Tensor::of<std::int32_t>({2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    const auto part = [&](const char* text) {
        const Tensor slice = slice_of(t, parse_slice(text));
        return to_string(slice.shape()) + " " +
               std::to_string(slice.size() ? to_doubles(slice)[0] : -1);
    };
    EXPECT_EQ(part("1"), "[3,2] 6.000000");
    EXPECT_EQ(part(":,1:"), "[2,2,2] 2.000000");
    EXPECT_EQ(part("-1, -2:, 1"), "[2] 9.000000");
    EXPECT_EQ(part("1,2,1"), "[] 11.000000");
    EXPECT_EQ(part("[:,5:9]"), "[2,0,2] -1.000000");
    EXPECT_THROW(part("2"), Error);
    EXPECT_THROW(part("0,0,0,0"), Error);
    for (const char* wrong : {"", "1,,2", "a", "1:b", "1:2:3"})
        EXPECT_THROW(parse_slice(wrong), Error) << wrong;
}

TEST(TensorSlice, IsWrittenAsItIsRead) {
    for (const char* text : {"1", ":", "0,:,3:7,-1", "2:,:-1"})
        EXPECT_EQ(text_of(parse_slice(text)), text);
    EXPECT_EQ(shape_of_slice({2, 5, 3}, parse_slice("-1,1:9")), (Shape{4, 3}));
    EXPECT_THROW(shape_of_slice({2}, parse_slice("0,0")), Error);
}

TEST(TensorSlice, LooksAtThreeAxesFirstAsFarAsThereIsRoom) {
    const auto first = [](const Shape& shape, std::int64_t most) {
        const TensorSlice slice = first_slice(shape, most);
        EXPECT_LE(element_count(shape_of_slice(shape, slice)), most);
        return text_of(slice);
    };
    EXPECT_EQ(first({}, 10), "");
    EXPECT_EQ(first({4}, 10), ":");
    EXPECT_EQ(first({40}, 10), ":10");
    EXPECT_EQ(first({2, 12, 8, 8}, 1000), "0,:,:,:");
    EXPECT_EQ(first({2, 12, 8, 8}, 200), "0,:3,:,:");
    EXPECT_EQ(first({2, 12, 8, 8}, 100), "0,0,:,:");
    EXPECT_EQ(first({100, 8}, 40), ":5,:");
    EXPECT_EQ(first({0, 3, 0, 5}, 40), ":,:,:,:");
}

TEST(InspectValues, ConstantsNeedNoInputs) {
    const Inspection inspection = inspect_values(model_of(chain), {}, unfused({.values = {"w"}}));
    ASSERT_EQ(inspection.values.size(), 1u);
    EXPECT_EQ(inspection.values[0].role, ValueRole::constant);
    EXPECT_EQ(inspection.values[0].numbers->maximum, 100000);
    EXPECT_ANY_THROW(inspect_values(model_of(chain), {}, unfused({.values = {"w", "a"}})));
}

// Of a long value only the part is kept that is asked for once its shape is known.
TEST(InspectValues, KeepThePartThatIsChosenByTheShape) {
    InspectOptions options = unfused({.values = {"*"}});
    options.part_of = [](const InspectedValue& value) -> std::optional<TensorSlice> {
        if (value.name != "b") return std::nullopt;
        return first_slice(value.shape, 2);
    };
    for (const InspectedValue& value :
         inspect_values(model_of(chain), chain_inputs(), options).values) {
        EXPECT_EQ(value.kept.is_tensor(), value.name == "b") << value.name;
        if (value.kept.is_tensor()) { EXPECT_EQ(value.kept.tensor().shape(), (Shape{2})); }
    }
}

TEST(TensorSlice, TakesTextAndTypesThatShareBytes) {
    const Tensor words = Tensor::of<std::string>({3}, {"a", "b", "c"});
    EXPECT_EQ(slice_of(words, parse_slice("1:")).data<std::string>()[0], "b");
    Tensor nibbles(DType::u4, {4});
    static_cast<std::uint8_t*>(nibbles.mutable_raw())[0] = 0x21;
    static_cast<std::uint8_t*>(nibbles.mutable_raw())[1] = 0x43;
    const Tensor part = slice_of(nibbles, parse_slice("1:3"));
    EXPECT_EQ(part.dtype(), DType::f32);
    EXPECT_EQ(to_doubles(part), (std::vector<double>{2, 3}));
}

TEST(MatchesPattern, StarsAndQuestionMarks) {
    EXPECT_TRUE(matches_pattern("/a/b/Softmax_output_0", "*Softmax*"));
    EXPECT_TRUE(matches_pattern("abc", "a?c"));
    EXPECT_TRUE(matches_pattern("aXbXc", "a*X*c"));
    EXPECT_TRUE(matches_pattern("", "*"));
    EXPECT_FALSE(matches_pattern("abc", "a?"));
    EXPECT_FALSE(matches_pattern("abc", "*b"));
}

}  // namespace
}  // namespace lapidary
