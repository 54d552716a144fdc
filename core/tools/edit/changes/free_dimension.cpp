// SPDX-License-Identifier: Apache-2.0
#include "edit/changes/free_dimension.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>

#include "edit/changes/forget_shapes.h"
#include "edit/changes/port_changes.h"
#include "graph/copy_model.h"
#include "graph/lift_constants.h"
#include "ops/dimensions/dim_algebra.h"
#include "ops/geometry/reshape.h"

namespace lapidary {
namespace {

std::string target_text(const std::vector<std::int64_t>& target) {
    std::string text = "[";
    for (const std::int64_t size : target)
        text += (text.size() == 1 ? "" : ",") + std::to_string(size);
    return text + "]";
}

/// The constant that a value is, also where a Constant node writes it.
std::optional<Tensor> known_tensor(const Graph& graph, ValueId id) {
    const Value& value = graph.value(id);
    if (value.is_constant()) return value.constant;
    if (value.kind != ValueKind::node_output) return std::nullopt;
    return constant_of(graph.node(value.producer));
}

/// Mends the target of one Reshape whose input has a free dimension.
class ReshapeTarget {
public:
    /// `before`, `now`: shapes of the input with the dimension fixed at `size` and free.
    ReshapeTarget(const Node& node, std::vector<std::int64_t> target, Shape before,
                  SymbolicShape now, std::int64_t size, std::string name)
        : node_(node), target_(std::move(target)), before_(std::move(before)), now_(std::move(now)),
          size_(size), name_(std::move(name)) {}

    /// The mended target; nothing where it holds for every size.
    std::optional<std::vector<std::int64_t>> mended() const {
        const bool all_zero = node_.int_attribute("allowzero", 0) != 0;
        // The first dimension is a copy of the free one: the usual batch.
        if (!target_.empty() && !now_.empty() && now_[0].symbol() == name_ && target_[0] == size_ &&
            !all_zero)
            return with(0, 0);
        const Shape sizes = resolve_reshape(before_, target_, all_zero);
        // The old size stands in front, and -1 behind it takes what it should hold.
        if (!target_.empty() && target_[0] == size_ &&
            std::ranges::find(target_, -1) != target_.end()) {
            std::vector<std::int64_t> outer(sizes.begin(), sizes.end());
            outer[0] = -1;
            if (holds(outer)) return outer;
        }
        if (holds(target_)) return std::nullopt;
        std::optional<std::vector<std::int64_t>> found;
        for (std::size_t i = 0; i < target_.size(); ++i) {
            if (sizes[i] % size_ != 0 || (size_ == 1 && sizes[i] != 1 && i != 0)) continue;
            std::vector<std::int64_t> tried(sizes.begin(), sizes.end());
            tried[i] = -1;
            if (!holds(tried)) continue;
            if (found) {
                if (size_ == 1) break;  // the outermost is where a batch stands
                refuse(": more than one of its numbers can be the one");
            }
            found = std::move(tried);
        }
        if (!found) refuse("");
        return found;
    }

private:
    std::vector<std::int64_t> with(std::size_t at, std::int64_t value) const {
        std::vector<std::int64_t> changed = target_;
        changed[at] = value;
        return changed;
    }

    /// Whether the target fits every size of the free dimension.
    bool holds(const std::vector<std::int64_t>& target) const {
        const bool all_zero = node_.int_attribute("allowzero", 0) != 0;
        Dim others(1);
        bool infers = false;
        for (std::size_t i = 0; i < target.size(); ++i) {
            if (target[i] == -1) infers = true;
            else if (target[i] == 0 && !all_zero) {
                if (i >= now_.size()) return false;
                others = multiply(others, now_[i]);
            } else others = multiply(others, Dim(target[i]));
        }
        const Dim all = product(now_);
        if (!infers) return surely_equal(all, others);
        return exact_divide(all, others).has_value();
    }

    [[noreturn]] void refuse(const std::string& why) const {
        fail_input(node_.describe() + " reshapes " + to_string(now_) + " to " +
                   target_text(target_) + ", and it cannot be derived where " + quote(name_) +
                   " stands in the result" + why + "; change its target first");
    }

    const Node& node_;
    std::vector<std::int64_t> target_;
    Shape before_;
    SymbolicShape now_;
    std::int64_t size_;
    std::string name_;
};

/// Whether a dimension is an expression over this name, which may be a part of other names.
bool has_symbol(const SymbolicShape& shape, const std::string& name) {
    const auto is_part_of_name = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    return std::ranges::any_of(shape, [&](const Dim& dim) {
        const std::string& text = dim.symbol();
        for (std::size_t at = text.find(name); at != std::string::npos;
             at = text.find(name, at + 1)) {
            const std::size_t end = at + name.size();
            if ((at == 0 || !is_part_of_name(text[at - 1])) &&
                (end == text.size() || !is_part_of_name(text[end])))
                return true;
        }
        return false;
    });
}

/// Old shapes of what Reshapes read, where all sizes are known.
std::map<NodeId, Shape> shapes_before(const Graph& graph) {
    std::map<NodeId, Shape> shapes;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (node.op_type != "Reshape" || !node.domain.empty() || node.inputs.size() < 2 ||
            !node.inputs[0] || !node.inputs[1])
            continue;
        if (const Type& type = graph.value(node.inputs[0]).type; type.is_static())
            shapes[id] = Shape(type.static_shape());
    }
    return shapes;
}

/// Types of the model as far as they are valid: a Reshape that is not mended yet may be a fault.
void infer_as_far_as_valid(Model& model, const Progress& progress) {
    try {
        infer_types(model, {}, progress);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::invalid_model) throw;
    }
}

