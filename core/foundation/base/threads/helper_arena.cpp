// SPDX-License-Identifier: Apache-2.0
#include "base/threads/helper_arena.h"

namespace lapidary {

HelperArena::HelperArena(int threads, std::shared_ptr<const ThreadSetup> setup,
                         std::function<void(int)> help)
    : threads_(threads), setup_(std::move(setup)), help_(std::move(help)),
      arena_(threads, static_cast<unsigned>(threads)), bank_(ThreadBank::of_process()) {
    bank_->require(threads - 1);
    // Tasks run in the floating-point mode of the thread that makes the arena.
    const DenormalMode mode(setup_->denormal_as_zero);
    arena_.initialize();
}

void HelperArena::use_thread(int worker) {
    const SetUpThread set_up(*setup_, worker);
    arena_.execute([&] { help_(worker); });
}

}  // namespace lapidary
