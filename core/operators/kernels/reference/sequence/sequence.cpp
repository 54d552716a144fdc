// SPDX-License-Identifier: Apache-2.0
// Sequences: making, reading and changing them.
#include "base/checked.h"
#include "kernels/reference/movement/element_copy.h"
#include "ops/geometry/broadcast.h"
#include "ops/geometry/split.h"

namespace lapidary::reference {
namespace {

const Sequence& sequence_input(KernelContext& context) {
    const RuntimeValue* value = context.input_value(0);
    if (value == nullptr || value->is_empty()) context.fail("the input sequence is missing");
    return value->sequence();
}

// A position in a sequence of `count` items, or with `end` also the place behind the last.
std::size_t position(const Tensor& tensor, std::size_t count, bool end) {
    const std::int64_t given = single_int(tensor, "the position"),
                       size = static_cast<std::int64_t>(count);
    const std::int64_t last = end ? size : size - 1;
    if (given < -size || given > last) {
        fail_input("position " + std::to_string(given) + " is out of range [" +
                   std::to_string(-size) + ", " + std::to_string(last) + "] of a sequence of " +
                   std::to_string(size) + " items");
    }
    return static_cast<std::size_t>(given < 0 ? given + size : given);
}

// The type a value has as an item; shapes may differ between items and are left out.
Type item_type(const RuntimeValue& value) {
    if (value.is_tensor()) return Type::tensor(value.tensor().dtype());
    if (value.is_sequence()) return Type::sequence(value.sequence().element_type);
    return {};
}

void check_item(const Sequence& sequence, const Tensor& item) {
    const Type& type = sequence.element_type;
    if (type.is_tensor() && type.dtype != item.dtype()) {
        fail_input(describe(item) + " does not fit a sequence of " +
                   std::string(name_of(type.dtype)) + " tensors");
    }
}

}  // namespace

void sequence_construct(KernelContext& context) {
    Sequence result;
    result.element_type = Type::tensor(context.input(0).dtype());
    for (std::size_t i = 0; i < context.input_count(); ++i) {
        check_item(result, context.input(i));
        result.items.push_back(context.keep(*context.input_value(i)));
    }
    context.set_output(0, std::move(result));
}

void sequence_empty(KernelContext& context) {
    const std::int64_t dtype =
        context.node().int_attribute("dtype", static_cast<std::int64_t>(DType::f32));
    if (!is_known_dtype(dtype))
        context.fail("dtype " + std::to_string(dtype) + " is no element type");
    Sequence result;
    result.element_type = Type::tensor(static_cast<DType>(dtype));
    context.set_output(0, std::move(result));
}

void sequence_at(KernelContext& context) {
    const Sequence& sequence = sequence_input(context);
    context.set_output(
        0, context.keep(sequence.items[position(context.input(1), sequence.items.size(), false)]));
}

void sequence_insert(KernelContext& context) {
    const Sequence& sequence = sequence_input(context);
    check_item(sequence, context.input(1));
    const std::size_t at = context.has_input(2)
                               ? position(context.input(2), sequence.items.size(), true)
                               : sequence.items.size();
    Sequence result = context.keep(*context.input_value(0)).sequence();
    if (result.items.empty()) result.element_type = item_type(*context.input_value(1));
    result.items.insert(result.items.begin() + static_cast<std::ptrdiff_t>(at),
                        context.keep(*context.input_value(1)));
    context.set_output(0, std::move(result));
}

void sequence_erase(KernelContext& context) {
    const Sequence& sequence = sequence_input(context);
    if (sequence.items.empty()) context.fail("cannot erase from an empty sequence");
    const std::size_t at = context.has_input(1)
                               ? position(context.input(1), sequence.items.size(), false)
                               : sequence.items.size() - 1;
    Sequence result = context.keep(*context.input_value(0)).sequence();
    result.items.erase(result.items.begin() + static_cast<std::ptrdiff_t>(at));
    context.set_output(0, std::move(result));
}

void sequence_length(KernelContext& context) {
    const auto length = static_cast<std::int64_t>(sequence_input(context).items.size());
    context.output(0, DType::i64, {}).mutable_data<std::int64_t>()[0] = length;
}

void split_to_sequence(KernelContext& context) {
    const Tensor& data = context.input(0);
    const auto axis = static_cast<std::size_t>(
        normalize_axis(context.node().int_attribute("axis", 0), data.rank()));
    const Tensor* split = context.optional_input(1);
    const std::int64_t dim = data.dim(axis);
    std::vector<std::int64_t> sizes;
    if (split && split->rank() == 1) {
        sizes = to_int64s(*split);
        check_split(sizes, dim);
    } else {
        const std::int64_t piece = split ? single_int(*split, "split") : 1;
        if (piece <= 0) context.fail("split " + std::to_string(piece) + " must be positive");
        const std::int64_t count = dim / piece + (dim % piece != 0 ? 1 : 0);
        if (static_cast<std::uint64_t>(count) > context.limits().list_elements) {
            fail_limit("splitting " + describe(data) + " makes a sequence of " +
                       std::to_string(count) + " items, more than the limit");
        }
        for (std::int64_t at = 0; at < dim; at += piece) {
            sizes.push_back(std::min(piece, dim - at));
            if (sizes.back() < piece) break;
        }
    }
    const bool drop_axis = split == nullptr && context.node().int_attribute("keepdims", 1) == 0;
    Sequence result;
    result.element_type = Type::tensor(data.dtype());
    std::int64_t at = 0;
    for (const std::int64_t size : sizes) {
        result.items.push_back(drop_axis ? take_slice(context, data, axis, at)
                                         : take_range(context, data, axis, at, size));
        at += size;
    }
    context.set_output(0, std::move(result));
}

void concat_from_sequence(KernelContext& context) {
    const Sequence& sequence = sequence_input(context);
    if (sequence.items.empty()) context.fail("cannot concatenate an empty sequence");
    const bool new_axis = context.node().int_attribute("new_axis", 0) != 0;
    const Tensor& first = sequence.items.front().tensor();
    if (!context.node().has_attribute("axis"))
        context.fail("attribute \"axis\" is required but missing");
    const auto axis = static_cast<std::size_t>(
        normalize_axis(context.node().int_attribute("axis", 0), first.rank() + (new_axis ? 1 : 0)));
    Shape shape = first.shape();
    if (new_axis) shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), 0);
    else shape[axis] = 0;
    std::vector<Tensor> parts;
    for (const RuntimeValue& item : sequence.items) {
        const Tensor& part = item.tensor();
        bool fits = part.dtype() == first.dtype() && part.rank() == first.rank();
        for (std::size_t d = 0; fits && d < part.shape().size(); ++d)
            fits = (!new_axis && d == axis) || part.dim(d) == first.dim(d);
        if (!fits)
            context.fail("item " + describe(part) + " cannot be joined with " + describe(first) +
                         " along axis " + std::to_string(axis));
        const auto sum = checked_add(shape[axis], new_axis ? 1 : part.dim(axis));
        if (!sum) fail_limit("the size of axis " + std::to_string(axis) + " overflows");
        shape[axis] = *sum;
        parts.push_back(part);
    }
    join_into(context, parts, axis, context.output(0, first.dtype(), shape));
}

}  // namespace lapidary::reference
