// SPDX-License-Identifier: Apache-2.0
#include "patterns/match.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "patterns/pattern_body.h"

namespace lapidary::pattern {

using Body = Pattern::Body;
using Kind = Body::Kind;

const Match::Binding* Match::find(std::string_view name) const {
    for (const Binding& b : bindings_)
        if (*b.name == name) return &b;
    return nullptr;
}
NodeId Match::node_id(std::string_view name) const {
    const Binding* b = find(name);
    if (!b || !b->node) fail(ErrorCode::internal, "pattern: no node is bound to " + quote(name));
    return b->node;
}
ValueId Match::value(std::string_view name) const {
    const Binding* b = find(name);
    if (!b) fail(ErrorCode::internal, "pattern: no value is bound to " + quote(name));
    return b->value;
}
const Tensor& Match::constant(std::string_view name) const {
    const Tensor* t = scope_->constant(value(name));
    if (!t) fail(ErrorCode::internal, "pattern: " + quote(name) + " is no constant");
    return *t;
}
const Tensor* Match::constant_or_null(std::string_view name) const {
    return has(name) ? scope_->constant(value(name)) : nullptr;
}
bool Match::contains(NodeId id) const { return std::ranges::find(nodes_, id) != nodes_.end(); }
bool Match::is_internal(ValueId value) const {
    const Value& v = scope_->value(value);
    return v.output_uses == 0 && v.captured_by.empty() &&
           std::ranges::all_of(v.uses, [&](const Use& u) { return contains(u.node); });
}

namespace {

bool accepts(const Operator& o, const Node& node) {
    return o.op_type == "*" || (o.op_type == node.op_type && o.domain == node.domain);
}
bool accepts(const Body& body, const Node& node) {
    return std::ranges::any_of(body.operators, [&](const Operator& o) { return accepts(o, node); });
}

std::string source_text(const Scope& scope, ValueId id) {
    if (!id) return "omitted";
    const Value& v = scope.value(id);
    switch (v.kind) {
    case ValueKind::node_output: return "computed by " + scope.node(v.producer).describe();
    case ValueKind::input: return "the graph input " + quote(v.name);
    case ValueKind::initializer: return "the constant " + quote(v.name);
    default: return "the outer value " + quote(v.name);
    }
}

std::string expected_text(const Body& b) {
    switch (b.kind) {
    case Kind::any: return "a value";
    case Kind::constant: return b.name.empty() ? "a constant" : "a constant (" + b.name + ")";
    case Kind::scalar:
        if (!b.scalar_value) return "a constant of one element";
        {
            std::string text = std::to_string(*b.scalar_value);
            text.erase(text.find_last_not_of('0') + 1);
            if (text.ends_with('.')) text.pop_back();
            return "the constant " + text;
        }
    case Kind::absent: return "no input";
    case Kind::maybe: return expected_text(b.children[0].body());
    case Kind::either: {
        std::string text;
        for (const Pattern& p : b.children) {
            const std::string one = expected_text(p.body());
            if (text.find(one) == std::string::npos) text += (text.empty() ? "" : " or ") + one;
        }
        return text;
    }
    case Kind::op: return b.operators_text;
    }
    return {};
}

}  // namespace

/// Backtracking search; continuations carry what is still to be matched.
class Search {
public:
    Search(const Scope& scope, bool explain, int total)
        : scope_(scope), match_(scope), explain_(explain), total_(total) {}

    bool at_root(const Pattern& pattern, NodeId root) {
        const Body& b = pattern.body();
        if (b.kind == Kind::either)
            return std::ranges::any_of(b.children,
                                       [&](const Pattern& p) { return at_root(p, root); });
        const Node& node = scope_.node(root);
        if (b.kind != Kind::op || !accepts(b, node)) return false;
        const ValueId value = b.output < node.outputs.size() ? node.outputs[b.output] : ValueId{};
        return op_at(b, node, value, [&] { return others_from(b, 0); });
    }

    Match take() { return std::move(match_); }
    std::optional<Failure> best;

private:
    using Next = std::function<bool()>;

