// SPDX-License-Identifier: Apache-2.0
#include "ops/inference/inference_session.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "ops/dimensions/dim_algebra.h"

namespace lapidary {
InferenceSession::InferenceSession(const Model& the_model, const Progress& the_progress)
    : model(the_model), progress(the_progress), functions(the_model) {}

Dim InferenceSession::fresh_dim(std::string_view hint) {
    std::size_t& count = hint_counts_[std::string(hint)];
    std::string name;
    do {
        name = std::string(hint) + "_" + std::to_string(count++);
    } while (reserved_.contains(name) || fresh_names_.contains(name));
    fresh_names_.emplace(name, fresh_names_.size());
    return Dim::symbolic(std::move(name));
}

std::vector<std::string> InferenceSession::fresh_names() const {
    std::vector<std::string> names;
    for (const auto& [name, order] : fresh_names_) names.push_back(name);
    return names;
}

bool InferenceSession::made_since(const Dim& dim, std::size_t mark) const {
    if (!dim.is_symbolic() || fresh_names_.size() == mark) return false;
    const std::vector<std::string> names = names_in(dim);
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        const auto found = fresh_names_.find(name);
        return found != fresh_names_.end() && found->second >= mark;
    });
}

bool InferenceSession::is_fresh_since(const Dim& dim, std::size_t mark) const {
    if (!dim.is_symbolic()) return false;
    const auto found = fresh_names_.find(dim.symbol());
    return found != fresh_names_.end() && found->second >= mark;
}

void InferenceSession::reserve_names(const Type& declared) {
    if (!declared.shape) return;
    for (const Dim& dim : *declared.shape) {
        if (dim.is_symbolic()) reserved_.insert(dim.symbol());
    }
}

void InferenceSession::take_names(const Type& input) {
    if (!input.shape) return;
    for (const Dim& dim : *input.shape)
        if (dim.is_symbolic())
            for (std::string& name : names_in(dim)) taken_.insert(std::move(name));
}

Dim InferenceSession::named(const Dim& fresh, const Dim& declared) {
    if (const auto given = given_names_.find(fresh.symbol()); given != given_names_.end())
        return Dim::symbolic(given->second);
    if (!declared.is_symbolic() ||
        names_in(declared) != std::vector<std::string>{declared.symbol()} ||
        dimension_values.contains(declared.symbol()) || !taken_.insert(declared.symbol()).second)
        return fresh;
    given_names_.emplace(fresh.symbol(), declared.symbol());
    return declared;
}

void InferenceSession::warn(std::string where, std::string message) {
    constexpr std::size_t most = 1000;
    if (warnings.size() < most) warnings.push_back({std::move(where), std::move(message)});
}

void InferenceSession::warn_unknown_operator(const Node& node, const std::string& where,
                                             std::string message) {
    // The reader already reports operators that are in no opset.
    const std::string reported = "operator " + quote(node.qualified_op()) + " is";
    const bool known =
        std::any_of(model.warnings.begin(), model.warnings.end(),
                    [&](const Warning& w) { return w.message.starts_with(reported); });
    if (reported_operators_.insert(node.qualified_op()).second && !known)
        warn(where, std::move(message));
}

void InferenceSession::count_node() {
    if (++nodes_ % 1024 == 0) progress.cancel.throw_if_cancelled();
}

}  // namespace lapidary
