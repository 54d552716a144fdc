// SPDX-License-Identifier: Apache-2.0
#include "ops/commutes.h"

#include <algorithm>
#include <iterator>

namespace lapidary {
namespace {

constexpr std::string_view commutative[] = {
#define LAPIDARY_COMMUTES(name) name,
#include "ops/traits/commutes.inc"
#undef LAPIDARY_COMMUTES
};

}  // namespace

bool commutes(std::string_view op_type) {
    return std::ranges::find(commutative, op_type) != std::end(commutative);
}

}  // namespace lapidary
