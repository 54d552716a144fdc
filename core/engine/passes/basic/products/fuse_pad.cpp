// SPDX-License-Identifier: Apache-2.0
//   before:  y = Conv(Pad(x) {zeros around height and width})   also AveragePool, MaxPool; a Cast
//            may stand between
//   after:   y = Conv(x) {pads}
// AveragePool then counts what it pads. MaxPool pads with minus infinity: it takes over a Pad with
// minus infinity, and zeros only of integers that are not negative (of floats, a window whose
// elements are all NaN gives the padded zero). Every window of a pool must hold an element of x.
// With ceil_mode windows that would start in the padding are dropped, which an explicit Pad does
// not do.
#include <algorithm>
#include <cmath>

#include "passes/basic/movement/padding.h"
#include "passes/basic/rules/value_range.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

/// What keeps the windows of a pool from `total` pads, or empty.
std::string window_problem(const Node& pool, const std::vector<std::int64_t>& total) {
    const auto kernel = pool.ints_attribute("kernel_shape");
    for (std::size_t i = 0; i < total.size(); ++i)
        if (kernel.size() * 2 != total.size() || total[i] >= kernel[i % kernel.size()])
            return "a window of " + pool.op_type +
                   " would see padding only, which ONNX Runtime refuses";
    if (pool.int_attribute("ceil_mode", 0) != 0)
        return pool.op_type + " rounds its size up (ceil_mode 1)";
    return {};
}

std::string average_pool_problem(const Node& pool) {
    if (pool.version < 7)
        return "AveragePool of opset " + std::to_string(pool.version) +
               " cannot count what it pads";
    const bool pads =
        std::ranges::any_of(pool.ints_attribute("pads"), [](std::int64_t v) { return v != 0; });
    if (pads && pool.int_attribute("count_include_pad", 0) == 0)
        return "AveragePool pads already and leaves its own padding out of the average";
    return {};
}

std::string max_pool_problem(const Match& m, const Node& pool, bool pads_lowest) {
    if (pool.outputs.size() > 1 && pool.outputs[1])
        return "MaxPool also gives the indices of the maxima";
    if (std::ranges::any_of(pool.ints_attribute("dilations"),
                            [](std::int64_t d) { return d != 1; }))
        return "MaxPool is dilated";
    if (pads_lowest) return {};
    if (range_of(m.scope(), m.value("x")).low < 0)
        return "MaxPool pads with minus infinity, and the input may be below the padded 0";
    if (!is_integer(m.scope().dtype(m.value("x"))))
        return "MaxPool pads with minus infinity, which a window of NaN alone gives in place of "
               "the padded 0";
    return {};
}

std::string reader_problem(const Match& m, const Node& reader, const Padding& padding,
                           const std::vector<std::int64_t>& total) {
    if (padding.mode != "constant")
        return "the Pad is of mode " + padding.mode + ", needs constant";
    if (padding.is_negative()) return "the Pad crops (a negative pad)";
    if (!padding.only_spatial()) return "the Pad changes images or channels";
    const bool is_max = reader.op_type == "MaxPool";
    const bool pads_lowest = is_max && padding.value == -std::numeric_limits<double>::infinity();
    if (padding.value != 0 && !pads_lowest)
        return "the Pad fills in " + std::to_string(padding.value) + ", needs 0";
    const std::string auto_pad = reader.string_attribute("auto_pad", "NOTSET");
    if (auto_pad != "NOTSET" && auto_pad != "VALID")
        return reader.op_type + " pads by itself (auto_pad " + auto_pad + ")";
    if (reader.op_type == "Conv") return {};
    if (std::string problem = window_problem(reader, total); !problem.empty()) return problem;
    return is_max ? max_pool_problem(m, reader, pads_lowest) : average_pool_problem(reader);
}

}  // namespace

PassBody fuse_pad() {
    const auto pad = op("Pad", {any("x")})
                         .more_inputs()
                         .named("pad")
                         .require(read_once(), "the padded value is also read elsewhere");
    const auto cast = op("Cast", {pad})
                          .named("cast")
                          .require(read_once(), "the converted value is also read elsewhere")
                          .require(is_float(), "the Cast gives no float");
    const auto window = op("Conv|AveragePool", {either({pad, cast})}).more_inputs().named("reader");
    const auto maximum = op("MaxPool", {pad}).named("reader");
    return {
        .rules = {
            {.pattern = either({window, maximum}),
             .rewrite = [](const Match& m, PassContext& context) {
                 const Node& reader = m.node("reader");
                 const Node& pad = m.node("pad");
                 std::string why;
                 const auto padding = padding_of(context, pad, m.scope().rank(m.value("x")), why);
                 if (!padding) return stopped_by(why);
                 const std::size_t spatial =
                     padding->begin.size() < 2 ? 0 : padding->begin.size() - 2;
                 if (spatial == 0) return declined("the padded value has no height or width");
                 std::vector<std::int64_t> total = reader.ints_attribute("pads");
                 if (total.empty() || reader.string_attribute("auto_pad", "NOTSET") == "VALID")
                     total.assign(2 * spatial, 0);
                 if (total.size() != 2 * spatial)
                     return declined("the pads of " + reader.op_type + " do not fit its input");
                 for (std::size_t i = 0; i < spatial; ++i) {
                     total[i] += padding->begin[i + 2];
                     total[i + spatial] += padding->end[i + 2];
                 }
                 if (std::string problem = reader_problem(m, reader, *padding, total);
                     !problem.empty())
                     return declined(problem);

                 std::vector<Attribute> attributes;
                 for (const Attribute& a : reader.attributes)
                     if (a.name != "pads" && a.name != "auto_pad" && a.name != "count_include_pad")
                         attributes.push_back(a);
                 attributes.push_back(attr("pads", total));
                 if (reader.op_type == "AveragePool")
                     attributes.push_back(attr("count_include_pad", 1));
                 std::vector<ValueId> inputs = reader.inputs;
                 const std::string op_type = reader.op_type;
                 inputs[0] = m.value("x");
                 if (m.has("cast"))
                     inputs[0] = context.node("Cast", {m.value("x")}, m.node("cast").attributes,
                                              m.node("cast").name);
                 context.replace(m.root(), op_type, inputs, attributes, m.nodes());
                 return applied("Pad went into the pads of " + op_type);
             }}}};
}

}  // namespace lapidary::passes
