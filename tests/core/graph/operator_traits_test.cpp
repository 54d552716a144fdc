// SPDX-License-Identifier: Apache-2.0
// The table of operator traits: every operator has a line, names and numbers on the lines exist,
// and what the lines say of values is what the kernels compute.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/exec/session.h>

#include "kernels/kernel.h"
#include "ops/operator_traits.h"
#include "ops/schemas/schema.h"
#include "passes/padded_window.h"
#include "support/kernel_harness.h"
#include "support/operator_call.h"
#include "support/test_data.h"

namespace lapidary::test {
namespace {

const OpSchema* newest_schema(const OperatorTraits& traits) {
    return find_schema(traits.domain, traits.name,
                       traits.domain.empty() ? max_onnx_opset : newest_version(traits.domain));
}

TEST(OperatorTraits, EveryOperatorOfTheSchemasHasALine) {
    for (const OpSchema* schema : all_schemas())
        EXPECT_EQ(newest_traits_of(schema->domain, schema->name).name, schema->name)
            << schema->domain << "::" << schema->name
            << " has no line in core/operators/ops/traits, not even as LAPIDARY_OPAQUE_OPERATOR";
}

TEST(OperatorTraits, LinesNameWhatThereIs) {
    const auto lines = all_operator_traits();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const OperatorTraits& t = lines[i];
        const std::string name = t.qualified_name();
        if (i > 0) {
            EXPECT_FALSE(t.name == lines[i - 1].name && t.domain == lines[i - 1].domain &&
                         t.since == lines[i - 1].since)
                << name;
        }
        if (t.domain == "lapidary") continue;  // made by fusions of steps, in no file
        const OpSchema* schema = newest_schema(t);
        ASSERT_TRUE(schema) << name;
        const auto all = all_schemas();
        const bool starts_there =
            t.since == 1 || std::ranges::any_of(all, [&](const OpSchema* s) {
                return s->domain == t.domain && s->name == t.name && s->since_version == t.since;
            });
        EXPECT_TRUE(starts_there) << name << " has no version " << t.since
                                  << ", at which a fact is said to change";
        const Quantizing& q = t.quantizing;
        for (const std::string_view partner :
             {q.static_8, q.dynamic_8, q.dynamic_16, q.weights_4}) {
            const std::size_t colons = partner.find("::");
            const bool in_onnx = colons == std::string_view::npos;
            EXPECT_TRUE(partner.empty() ||
                        is_known_operator(in_onnx ? "" : partner.substr(0, colons),
                                          in_onnx ? partner : partner.substr(colons + 2)))
                << name << ": " << partner;
        }
        for (std::size_t port = 0; port < 32; ++port) {
            const bool named =
                ((q.inputs | q.weights) >> port & 1u) != 0 || q.bias == static_cast<int>(port);
            EXPECT_TRUE(!named || schema->input(port))
                << name << " has no input " << port << " that could be quantized";
            EXPECT_TRUE((q.outputs >> port & 1u) == 0 || schema->output(port))
                << name << " has no output " << port;
        }
        EXPECT_TRUE(q.role == QuantizeRole::stays_float || q.inputs != 0) << name;
    }
}

/// "name(...)" in the language of graphs, for images of 2 channels.
std::string call_of_images(const std::string& name) {
    if (name == "PRelu") return "PRelu(x, slope: f32[2,1,1]{0.25, -0.5})";
    if (name == "LeakyRelu") return "LeakyRelu(x) {alpha: 0.2}";
    if (name.starts_with("Global") || name == "Relu" || name == "Identity") return name + "(x)";
    return name + "(x) {kernel_shape: [2,2], pads: [1,0,0,1]}";
}

TEST(OperatorTraits, FactorsOfChannelsGoThroughWhereTheLineSaysSo) {
    std::size_t checked = 0;
    for (const OperatorTraits& t : all_operator_traits()) {
        if (!t.has(OperatorFact::passes_factors) || &newest_traits_of(t.domain, t.name) != &t)
            continue;
        ++checked;
        auto model = std::make_shared<Model>();
        model->opset_imports[""] = 17;
        model->graph =
            parse_graph("(x: f32[1,2,3,3]) -> (y)\ny = " + call_of_images(std::string(t.name)));
        infer_types(*model);
        Session session = Session::compile(model);
        const std::array<float, 2> factors{4, 0.5F};
        std::vector<float> plain(18), scaled(18);
        for (std::size_t i = 0; i < plain.size(); ++i) {
            plain[i] = static_cast<float>(static_cast<int>(i * 7 % 13)) - 6;
            scaled[i] = plain[i] * factors[i / 9];
        }
        const auto run = [&](const std::vector<float>& values) {
            const RunResult result = session.run({{"x", Tensor::of<float>({1, 2, 3, 3}, values)}});
            const auto data = result.outputs[0].second.tensor().data<float>();
            return std::vector<float>(data.begin(), data.end());
        };
        const std::vector<float> before = run(plain), after = run(scaled);
        for (std::size_t i = 0; i < before.size(); ++i)
            EXPECT_FLOAT_EQ(after[i], before[i] * factors[i / (before.size() / 2)])
                << t.name << " " << i;
    }
    EXPECT_EQ(checked, 8u);
}

TEST(OperatorTraits, FactsChangeWithTheOpset) {
    EXPECT_EQ(traits_of("", "MaxPool", 11).quantizing.own_widths, 0)
        << "8-bit integers from opset 12 on";
    EXPECT_EQ(traits_of("", "MaxPool", 12).quantizing.own_widths, 8);
    EXPECT_EQ(traits_of("", "MaxPool", 22).quantizing.own_widths, 8);
    EXPECT_EQ(traits_of("", "ReduceMax", 11).quantizing.own_widths, 0);
    EXPECT_EQ(traits_of("", "ReduceMax", 13).quantizing.own_widths, 8);
}

TEST(OperatorTraits, AnUnknownOperatorHasNoTraits) {
    const OperatorTraits& none = traits_of("com.acme", "Relu", 1);
    EXPECT_FALSE(none.is_elementwise());
    EXPECT_EQ(none.is, OperatorFact::none);
    EXPECT_EQ(none.cost.formula, CostFormula::unknown);
    EXPECT_TRUE(none.range.is_everywhere() && none.rising.is_empty() && none.falling.is_empty());
    EXPECT_EQ(family_of("com.acme::Relu"), OperatorFamily::activation)
        << "by its name: a colour promises nothing";
    EXPECT_EQ(family_of("MatMul + Add + Gelu (fused)"), OperatorFamily::matrix);
    EXPECT_EQ(family_of("com.microsoft::FusedConv"), OperatorFamily::convolution);
    EXPECT_EQ(family_of("Unheard"), OperatorFamily::other);
    EXPECT_EQ(family_of(""), OperatorFamily::other);
}

/// The name of a kernel for the operator that is no plain one; empty: there is none.
std::string fast_kernel_of(const OperatorTraits& t) {
    for (const KernelEntry& entry : kernel_entries())
        if (entry.domain == t.domain && entry.op_type == t.name && entry.factory)
            return std::string(entry.name);
    return {};
}

/// Inputs that are said to be read for their shape alone come without data, as values of devices
/// do.
TEST(OperatorTraits, KernelsReadNoElementsWhereTheLineSaysSo) {
    std::map<std::string, int> called;
    for (const OperatorTraits& t : all_operator_traits()) {
        if (t.shapes_of == 0) continue;
        for (const OperatorCall& call : operator_calls(std::string(t.name))) {
            if (call.schema->domain != t.domain || &traits_of(t.domain, t.name, call.version) != &t)
                continue;
            for (const bool is_reference : {true, false}) {
                std::vector<RuntimeValue> whole, bare;
                for (std::size_t i = 0; i < call.inputs.size(); ++i) {
                    const auto& input = call.inputs[i];
                    whole.push_back(input ? RuntimeValue(*input) : RuntimeValue());
                    const bool is_bare = input && !t.reads_elements(i);
                    bare.push_back(
                        is_bare ? Tensor::borrow(input->dtype(), input->shape(), nullptr, nullptr)
                                : whole.back());
                }
                KernelRun run;
                if (!is_reference) {
                    run.kernel = fast_kernel_of(t);
                    if (run.kernel.empty()) continue;
                }
                std::vector<RuntimeValue> expected;
                try {
                    expected =
                        run_kernel(t.domain, t.name, call.version, whole, call.attributes, run);
                } catch (const Error&) {  // the kernel does not take the call
                    continue;
                }
                const auto found =
                    run_kernel(t.domain, t.name, call.version, bare, call.attributes, run);
                EXPECT_TRUE(same_contents(found[0].tensor(), expected[0].tensor()))
                    << call.describe();
                ++called[t.qualified_name()];
            }
        }
    }
    for (const char* name :
         {"Shape", "Size", "EyeLike", "RandomNormalLike", "RandomUniformLike", "CastLike"})
        EXPECT_GT(called[name], 0) << name;
    EXPECT_EQ(called.size(), 6u);
}

/// From far below to far above, with zero and steps of 1/64 between -4 and 4.
std::vector<float> sweep() {
    std::vector<float> values;
    for (float far : {-1e4f, -100.0f, -20.0f}) values.push_back(far);
    for (int i = -256; i <= 256; ++i) values.push_back(static_cast<float>(i) / 64);
    for (float far : {20.0f, 100.0f, 1e4f}) values.push_back(far);
    return values;
}

std::vector<Attribute> attributes_for(std::string_view op) {
    if (op == "ScaledTanh" || op == "ParametricSoftplus")
        return {attribute("alpha", 1.5f), attribute("beta", 0.5f)};
    return {};
}

std::vector<float> run_on(const OperatorTraits& t, const std::vector<float>& x) {
    std::vector<RuntimeValue> inputs{Tensor::of<float>({static_cast<std::int64_t>(x.size())}, x)};
    if (t.name == "Clip")
        inputs.emplace_back(Tensor::scalar(-2.5f)), inputs.emplace_back(Tensor::scalar(1.5f));
    const Tensor y = run_kernel_tensor(t.domain, t.name, newest_schema(t)->since_version, inputs,
                                       attributes_for(t.name));
    const auto data = y.data<float>();
    return {data.begin(), data.end()};
}

bool computes_f32(const OperatorTraits& t) {
    const OpSchema* schema = newest_schema(t);
    if (!schema || schema->inputs.empty() || schema->outputs.empty() ||
        schema->inputs[0].type != schema->outputs[0].type)
        return false;
    const TypeConstraint* types = schema->constraint(schema->inputs[0].type);
    return types && types->allows(DType::f32);
}

TEST(OperatorTraits, WhatIsSaidOfOneOperandIsWhatKernelsCompute) {
    const std::vector<float> x = sweep();
    std::size_t checked = 0, facts = 0;
    for (const OperatorTraits& t : all_operator_traits()) {
        if (t.layout != OperatorLayout::unary || t.has(OperatorFact::converts) || !computes_f32(t))
            continue;
        const std::vector<float> y = run_on(t, x);
        ++checked;
        const std::string name = t.qualified_name();
        const bool is_zero = run_on(t, {0.0f})[0] == 0.0f,
                   is_plain =
                       newest_schema(t)->attributes.empty() && newest_schema(t)->max_inputs == 1;
        EXPECT_TRUE(is_plain ? t.has(OperatorFact::keeps_zero) == is_zero
                             : is_zero || !t.has(OperatorFact::keeps_zero))
            << name << " of 0";
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_TRUE(std::isnan(y[i]) || t.range.contains(static_cast<double>(y[i])))
                << name << "(" << x[i] << ") = " << y[i];
            EXPECT_TRUE(!t.has(OperatorFact::keeps_finite) || std::isfinite(y[i]))
                << name << "(" << x[i] << ") = " << y[i];
            if (i == 0 || std::isnan(y[i]) || std::isnan(y[i - 1])) continue;
            // of the last bits
            const float slack = 2e-6f * (std::isfinite(y[i]) ? std::max(1.0f, std::abs(y[i])) : 0);
            const double from = static_cast<double>(x[i - 1]), to = static_cast<double>(x[i]);
            const bool rises = t.rising.contains(from) && t.rising.contains(to),
                       falls = t.falling.contains(from) && t.falling.contains(to);
            EXPECT_TRUE(!rises || y[i] >= y[i - 1] - slack) << name << " falls after " << from;
            EXPECT_TRUE(!falls || y[i] <= y[i - 1] + slack) << name << " rises after " << from;
            facts += rises || falls;
        }
    }
    EXPECT_GE(checked, 45u);
    EXPECT_GE(facts, 10000u);
}