    template <typename Text>
    bool miss(Text&& text, bool weak = false) {
        const std::size_t reached = match_.nodes_.size();
        if (!explain_ || (best && (best->conditions_only || best->nodes.size() > reached ||
                                   (best->nodes.size() == reached && (weak || !best_is_weak_)))))
            return false;
        best_is_weak_ = weak;
        best = Failure{text(),
                       std::max(1, total_ - static_cast<int>(match_.nodes_.size())),
                       {match_.nodes_.begin(), match_.nodes_.end()},
                       false};
        return false;
    }

    /// Nodes that may match, found from a value that is bound already, in the order of its readers.
    std::vector<NodeId> candidates(const Body& b) const {
        if (b.kind == Kind::maybe) return candidates(b.children[0].body());
        std::vector<NodeId> found;
        const auto add_readers = [&](ValueId value) {
            if (!value) return;
            for (const Use& use : scope_.value(value).uses)
                if (accepts(b, scope_.node(use.node)) &&
                    std::ranges::find(found, use.node) == found.end())
                    found.push_back(use.node);
        };
        for (const Pattern& child : b.children) {
            const Body& input =
                child.body().kind == Kind::maybe ? child.body().children[0].body() : child.body();
            if (const Match::Binding* known =
                    input.name.empty() ? nullptr : match_.find(input.name))
                add_readers(known->value);
            else if (input.kind == Kind::op)
                for (const NodeId node : candidates(input))
                    for (const ValueId output : scope_.node(node).outputs) add_readers(output);
            if (!found.empty()) break;
        }
        return found;
    }

    bool others_from(const Body& root, std::size_t index) {
        if (index == root.others.size()) return conditions();
        const Body& other = root.others[index].body();
        for (const NodeId id : candidates(other)) {
            const Node& node = scope_.node(id);
            if (match_.contains(id) || other.output >= node.outputs.size() ||
                !node.outputs[other.output])
                continue;
            if (op_at(other, node, node.outputs[other.output],
                      [&, index] { return others_from(root, index + 1); }))
                return true;
        }
        return miss([&] {
            return "nothing else that reads a matched value is " + other.operators_text +
                   " as the pattern has it";
        });
    }

    bool conditions() {
        std::string first;
        int failed = 0;
        for (const auto& [body, value, node] : pending_) {
            for (const Condition& c : body->require) {
                std::string reason =
                    c.check({match_, scope_, value, node ? &scope_.node(node) : nullptr});
                if (reason.empty()) continue;
                if (!explain_) return false;
                if (failed++ == 0) first = std::move(reason);
            }
        }
        if (failed == 0) return true;
        if (!best || !best->conditions_only || best->shortfall > failed)
            best = Failure{
                std::move(first), failed, {match_.nodes_.begin(), match_.nodes_.end()}, true};
        return false;
    }

    bool bound(const Body& b, ValueId value, NodeId node, const Next& next) {
        const bool has_name = !b.name.empty();
        if (has_name) match_.bindings_.push_back({&b.name, value, node});
        if (!b.require.empty()) pending_.push_back({&b, value, node});
        if (next()) return true;
        if (!b.require.empty()) pending_.pop_back();
        if (has_name) match_.bindings_.pop_back();
        return false;
    }

