// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/neural/einsum_equation.h"

#include <algorithm>
#include <string>

#include <lapidary/base/error.h>

namespace lapidary::reference {
namespace {

constexpr int ellipsis = -1;
constexpr int first_ellipsis_label = 256;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Letters of one term, `ellipsis` for "...".
std::vector<int> read_term(std::string_view term, std::string_view whole) {
    std::vector<int> labels;
    for (std::size_t i = 0; i < term.size(); ++i) {
        if (is_letter(term[i])) {
            labels.push_back(term[i]);
        } else if (term.substr(i, 3) == "...") {
            if (std::find(labels.begin(), labels.end(), ellipsis) != labels.end())
                fail_model("attribute equation: a term of " + quote(whole) + " has two ellipses");
            labels.push_back(ellipsis);
            i += 2;
        } else {
            fail_model("attribute equation: expected letters, commas, '...' and '->', found " +
                       quote(term.substr(i, 1)) + " in " + quote(whole));
        }
    }
    return labels;
}

/// `labels` with the ellipsis replaced by `count` axis labels, the last axis having the lowest.
std::vector<int> expand(const std::vector<int>& labels, std::int64_t count) {
    std::vector<int> result;
    for (const int label : labels) {
        if (label != ellipsis) result.push_back(label);
        else
            for (std::int64_t i = count; i-- > 0;)
                result.push_back(first_ellipsis_label + static_cast<int>(i));
    }
    return result;
}

}  // namespace

Shape EinsumEquation::output_shape() const {
    Shape shape;
    for (const int label : output) shape.push_back(sizes.at(label));
    return shape;
}

EinsumEquation read_equation(std::string_view text, const std::vector<Shape>& shapes) {
    std::string compact;
    std::copy_if(text.begin(), text.end(), std::back_inserter(compact),
                 [](char c) { return c != ' '; });
    const std::size_t arrow = compact.find("->");
    const std::string_view left = std::string_view(compact).substr(0, arrow);

    std::vector<std::vector<int>> terms;
    for (std::size_t begin = 0; begin <= left.size();) {
        const std::size_t end = std::min(left.find(',', begin), left.size());
        terms.push_back(read_term(left.substr(begin, end - begin), text));
        begin = end + 1;
    }
    if (terms.size() != shapes.size())
        fail_input("Einsum: the equation " + quote(text) + " has " + std::to_string(terms.size()) +
                   " terms for " + std::to_string(shapes.size()) + " inputs");

    EinsumEquation e;
    std::int64_t widest_ellipsis = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const bool has_ellipsis =
            std::find(terms[i].begin(), terms[i].end(), ellipsis) != terms[i].end();
        const auto letters = static_cast<std::int64_t>(terms[i].size()) - has_ellipsis,
                   rank = static_cast<std::int64_t>(shapes[i].size());
        if (has_ellipsis ? rank < letters : rank != letters)
            fail_input("Einsum: term " + std::to_string(i) + " of " + quote(text) +
                       " does not fit the shape " + to_string(shapes[i]));
        if (has_ellipsis) widest_ellipsis = std::max(widest_ellipsis, rank - letters);
        e.operands.push_back(expand(terms[i], rank - letters));
        for (std::size_t axis = 0; axis < shapes[i].size(); ++axis) {
            const std::int64_t size = shapes[i][axis];
            auto [entry, is_new] = e.sizes.try_emplace(e.operands[i][axis], size);
            if (is_new || entry->second == size || size == 1) continue;
            if (entry->second != 1)
                fail_input("Einsum: an axis of input " + std::to_string(i) + " " +
                           to_string(shapes[i]) + " has size " + std::to_string(size) + " where " +
                           quote(text) + " needs " + std::to_string(entry->second));
            entry->second = size;
        }
    }
    if (arrow != std::string::npos) {
        e.output =
            expand(read_term(std::string_view(compact).substr(arrow + 2), text), widest_ellipsis);
    } else {
        std::map<int, int> counts;
        for (const auto& labels : e.operands)
            for (const int label : labels) ++counts[label];
        e.output = expand({ellipsis}, widest_ellipsis);
        for (const auto& [label, count] : counts)
            if (label < first_ellipsis_label && count == 1) e.output.push_back(label);
    }
    for (std::size_t i = 0; i < e.output.size(); ++i) {
        if (!e.sizes.contains(e.output[i]))
            fail_model("attribute equation: an output label of " + quote(text) +
                       " is in no input term");
        if (std::find(e.output.begin(), e.output.begin() + static_cast<std::ptrdiff_t>(i),
                      e.output[i]) != e.output.begin() + static_cast<std::ptrdiff_t>(i))
            fail_model("attribute equation: an output label of " + quote(text) + " is repeated");
    }
    return e;
}

}  // namespace lapidary::reference