// A step would show as a large difference between neighbours of a fine sweep.
TEST(OperatorTraits, ContinuousOperatorsHaveNoSteps) {
    std::vector<float> x;
    for (int i = -8000; i <= 8000; ++i) x.push_back(static_cast<float>(i) / 2000);
    for (const OperatorTraits& t : all_operator_traits()) {
        if (t.layout != OperatorLayout::unary || !t.has(OperatorFact::continuous) ||
            !computes_f32(t))
            continue;
        const std::vector<float> y = run_on(t, x);
        for (std::size_t i = 1; i < x.size(); ++i) {
            if (!std::isfinite(y[i]) || !std::isfinite(y[i - 1])) continue;
            const bool at_pole = std::abs(x[i]) < 0.2f && std::abs(y[i]) > 1;  // Log, Reciprocal
            EXPECT_TRUE(at_pole || std::abs(y[i] - y[i - 1]) < 0.05f)
                << t.qualified_name() << " steps at " << x[i];
        }
    }
}

TEST(OperatorTraits, SeveralOperandsOfZeroAndFinite) {
    std::size_t checked = 0;
    for (const OperatorTraits& t : all_operator_traits()) {
        if ((t.layout != OperatorLayout::binary && t.layout != OperatorLayout::variadic) ||
            !computes_f32(t))
            continue;
        const auto version = newest_schema(t)->since_version;
        const std::vector<Attribute> attributes = t.name == "Mod"
                                                      ? std::vector<Attribute>{attribute("fmod", 1)}
                                                      : std::vector<Attribute>{};
        const auto run = [&](const std::vector<float>& a, const std::vector<float>& b) {
            const Shape shape{static_cast<std::int64_t>(a.size())};
            return values_of<float>(run_kernel_tensor(
                t.domain, t.name, version,
                {Tensor::of<float>(shape, a), Tensor::of<float>(shape, b)}, attributes));
        };
        EXPECT_EQ(t.has(OperatorFact::keeps_zero), run({0.0f}, {0.0f})[0] == 0.0f) << t.name;
        const std::vector<float> a{-3, -1, 0, 0, 0.5f, 2, 7}, b{0, 2, 0, -4, 0.25f, -1, 0};
        const bool finite =
            std::ranges::all_of(run(a, b), [](float v) { return std::isfinite(v); });
        EXPECT_EQ(t.has(OperatorFact::keeps_finite), finite) << t.name;
        ++checked;
    }
    EXPECT_GE(checked, 9u);
}

