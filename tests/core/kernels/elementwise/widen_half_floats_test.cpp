// SPDX-License-Identifier: Apache-2.0
// Models of 16-bit floats that a session computes in float: which casts are left, and that results
// agree with the reference kernels, which round after every operator.
#include <gtest/gtest.h>

#include <cmath>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/exec/session.h>

#include "support/kernel_compare.h"

namespace lapidary {
namespace {

Tensor halves(const Shape& shape, std::uint32_t seed) {
    const Tensor wide = test::noise(shape, seed);
    Tensor t(DType::f16, shape);
    for (std::size_t i = 0; i < static_cast<std::size_t>(t.size()); ++i)
        t.mutable_data<Half>()[i] = Half(wide.data<float>()[i]);
    return t;
}

std::vector<std::string> run(const std::string& text, const std::string& outputs = "y") {
    SCOPED_TRACE(text);
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 20;
    model->graph =
        parse_graph("(x: f16[3,8], z: f16[3,5]) -> (" + outputs + ")\n" + text, {.opset = 20});
    const NamedValues inputs{{"x", halves({3, 8}, 1)}, {"z", halves({3, 5}, 2)}};
    SessionOptions plain;
    plain.reference_kernels = true;
    const auto wanted = Session::compile(model, plain).run(inputs).outputs;
    Session session = Session::compile(model);
    const auto got = session.run(inputs).outputs;
    for (std::size_t o = 0; o < wanted.size(); ++o) {
        EXPECT_EQ(got[o].second.tensor().dtype(), wanted[o].second.tensor().dtype());
        const auto a = to_doubles(got[o].second.tensor()),
                   e = to_doubles(wanted[o].second.tensor());
        EXPECT_EQ(a.size(), e.size());
        for (std::size_t i = 0; i < std::min(a.size(), e.size()); ++i)
            EXPECT_NEAR(a[i], e[i], 4e-3 * std::max(1.0, std::abs(e[i]))) << i;
    }
    std::vector<std::string> ops;
    for (const StepInfo& s : session.plan().steps) ops.push_back(s.op);
    return ops;
}

using Ops = std::vector<std::string>;

TEST(WidenHalfFloats, CastsOnlyAtTheEdges) {
    EXPECT_EQ(run("y = MatMul(x, w: f16[8,5])"), (Ops{"Cast", "MatMul", "Cast"}));
    const Ops chain =
        run("a = MatMul(x, w: f16[8,5])\nb = Softmax(a)\ny = Transpose(b) {perm: [1, 0]}");
    EXPECT_EQ(chain, (Ops{"Cast", "MatMul", "Softmax", "Transpose", "Cast"}));
}

TEST(WidenHalfFloats, LeavesCheapOperatorsOfHalves) {
    EXPECT_EQ(run("y = Transpose(x) {perm: [1, 0]}"), (Ops{"Transpose"}));
    const Ops mixed = run("a = MatMul(x, w: f16[8,5])\ny = Add(a, z)");  // z is no float yet
    EXPECT_EQ(std::count(mixed.begin(), mixed.end(), "Cast"), 2);
}

TEST(WidenHalfFloats, KeepsTypesOfOutputs) {
    const Ops both = run("a = MatMul(x, w: f16[8,5])\ny = Softmax(a)", "a, y");
    EXPECT_EQ(std::count(both.begin(), both.end(), "Cast"), 3);
}

TEST(WidenHalfFloats, ADefaultOfAnInputIsNoConstant) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 20;
    model->graph =
        parse_graph("(x: f16[3,8], z: f16[3,5]) -> (y)\na = MatMul(x, w: f16[8,5])\ny = Add(a, z)");
    GraphEdit edit(model->graph);
    edit.set_constant(model->graph.inputs()[1], halves({3, 5}, 2));
    edit.finish();
    const Session session = Session::compile(model);
    Ops ops;
    for (const StepInfo& s : session.plan().steps) ops.push_back(s.op);
    EXPECT_EQ(ops, (Ops{"Cast", "MatMul", "Cast", "Add"}));  // a run may be given another z
}

}  // namespace
}  // namespace lapidary
