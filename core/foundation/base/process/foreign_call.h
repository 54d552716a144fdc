// SPDX-License-Identifier: Apache-2.0
// Whose code a thread runs where it is not the program's own, so that a crash in it is reported by
// its name (name_foreign_crashes() of lapidary/base/failure.h).
#pragma once

namespace lapidary {

/// While one lives, the code that its thread runs is somebody else's. They nest.
class ForeignCall {
public:
    /// `who` lives as long as this: "plugin 'x': operator 'd::Op'".
    explicit ForeignCall(const char* who) noexcept;
    ForeignCall(const ForeignCall&) = delete;
    ForeignCall& operator=(const ForeignCall&) = delete;
    ~ForeignCall();

    /// Of the calling thread, for the threads that help it; null: its own.
    static const char* current() noexcept;

private:
    const char* before_;
};

/// What a handler of atexit() writes where somebody else's code called exit(): whose, of the
/// calling thread. Null: it is the program that ends.
const char* foreign_exit_caller() noexcept;

}  // namespace lapidary
