// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

/// True where the CPU has the tile registers of AMX with bfloat16 and the system lets this process
/// use them, which it asks for at the first call. LAPIDARY_ISA below avx512_vnni takes them away.
bool may_use_tile_registers();

}  // namespace lapidary
