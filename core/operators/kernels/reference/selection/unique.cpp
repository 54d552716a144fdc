// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "kernels/reference/movement/element_copy.h"
#include "kernels/reference/selection/element_order.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {
namespace {

// The data seen as [outer, items, inner]: the items along the middle are compared.
struct Items {
    std::int64_t outer = 1, count = 1, inner = 1;
};

template <typename T>
int compare_items(const T* data, const Items& items, std::int64_t a, std::int64_t b) {
    for (std::int64_t o = 0; o < items.outer; ++o) {
        for (std::int64_t i = 0; i < items.inner; ++i) {
            const std::int64_t base = o * items.count * items.inner + i;
            if (const int c =
                    compare_elements(data[base + a * items.inner], data[base + b * items.inner]))
                return c;
        }
    }
    return 0;
}

struct Groups {
    std::vector<std::int64_t> first, inverse, counts;
};

template <typename T>
Groups group(const T* data, const Items& items, bool sorted) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(items.count));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return compare_items(data, items, a, b) < 0;
    });
    std::vector<std::int64_t> first, group_of(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || compare_items(data, items, order[i - 1], order[i]) != 0)
            first.push_back(order[i]);
        group_of[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(first.size()) - 1;
    }
    std::vector<std::size_t> ranks(first.size());  // groups in output order
    std::iota(ranks.begin(), ranks.end(), 0);
    if (!sorted) std::ranges::sort(ranks, {}, [&](std::size_t g) { return first[g]; });
    Groups result;
    std::vector<std::int64_t> place(first.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        result.first.push_back(first[ranks[i]]);
        place[ranks[i]] = static_cast<std::int64_t>(i);
    }
    result.counts.assign(first.size(), 0);
    for (const std::int64_t g : group_of) {
        result.inverse.push_back(place[static_cast<std::size_t>(g)]);
        ++result.counts[static_cast<std::size_t>(result.inverse.back())];
    }
    return result;
}

void write_list(KernelContext& context, std::size_t index,
                const std::vector<std::int64_t>& values) {
    if (!context.wants_output(index)) return;
    std::ranges::copy(values,
                      context.output(index, DType::i64, {static_cast<std::int64_t>(values.size())})
                          .mutable_data<std::int64_t>()
                          .begin());
}

}  // namespace

void unique(KernelContext& context) {
    const Tensor& data = context.input(0);
    const bool sorted = context.node().int_attribute("sorted", 1) != 0;
    Items items{1, data.size(), 1};
    Shape shape{0};
    std::size_t axis = 0;
    if (context.node().has_attribute("axis")) {
        axis = static_cast<std::size_t>(
            normalize_axis(context.node().int_attribute("axis", 0), data.rank()));
        shape = data.shape();
        items = {dim_product(shape, 0, axis), shape[axis],
                 dim_product(shape, axis + 1, shape.size())};
    }
    if (data.size() == 0 && items.count > 1'000'000) {
        fail_limit("axis " + std::to_string(axis) + " of " + describe(data) +
                   " has too many empty items");
    }
    const auto run = [&]<typename T>() {
        const T* in = data.data<T>().data();
        const Groups groups = group(in, items, sorted);
        shape[axis] = static_cast<std::int64_t>(groups.first.size());
        T* out = context.output(0, data.dtype(), shape).template mutable_data<T>().data();
        for (std::int64_t o = 0; o < items.outer; ++o)
            for (const std::int64_t item : groups.first)
                out = std::copy_n(in + (o * items.count + item) * items.inner, items.inner, out);
        write_list(context, 1, groups.first);
        write_list(context, 2, groups.inverse);
        write_list(context, 3, groups.counts);
    };
    if (data.dtype() == DType::string) run.operator()<std::string>();
    else dispatch<NumericOrBoolTypes>(data.dtype(), run);
}

}  // namespace lapidary::reference
