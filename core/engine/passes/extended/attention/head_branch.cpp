// SPDX-License-Identifier: Apache-2.0
#include "passes/extended/attention/head_branch.h"

#include <algorithm>

#include "base/at.h"
#include "ops/dimensions/dim_algebra.h"

namespace lapidary::attention {
namespace {

/// A product with constant weights that writes `value`.
struct Product {
    ValueId input, bias;
    double bias_factor = 1;
    Projection projection;
};

std::optional<Product> product_at(const Scope& scope, ValueId value) {
    const Node* node = scope.producer(value);
    if (!node || node->inputs.size() < 2) return std::nullopt;
    const bool gemm = node->op_type == "Gemm" && node->domain.empty();
    const bool fused = node->op_type == "FusedMatMul" && node->domain == "com.microsoft";
    if (!gemm && !fused && !(node->op_type == "MatMul" && node->domain.empty()))
        return std::nullopt;
    Product p;
    p.input = node->inputs[0];
    p.projection.product = node->id;
    p.projection.weight = scope.constant(node->inputs[1]);
    if (!p.projection.weight || p.projection.weight->rank() != 2 ||
        node->int_attribute("transA", 0) != 0)
        return std::nullopt;
    if (fused &&
        (node->int_attribute("transBatchA", 0) != 0 || node->int_attribute("transBatchB", 0) != 0))
        return std::nullopt;
    if (gemm || fused) {
        p.projection.transposed = node->int_attribute("transB", 0) != 0;
        p.projection.alpha = node->float_attribute("alpha", 1.0f);
    }
    if (gemm && node->inputs.size() > 2 && node->inputs[2]) {
        p.bias = node->inputs[2];
        p.bias_factor = node->float_attribute("beta", 1.0f);
    }
    return p;
}

class BranchWalk {
public:
    BranchWalk(PassContext& context, ValueId operand, HeadLayout layout, Branch& branch)
        : context_(context), scope_(context.scope()), value_(operand), layout_(std::move(layout)),
          branch_(branch) {}

    std::string run() {
        for (int steps = 0; steps < 64; ++steps) {
            note();
            if (auto product = product_at(scope_, value_)) {
                project(*product);
                break;
            }
            if (take_bias() || take_past()) continue;
            if (!problem_.empty()) return problem_;
            const Step step = step_up(context_, value_, layout_, scale_);
            if (step == Step::moved) continue;
            if (step == Step::failed && !branch_.flat && !branch_.split)
                return "the " + branch_.name + " branch cannot be followed through " +
                       scope_.producer(value_)->describe() + ", where the axes are " +
                       layout_.text();
            break;
        }
        return finish();
    }

private:
    void note() {
        if (layout_.split_heads(2) && scale_ == 1 && !branch_.join)
            branch_.all_rows.push_back(value_);
        // [batch x heads, rows, items] is taken for one flat head, until the heads are found.
        const auto heads = layout_.flat_heads(true);
        if (heads && (!branch_.flat || *heads > flat_heads_)) {
            branch_.flat = value_;
            branch_.flat_scale = scale_;
            flat_layout_ = layout_;
            flat_heads_ = *heads;
        } else if (!branch_.split && layout_.split_heads(1)) {
            branch_.split = value_;
            branch_.split_scale = scale_;
            split_layout_ = layout_;
        }
    }

    /// A constant row added before the heads are split.
    bool take_bias() {
        const Node* node = scope_.producer(value_);
        if (!node || node->op_type != "Add" || !node->domain.empty() || bias_) return false;
        for (std::size_t i = 0; i < 2; ++i) {
            if (scope_.rank(node->inputs[1 - i]) != scope_.rank(value_) ||
                scope_.dim(node->inputs[1 - i], -1) != scope_.dim(value_, -1))
                continue;
            if (!add_bias(node->inputs[i], 1)) continue;
            value_ = node->inputs[1 - i];
            return true;
        }
        return false;
    }

    bool add_bias(ValueId value, double factor) {
        const std::vector<double> row = constant_row(scope_, value, scope_.dim(value_, -1));
        const auto heads = layout_.heads_on_last_axis();
        if (row.empty() || !heads) return false;
        const auto columns = layout_.columns(*heads);
        if (!columns) return false;
        bias_.emplace();
        for (std::int64_t c : *columns) bias_->push_back(at(row, c) * factor);
        bias_scale_ = scale_;
        return true;
    }

    /// Concat(past, new) along the rows.
    bool take_past() {
        const Node* node = scope_.producer(value_);
        if (!node || node->op_type != "Concat" || !node->domain.empty() || branch_.name == "Q")
            return false;
        std::int64_t axis = node->int_attribute("axis", 0);
        if (axis < 0) axis += static_cast<std::int64_t>(layout_.axes().size());
        if (branch_.join || node->inputs.size() != 2 || !layout_.is_row_axis(axis)) return false;
        const auto rows_of = [&](std::size_t i) -> Dim {
            const auto& shape = scope_.type(node->inputs[i]).shape;
            return shape && axis < static_cast<std::int64_t>(shape->size()) ? at(*shape, axis)
                                                                            : Dim();
        };
        if (rows_of(0).is_unknown() || rows_of(1).is_unknown()) {
            problem_ = "the number of cached rows in " + node->describe() + " is not known";
            return false;
        }
        branch_.join = node->id;
        branch_.scale_at_join = scale_;
        if (layout_.split_heads(2)) branch_.all_rows.assign(1, value_);
        else branch_.all_rows.clear();
        follow_past(node->inputs[0], layout_.with_rows(rows_of(0)));
        value_ = node->inputs[1];
        layout_ = layout_.with_rows(rows_of(1));
        return true;
    }

