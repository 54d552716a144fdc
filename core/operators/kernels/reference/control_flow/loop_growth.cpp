// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/control_flow/loop_growth.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lapidary/base/error.h>

#include "base/checked.h"
#include "ops/dimensions/dim_algebra.h"

namespace lapidary::reference {
namespace {

constexpr std::int64_t most_steps = 64;

/// A carried tensor: its shape by the names of the body's inputs, before and after one iteration.
struct Carried {
    const Value* value;
    const SymbolicShape *before, *after;
    DType dtype;
};

using Sizes = std::map<std::string, std::int64_t>;  // of the dimensions of the body's inputs

bool has_sizes(const Type& type) {
    return type.is_tensor() && type.dtype != DType::undefined && type.has_shape();
}

/// False where a name would have two sizes, or a fixed dimension another one.
bool bind(const SymbolicShape& names, const Shape& shape, Sizes& sizes) {
    if (names.size() != shape.size()) return false;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Dim& dim = names[i];
        if (const auto number = constant_of(dim)) {
            if (*number != shape[i]) return false;
        } else if (dim.is_symbolic() && names_in(dim) == std::vector<std::string>{dim.symbol()}) {
            if (const auto [at, is_new] = sizes.emplace(dim.symbol(), shape[i]);
                !is_new && at->second != shape[i])
                return false;
        } else {
            return false;
        }
    }
    return true;
}

std::optional<Shape> evaluated(const SymbolicShape& shape, const Sizes& sizes) {
    Shape numbers;
    for (const Dim& dim : shape) {
        const auto number = constant_of(substitute(dim, sizes));
        if (!number || *number < 0) return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

/// Saturates.
std::uint64_t bytes_of(DType dtype, const Shape& shape) {
    std::int64_t count = 1;
    for (std::int64_t size : shape) {
        const auto product = checked_multiply(count, size);
        if (!product || *product > std::int64_t{1} << 58)
            return std::numeric_limits<std::uint64_t>::max();
        count = *product;
    }
    return storage_bytes(dtype, count);
}

}  // namespace

void require_room_for_growth(const Graph& body, std::span<const RuntimeValue> carried,
                             std::int64_t iterations, std::uint64_t most_bytes) {
    std::vector<Carried> values;
    Sizes sizes;
    bool grows = false;
    for (std::size_t i = 0; i < carried.size(); ++i) {
        const Value &in = body.value(body.inputs()[2 + i]),
                    &out = body.value(body.outputs()[1 + i]);
        if (!carried[i].is_tensor() || !has_sizes(in.type) || !has_sizes(out.type)) continue;
        if (in.type.shape->size() != out.type.shape->size() ||
            !bind(*in.type.shape, carried[i].tensor().shape(), sizes))
            return;
        values.push_back({&out, &*in.type.shape, &*out.type.shape, out.type.dtype});
        grows = grows || *in.type.shape != *out.type.shape;
    }
    if (!grows) return;
    for (std::int64_t step = 1; step <= std::min(iterations, most_steps); ++step) {
        Sizes next;
        for (const Carried& c : values) {
            const auto shape = evaluated(*c.after, sizes);
            if (!shape || !bind(*c.before, *shape, next)) return;
            if (bytes_of(c.dtype, *shape) > most_bytes)
                fail_limit(
                    fmt::format("carried value {} grows to {}{} in iteration {} of {}, the limit "
                                "for one tensor is {} bytes",
                                quote(c.value->name), name_of(c.dtype), to_string(*shape), step,
                                iterations, most_bytes));
        }
        if (next == sizes) return;
        sizes = std::move(next);
    }
}

}  // namespace lapidary::reference