struct Ran {
    std::vector<Tensor> inputs;
    Tensor output;
};

std::optional<Ran> run_call(const OperatorCall& call) {
    Ran ran;
    for (const auto& input : call.inputs)
        if (input) ran.inputs.push_back(*input);
    try {
        SessionOptions options;
        options.resources.threads = 1;
        options.limits.tensor_bytes = 1 << 22;
        Session session =
            Session::compile(std::make_shared<const Model>(model_of_call(call)), options);
        const NamedValues outputs = session.run(inputs_of_call(call)).outputs;
        if (outputs.empty() || !outputs[0].second.is_tensor()) return std::nullopt;
        ran.output = outputs[0].second.tensor();
    } catch (const Error&) {
        return std::nullopt;  // a call that does not run says nothing
    }
    return ran;
}

/// Elements of `value` as numbers; nothing of strings and complex numbers.
std::optional<std::vector<double>> numbers(const Tensor& value) {
    if (!is_float(value.dtype()) && !is_integer(value.dtype()) && value.dtype() != DType::boolean)
        return std::nullopt;
    return to_doubles(value);
}

bool sees_only_padding(const OperatorCall& call) {
    Node node;
    node.op_type = call.schema->name;
    node.attributes = call.attributes;
    return node.op_type == "MaxPool" && may_see_only_padding(node);
}

