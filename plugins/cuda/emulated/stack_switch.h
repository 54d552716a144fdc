// SPDX-License-Identifier: Apache-2.0
// Jumps between stacks, with the calls that AddressSanitizer needs for them. It uses the compiler's
// builtin jumps: at those of the C library the sanitizer forgets what it tracks on the stack that
// is left.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace lapidary::cuda::emulated {

/// A place to come back to. LAPIDARY_SET_JUMP() is zero when it notes the place and not zero when
/// jump_to() comes back; the function that notes it may not return before.
struct Jump {
    void* words[5] = {};
};
#define LAPIDARY_SET_JUMP(jump) __builtin_setjmp((jump).words)

/// Must not be called by the function that noted the place. It does not return, but is not declared
/// [[noreturn]]: the sanitizer forgets the stack before calls of such functions.
[[gnu::noipa, gnu::no_sanitize_address]] inline void jump_to(Jump& jump) {
    __builtin_longjmp(jump.words, 1);
}

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool stack_is_watched = true;  // then frames are larger

struct Stack {
    const void* bottom = nullptr;
    std::size_t bytes = 0;
    void* frames = nullptr;  // the sanitizer's own

    /// Before the jump to the other stack.
    void leave_for(const Stack& other) {
        __sanitizer_start_switch_fiber(&frames, other.bottom, other.bytes);
    }
    void arrive() { __sanitizer_finish_switch_fiber(frames, nullptr, nullptr); }
    /// After it, on this stack. The other one becomes known.
    void arrive_from(Stack& other) {
        __sanitizer_finish_switch_fiber(frames, &other.bottom, &other.bytes);
    }
};
#else
inline constexpr bool stack_is_watched = false;

struct Stack {
    const void* bottom = nullptr;
    std::size_t bytes = 0;

    void leave_for(const Stack&) {}
    void arrive() {}
    void arrive_from(Stack&) {}
};
#endif

}  // namespace lapidary::cuda::emulated