    bool value_at(const Pattern& pattern, ValueId value, const Node& reader, std::size_t input,
                  const Next& next) {
        const Body& b = pattern.body();
        const auto mismatch = [&] {
            return miss(
                [&] {
                    return "input " + std::to_string(input) + " of " + reader.describe() + " is " +
                           source_text(scope_, value) + ", expected " + expected_text(b);
                },
                b.operators_text == "Cast" ||
                    b.operators_text == "Identity or Cast");  // an optional wrapper says least
        };
        if (b.kind == Kind::either) {
            for (const Pattern& p : b.children)
                if (value_at(p, value, reader, input, next)) return true;
            return false;
        }
        if (b.kind == Kind::maybe)
            return value ? value_at(b.children[0], value, reader, input, next) : next();
        if (b.kind == Kind::absent) return value ? mismatch() : next();
        if (!value) return mismatch();
        if (!b.name.empty()) {
            if (const Match::Binding* known = match_.find(b.name)) {
                if (known->value == value) return next();
                return miss([&] {
                    return "input " + std::to_string(input) + " of " + reader.describe() + " is " +
                           source_text(scope_, value) +
                           ", expected the same value as elsewhere in the pattern (" +
                           quote(scope_.value(known->value).name) + ")";
                });
            }
        }
        switch (b.kind) {
        case Kind::any: return bound(b, value, {}, next);
        case Kind::constant: return scope_.constant(value) ? bound(b, value, {}, next) : mismatch();
        case Kind::scalar: {
            const Tensor* t = scope_.constant(value);
            const bool fits =
                b.scalar_value ? scalar_equals(t, *b.scalar_value) : scalar_of(t).has_value();
            return fits ? bound(b, value, {}, next) : mismatch();
        }
        default: break;
        }
        const Node* node = scope_.producer(value);
        if (!node || !accepts(b, *node) || scope_.value(value).producer_output != b.output)
            return mismatch();
        return op_at(b, *node, value, next);
    }

    bool op_at(const Body& b, const Node& node, ValueId value, const Next& next) {
        if (node.version < b.least_version || node.version > b.most_version)
            return miss([&] {
                return node.describe() + " is of opset " + std::to_string(node.version) +
                       ", needs " + std::to_string(b.least_version) +
                       (b.most_version < (1 << 20) ? " to " + std::to_string(b.most_version)
                                                   : " or later");
            });
        for (const Condition& c : b.where) {
            std::string reason = c.check({match_, scope_, value, &node});
            if (!reason.empty()) return miss([&] { return node.describe() + ": " + reason; });
        }
        if (!b.more_inputs)
            for (std::size_t i = b.children.size(); i < node.inputs.size(); ++i)
                if (node.inputs[i])
                    return miss([&] {
                        return node.describe() + " has an input " + std::to_string(i) +
                               ", expected at most " + std::to_string(b.children.size());
                    });
        const bool again = match_.contains(node.id);
        if (!again) match_.nodes_.push_back(node.id);
        const bool done = bound(b, value, node.id, [&] {
            if (inputs_from(b, node, 0, false, next)) return true;
            return b.commutative && inputs_from(b, node, 0, true, next);
        });
        if (!done && !again) match_.nodes_.pop_back();
        return done;
    }

    bool inputs_from(const Body& b, const Node& node, std::size_t child, bool swapped,
                     const Next& next) {
        if (child == b.children.size()) return next();
        const std::size_t input = swapped && child < 2 ? 1 - child : child;
        const ValueId value = input < node.inputs.size() ? node.inputs[input] : ValueId{};
        return value_at(b.children[child], value, node, input, [&, child, swapped] {
            return inputs_from(b, node, child + 1, swapped, next);
        });
    }

    struct Pending {
        const Body* body;
        ValueId value;
        NodeId node;
    };
    const Scope& scope_;
    Match match_;
    std::vector<Pending> pending_;
    bool explain_;
    bool best_is_weak_ = false;
    int total_;
};

std::optional<Match> match_at(const Pattern& pattern, const Scope& scope, NodeId root,
                              std::optional<Failure>* failure) {
    if (!can_root(pattern, scope.node(root))) return std::nullopt;
    Search search(scope, failure != nullptr, pattern.body().operator_count);
    if (search.at_root(pattern, root)) return search.take();
    if (failure) *failure = std::move(search.best);
    return std::nullopt;
}

bool can_root(const Pattern& pattern, const Node& node) {
    const Body& b = pattern.body();
    if (b.kind == Kind::either)
        return std::ranges::any_of(b.children, [&](const Pattern& p) { return can_root(p, node); });
    return b.kind == Kind::op && accepts(b, node);
}

int operator_count(const Pattern& pattern) { return pattern.body().operator_count; }

}  // namespace lapidary::pattern