    void follow_past(ValueId value, HeadLayout layout) {
        double scale = 1;
        for (int steps = 0; steps < 16 && layout.ok(); ++steps) {
            if (layout.split_heads(2)) branch_.past = value;
            if (const auto half = layout.half_of_pair()) {
                branch_.packed_past = value;
                branch_.half = *half;
                return;
            }
            if (step_up(context_, value, layout, scale) != Step::moved || scale != 1) return;
        }
    }

    void project(const Product& product) {
        Projection& p = branch_.projection;
        p = product.projection;
        const auto heads = layout_.heads_on_last_axis();
        const auto columns = heads ? layout_.columns(*heads) : std::nullopt;
        if (!columns) return;
        if (product.bias && (bias_ || !add_bias(product.bias, product.bias_factor))) return;
        branch_.has_projection = true;
        p.columns = *columns;
        p.read = product.input;
        branch_.heads = *heads;
        if (bias_) {
            if (bias_scale_ != scale_)
                for (double& b : *bias_) b *= bias_scale_ / scale_;
            p.bias = *bias_;
        }
        if (!scope_.type(product.input).shape) {
            p.problem =
                "the shape of what " + scope_.node(p.product).describe() + " reads is not known";
            return;
        }
        HeadLayout source = layout_.before_projection(scope_.type(product.input).shape->back());
        ValueId value = product.input;
        double scale = 1;
        for (int steps = 0; steps < 8; ++steps) {
            if (source.flat_heads(true)) {
                p.source = value;
                branch_.batch = source.size_of(Role::outer);
                return;
            }
            ValueId next = value;
            HeadLayout before = source;
            if (step_up(context_, next, before, scale) != Step::moved || scale != 1 ||
                before.axes().size() > 4)
                break;
            value = next;
            source = before;
        }
        p.problem = "the rows that " + scope_.node(p.product).describe() + " reads lie as " +
                    layout_.text() + ", needs [batch, rows, features]";
    }

    std::string finish() {
        branch_.scale = scale_;
        branch_.rows = layout_.size_of(Role::row);
        const std::int64_t split_heads =
            branch_.split ? split_layout_.split_heads(1).value_or(0) : 0;
        if (!branch_.has_projection)
            branch_.heads = std::max(branch_.flat ? flat_heads_ : 0, split_heads);
        if (branch_.flat && flat_heads_ != branch_.heads) branch_.flat = {};
        if (branch_.split && split_heads != branch_.heads) branch_.split = {};
        const HeadLayout* known = branch_.flat    ? &flat_layout_
                                  : branch_.split ? &split_layout_
                                                  : nullptr;
        if (!known && !branch_.has_projection)
            return "the " + branch_.name + " branch ends at " +
                   (scope_.producer(value_) ? scope_.producer(value_)->describe()
                                            : "the value " + scope_.value(value_).name) +
                   " with the axes " + layout_.text() +
                   ", expected [batch, rows, heads x items] before the heads are split";
        if (branch_.join && branch_.scale_at_join != scale_)
            return "the new rows of " + branch_.name +
                   " are scaled before they join the cached ones";
        if (!branch_.batch.is_known() && !branch_.batch.is_symbolic()) {
            const auto whole =
                exact_divide((known ? *known : layout_).size_of(Role::outer), branch_.heads);
            if (!whole) return "the batch of the " + branch_.name + " branch is not known";
            branch_.batch = *whole;
        }
        const Dim items = layout_.size_of(Role::item);
        if (!items.is_known() || branch_.heads < 1)
            return "the head size of the " + branch_.name + " branch is not known";
        branch_.size = items.value();
        return {};
    }

    PassContext& context_;
    const Scope& scope_;
    ValueId value_;
    HeadLayout layout_, flat_layout_, split_layout_;
    Branch& branch_;
    std::int64_t flat_heads_ = 0;
    double scale_ = 1, bias_scale_ = 1;
    std::optional<std::vector<double>> bias_;
    std::string problem_;
};

}  // namespace

std::string follow_branch(PassContext& context, ValueId operand, bool last_two_swapped,
                          Branch& branch) {
    const auto& shape = context.scope().type(operand).shape;
    if (!shape) return "the rank of the " + branch.name + " operand is not known";
    HeadLayout layout(*shape, last_two_swapped);
    if (!layout.ok())
        return "the shape " + to_string(*shape) + " of the " + branch.name +
               " operand is not known well enough";
    return BranchWalk(context, operand, std::move(layout), branch).run();
}

}  // namespace lapidary::attention