/// Why the model is not valid where the free dimension has this size; nothing: it may be valid.
/// Other inputs of the old size get an unknown one: they may be freed by a later edit.
std::optional<std::string> fault_at(const Model& model, const std::string& name, std::int64_t old,
                                    std::int64_t size, const Progress& progress) {
    Model tried = copy_model(model, progress.cancel);
    const Graph& graph = tried.graph;
    GraphEdit edit(tried.graph, "edit");
    for (const ValueId id : std::vector<ValueId>(graph.inputs().begin(), graph.inputs().end())) {
        Type type = graph.value(id).type;
        if (!type.is_tensor() || !type.shape || graph.value(id).constant) continue;
        for (Dim& dim : *type.shape)
            if (dim.symbol() == name) dim = Dim(size);
            else if (dim.is_known() && dim.value() == old) dim = Dim();
        edit.set_type(id, type);
    }
    forget_shapes(edit);
    edit.finish();
    try {
        infer_types(tried, {}, progress);
    } catch (const Error& error) {
        // Other errors say nothing about the size.
        if (error.code() == ErrorCode::cancelled) throw;
        if (error.code() != ErrorCode::invalid_model) return std::nullopt;
        return (error.where().empty() ? "" : error.where().back() + ": ") + error.message();
    }
    return std::nullopt;
}

/// Refuses a dimension that has to keep its size, such as the one that a weight is multiplied
/// with. One size that nodes do not take is no proof: some models need multiples of a number.
void require_is_free(const Model& model, const std::string& name, std::int64_t old,
                     const Progress& progress) {
    const std::int64_t next = old + 1, twice = std::max<std::int64_t>(2 * old, 2);
    const std::optional<std::string> fault = fault_at(model, name, old, next, progress);
    if (fault && fault_at(model, name, old, twice, progress) &&
        !fault_at(model, name, old, old, progress))
        fail_input("the size " + std::to_string(old) + " is fixed by the model: with " +
                   std::to_string(next) + ", " + *fault);
}

}  // namespace

std::vector<std::string> free_dimension(Model& model, const std::string& input, std::int64_t axis,
                                        const std::string& name, const Progress& progress) {
    const Dim free = dim_from_name(name);
    if (!free.is_symbolic())
        fail_input(quote(name) + " is no name of a dimension, expected one such as batch");
    Model changed = copy_model(model, progress.cancel);
    const Graph& graph = changed.graph;
    const ValueId id = find_port(graph, input, false);
    Type type = graph.value(id).type;
    const auto rank = static_cast<std::int64_t>(type.shape ? type.shape->size() : 0);
    if (axis < -rank || axis >= rank)
        fail_input("input " + quote(input) + ", " + to_string(type) + ", has no dimension " +
                   std::to_string(axis));
    Dim& dim = (*type.shape)[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)];
    const std::int64_t size = dim.value();
    if (graph.value(id).constant && dim.is_known())
        fail_input("input " + quote(input) + " has a default, whose sizes are fixed");
    dim = free;

    const std::map<NodeId, Shape> before = shapes_before(graph);
    std::vector<std::string> mended;
    GraphEdit edit(changed.graph, "edit");
    edit.set_type(id, type);
    forget_shapes(edit);
    edit.finish();
    infer_as_far_as_valid(changed, progress);
    const std::vector<NodeId> nodes(graph.nodes().begin(), graph.nodes().end());
    for (const NodeId node_id : nodes) {
        const auto shape = before.find(node_id);
        if (shape == before.end() || size < 1) continue;
        const Node node = graph.node(node_id);
        const Type& read = graph.value(node.inputs[0]).type;
        const auto target = known_tensor(graph, node.inputs[1]);
        if (!target || !read.shape || !has_symbol(*read.shape, free.symbol())) continue;
        const ReshapeTarget reshape(node, to_int64s(*target), shape->second, *read.shape, size,
                                    free.symbol());
        const auto better = reshape.mended();
        if (!better) continue;
        const ValueId constant = edit.add_initializer(
            edit.fresh_name(graph.value(node.inputs[1]).name),
            Tensor::of<std::int64_t>({static_cast<std::int64_t>(better->size())}, *better));
        edit.set_input(node_id, 1, constant);
        const Value& old = graph.value(node.inputs[1]);
        if (old.is_constant() && old.is_unused()) edit.erase_value(old.id);
        mended.push_back(node.describe() + " reshapes to " + target_text(*better) +
                         " in place of " + target_text(to_int64s(*target)) + ".");
        forget_shapes(edit);
        edit.finish();
        infer_as_far_as_valid(changed, progress);
    }
    if (edit.has_unrecorded()) edit.record("freed a dimension of " + quote(input));
    infer_types(changed, {}, progress);
    if (size >= 0) require_is_free(changed, free.symbol(), size, progress);
    model = std::move(changed);
    return mended;
}

}  // namespace lapidary