// The calls that the fixtures and the conformance data make of each operator, with whatever
// attributes.
TEST(OperatorTraits, WhatIsSaidOfElementsAndShapesHoldsInEveryCall) {
    const std::vector<OperatorCall> all = operator_calls();
    std::map<std::string, std::vector<const OperatorCall*>> calls;
    for (const OperatorCall& call : all)
        if (!call.inputs.empty() && call.inputs[0] && !sees_only_padding(call))
            calls[newest_traits_of(call.schema->domain, call.schema->name).qualified_name()]
                .push_back(&call);
    std::set<std::string> moved, shaped, ranged;
    for (const OperatorTraits& t : all_operator_traits()) {
        const bool reports_shape =
            t.has(OperatorFact::keeps_shape) || t.layout == OperatorLayout::unary;
        const bool reports_elements =
            t.is_moved() || t.elements == Elements::selected || t.elements == Elements::any_operand;
        if ((!reports_shape && !reports_elements && t.range.is_everywhere()) ||
            t.has(OperatorFact::random))
            continue;
        int left = 30;
        for (const OperatorCall* call : calls[t.qualified_name()]) {
            const auto ran = left > 0 ? run_call(*call) : std::nullopt;
            if (!ran) continue;
            --left;
            const std::string what = call->describe();
            if (reports_shape) {
                EXPECT_EQ(to_string(ran->output.shape()), to_string(ran->inputs[0].shape()))
                    << what;
                shaped.insert(t.qualified_name());
            }
            const auto out = numbers(ran->output);
            if (!out) continue;
            if (is_float(ran->output.dtype())) {
                for (double v : *out)
                    EXPECT_TRUE(std::isnan(v) || t.range.contains(v)) << what << " gives " << v;
            }
            if (!t.range.is_everywhere()) ranged.insert(t.qualified_name());
            if (!reports_elements) continue;
            std::set<double> known;
            if (t.elements == Elements::moved_or_zero) known.insert(0);
            for (std::size_t i = 0;
                 i < (t.elements == Elements::any_operand ? ran->inputs.size() : 1); ++i)
                if (const auto in = numbers(ran->inputs[i])) known.insert(in->begin(), in->end());
            for (double v : *out)
                EXPECT_TRUE(std::isnan(v) || known.contains(v))
                    << what << " makes " << v << " of nothing";
            moved.insert(t.qualified_name());
        }
    }
    EXPECT_GE(moved.size(), 20u);
    EXPECT_GE(shaped.size(), 60u);
    EXPECT_GE(ranged.size(), 20u);
}

