// SPDX-License-Identifier: Apache-2.0
// Which block of channels the weights of NCHWc convolutions were laid out for, where shapes allow 8
// and 16.
//
// Data of a wrong block mix the weights of several output channels into one: channel o with o + 8
// where 16 was right, two neighbouring blocks of 8 where 8 was. Three things show that:
//   zeros      channels that fill up a block are zero throughout. Mixing never makes a channel zero
//              that was none, so the reading that has more such channels is right.
//   energies   trained channels differ in how large their weights are; mixing evens that out. The
//              spread of the logarithms of their sums of squares is larger in the right reading,
//              where there are channels enough to distinguish that from chance.
//   neighbours weights beside each other in a trained kernel are alike; a wrong reading puts
//              weights of other channels there.
// Where every weight is the same in either reading, the block makes no difference: that of this CPU
// is as good as the other.
#pragma once

#include <cstdint>
#include <string>

#include <lapidary/graph/model.h>

namespace lapidary {

struct BlockJudgement {
    std::int64_t block = 0;  // 8 or 16; 0: the weights do not show it
    std::string reason;  // "in blocks of 16 5 convolutions have channels that fill up a block, in
                         // blocks of 8 none"
};

/// Reads weights, 32 million elements at most.
BlockJudgement judge_channel_block(const Model& model);

}  // namespace lapidary
