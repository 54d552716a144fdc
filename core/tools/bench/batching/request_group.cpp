// SPDX-License-Identifier: Apache-2.0
#include "bench/batching/request_group.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <optional>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

/// True if an expression like "2*batch + 1" contains the dimension.
bool mentions(const std::string& expression, const std::string& name) {
    const auto is_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    };
    for (std::size_t at = expression.find(name); at != std::string::npos;
         at = expression.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || !is_word(expression[at - 1])) &&
            (end == expression.size() || !is_word(expression[end])))
            return true;
    }
    return false;
}

/// The axis whose size is the batch; nothing: none. Throws not_supported when it cannot be
/// determined.
std::optional<std::size_t> batch_axis(const Value& value, const char* what,
                                      const std::vector<std::string>& batch_names) {
    const std::string place = std::string(what) + " " + quote(value.name);
    if (!value.type.is_tensor())
        fail_unsupported(place + " is " + to_string(value.type) +
                         ": only tensors can be joined along the batch");
    if (!value.type.shape)
        fail_unsupported(
            place + " has an unknown number of dimensions: where its batch stands is not known");
    std::optional<std::size_t> axis;
    for (std::size_t i = 0; i < value.type.shape->size(); ++i) {
        const Dim& dim = (*value.type.shape)[i];
        if (!dim.is_symbolic()) continue;
        const bool is_batch = std::ranges::find(batch_names, dim.symbol()) != batch_names.end();
        const bool holds_batch = std::ranges::any_of(
            batch_names, [&](const std::string& name) { return mentions(dim.symbol(), name); });
        if (is_batch && axis)
            fail_unsupported(place + " is " + to_string(value.type) +
                             ": the batch stands in it twice");
        if (!is_batch && holds_batch)
            fail_unsupported(place + " is " + to_string(value.type) +
                             ": rows of several requests are mixed in " + quote(dim.symbol()));
        if (is_batch) axis = i;
    }
    return axis;
}

/// A tensor as blocks of the batch axis: `outer` times the axis times `inner` elements.
struct Blocks {
    std::int64_t outer = 1, inner = 1;
    Blocks(const Shape& shape, std::size_t axis) {
        for (std::size_t i = 0; i < axis; ++i) outer *= shape[i];
        for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
    }
};

void copy_elements(Tensor& to, std::int64_t to_first, const Tensor& from, std::int64_t from_first,
                   std::int64_t count) {
    if (to.dtype() == DType::string) {
        std::copy_n(from.data<std::string>().begin() + from_first, count,
                    to.mutable_data<std::string>().begin() + to_first);
        return;
    }
    if (from.size() == 0 || count == 0) return;
    const std::size_t size = from.byte_size() / static_cast<std::size_t>(from.size());
    std::memcpy(
        static_cast<std::byte*>(to.mutable_raw()) + static_cast<std::size_t>(to_first) * size,
        static_cast<const std::byte*>(from.raw()) + static_cast<std::size_t>(from_first) * size,
        static_cast<std::size_t>(count) * size);
}

Tensor joined(const std::vector<const Tensor*>& parts, std::size_t axis) {
    Shape shape = parts.front()->shape();
    shape[axis] = 0;
    for (const Tensor* part : parts) shape[axis] += part->dim(axis);
    Tensor whole(parts.front()->dtype(), shape);
    const Blocks blocks(shape, axis);
    std::int64_t first = 0;
    for (const Tensor* part : parts) {
        const std::int64_t rows = part->dim(axis);
        for (std::int64_t o = 0; o < blocks.outer; ++o)
            copy_elements(whole, (o * shape[axis] + first) * blocks.inner, *part,
                          o * rows * blocks.inner, rows * blocks.inner);
        first += rows;
    }
    return whole;
}

Tensor part_of(const Tensor& whole, std::size_t axis, std::int64_t first, std::int64_t rows) {
    Shape shape = whole.shape();
    shape[axis] = rows;
    Tensor part(whole.dtype(), shape);
    const Blocks blocks(shape, axis);
    for (std::int64_t o = 0; o < blocks.outer; ++o)
        copy_elements(part, o * rows * blocks.inner, whole,
                      (o * whole.dim(axis) + first) * blocks.inner, rows * blocks.inner);
    return part;
}

}  // namespace

