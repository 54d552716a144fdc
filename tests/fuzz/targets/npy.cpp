// SPDX-License-Identifier: Apache-2.0
#include <lapidary/tensor/tensor_file.h>

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(npy) { lapidary::parse_npy(input, lapidary::fuzz::small_limits()); }