// What is known of an operator stands in the table of traits, and in no other list.
TEST(OperatorTraits, NoOtherListOfElementwiseOperators) {
    std::set<std::string, std::less<>> elementwise;
    for (const OperatorTraits& t : all_operator_traits())
        if (t.is_elementwise()) elementwise.emplace(t.name);
    // What they list is no fact of the operators: what bodies of functions stand on; element types
    // of ONNX Runtime's kernels; the activations that a function writes; what is costly in 16-bit
    // floats.
    const std::set<std::string> other_lists{"core/tools/export/release_kernels.cpp",
                                            "core/engine/passes/extended/fused_kernels.cpp",
                                            "core/engine/passes/lowering/plain_nodes.cpp",
                                            "core/engine/passes/session/widen_half_floats.cpp"};
    const std::regex literal(R"x("([^"\n]*)")x"), comment(R"(//[^\n]*)"), word(R"([A-Za-z0-9]+)");
    std::size_t files = 0;
    for (const char* folder :
         {"core/engine/passes", "core/tools/cost", "core/tools/inputs", "core/tools/proof",
          "core/tools/memory_report", "core/tools/export", "core/tools/report", "views"})
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(source_folder() / folder)) {
            const std::string place =
                std::filesystem::relative(entry.path(), source_folder()).generic_string();
            if ((entry.path().extension() != ".cpp" && entry.path().extension() != ".h") ||
                other_lists.contains(place))
                continue;
            ++files;
            std::ifstream in(entry.path());
            std::string text{std::istreambuf_iterator<char>(in), {}};
            text = std::regex_replace(text, comment, "");
            for (std::size_t begin = 0; begin < text.size();) {
                const std::size_t end = std::min(text.find(';', begin), text.size());
                const std::string statement = text.substr(begin, end - begin);
                std::set<std::string> named;
                for (std::sregex_iterator l(statement.begin(), statement.end(), literal), none;
                     l != none; ++l) {
                    const std::string words = (*l)[1];
                    for (std::sregex_iterator w(words.begin(), words.end(), word); w != none; ++w)
                        if (elementwise.contains(w->str())) named.insert(w->str());
                }
                EXPECT_LT(named.size(), 6u)
                    << place
                    << " lists elementwise operators of its own: " << statement.substr(0, 300);
                begin = end + 1;
            }
        }
    EXPECT_GE(files, 300u);
}

}  // namespace
}  // namespace lapidary::test