BatchAxes::BatchAxes(const Graph& graph, const std::vector<std::string>& batch_names) {
    if (batch_names.empty())
        fail_unsupported(
            "the model has no free batch dimension: all inputs begin with a fixed one, so requests "
            "cannot be joined");
    for (const ValueId id : graph.inputs()) {
        const Value& input = graph.value(id);
        if (input.constant) continue;
        if (is_packed(input.type.dtype))
            fail_unsupported("input " + quote(input.name) +
                             " has elements of less than a byte: rows of it cannot be joined");
        if (const auto axis = batch_axis(input, "input", batch_names)) inputs_[input.name] = *axis;
    }
    for (const ValueId id : graph.outputs()) {
        const Value& output = graph.value(id);
        const auto axis = batch_axis(output, "output", batch_names);
        if (!axis || is_packed(output.type.dtype))
            fail_unsupported("output " + quote(output.name) + " is " + to_string(output.type) +
                             ", without the batch dimension " + quote(batch_names.front()) +
                             ": it is not known which part belongs to which request");
        outputs_[output.name] = *axis;
    }
}

std::int64_t BatchAxes::rows_of(const NamedValues& inputs) const {
    std::int64_t rows = -1;
    for (const auto& [name, value] : inputs) {
        const auto found = inputs_.find(name);
        if (found == inputs_.end()) continue;
        const std::int64_t here = value.tensor().dim(found->second);
        if (rows >= 0 && here != rows)
            fail_input("input " + quote(name) + " has " + std::to_string(here) +
                       " rows, another has " + std::to_string(rows));
        rows = here;
    }
    if (rows < 1)
        fail_input(rows == 0 ? "a request without rows" : "no input has the batch dimension");
    return rows;
}

std::string BatchAxes::key_of(const NamedValues& inputs) const {
    std::vector<std::string> parts;
    for (const auto& [name, value] : inputs) {
        if (!value.is_tensor()) return {};
        const Tensor& tensor = value.tensor();
        std::string part = quote(name) + std::string(name_of(tensor.dtype()));
        const auto found = inputs_.find(name);
        for (std::size_t i = 0; i < tensor.shape().size(); ++i)
            part += found != inputs_.end() && found->second == i
                        ? std::string(",b")
                        : "," + std::to_string(tensor.dim(i));
        if (found == inputs_.end()) {
            part += '=';
            if (tensor.dtype() == DType::string)
                for (const std::string& s : tensor.data<std::string>())
                    part += quote(s, s.size() + 2);
            else
                part.append(reinterpret_cast<const char*>(tensor.bytes().data()),
                            tensor.byte_size());
        }
        parts.push_back(std::move(part));
    }
    std::ranges::sort(parts);
    std::string key;
    for (const std::string& part : parts) key += part + ';';
    return key;
}

NamedValues BatchAxes::join(const std::vector<const NamedValues*>& requests) const {
    NamedValues whole;
    for (const auto& [name, value] : *requests.front()) {
        const auto found = inputs_.find(name);
        if (found == inputs_.end()) {
            whole.emplace_back(name, value);
            continue;
        }
        std::vector<const Tensor*> parts;
        for (const NamedValues* request : requests)
            parts.push_back(&find(*request, name)->tensor());
        whole.emplace_back(name, joined(parts, found->second));
    }
    return whole;
}

std::vector<NamedValues> BatchAxes::take_apart(const NamedValues& outputs,
                                               const std::vector<std::int64_t>& rows) const {
    std::int64_t all = 0;
    for (const std::int64_t n : rows) all += n;
    std::vector<NamedValues> parts(rows.size());
    for (const auto& [name, value] : outputs) {
        const std::size_t axis = outputs_.at(name);
        const Tensor& whole = value.tensor();
        if (axis >= whole.shape().size() || whole.dim(axis) != all)
            fail(ErrorCode::internal, "output " + quote(name) + " is " + to_string(whole.shape()) +
                                          " for " + std::to_string(all) + " rows");
        std::int64_t first = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            parts[i].emplace_back(name, part_of(whole, axis, first, rows[i]));
            first += rows[i];
        }
    }
    return parts;
}

}  // namespace lapidary
