// SPDX-License-Identifier: Apache-2.0
#include "operators/makers.h"

namespace lapidary::cuda {
namespace {

struct Entry {
    std::string_view domain, op;
    Maker maker;
};

constexpr Entry entries[] = {
#define LAPIDARY_CUDA_OPERATOR(domain, op, maker) {domain, op, &maker},
#include "operators/operators.inc"
#undef LAPIDARY_CUDA_OPERATOR
};

}  // namespace

Maker find_maker(std::string_view domain, std::string_view op) {
    for (const Entry& entry : entries)
        if (entry.op == op && entry.domain == domain) return entry.maker;
    return nullptr;
}

}  // namespace lapidary::cuda
