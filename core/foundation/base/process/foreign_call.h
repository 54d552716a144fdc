// SPDX-License-Identifier: Apache-2.0
// Records whose code a thread runs when it is not the program's own, so that a crash is reported
// with that name (name_foreign_crashes() of lapidary/base/failure.h).
#pragma once

namespace lapidary {

/// While one exists, its thread runs foreign code. They nest.
class ForeignCall {
public:
    /// `who` lives as long as this: "plugin 'x': operator 'd::Op'".
    explicit ForeignCall(const char* who) noexcept;
    ForeignCall(const ForeignCall&) = delete;
    ForeignCall& operator=(const ForeignCall&) = delete;
    ~ForeignCall();

    /// Whose code the calling thread runs, to pass it to helper threads. Null: the program's own.
    static const char* current() noexcept;

private:
    const char* before_;
};

/// Whose code called exit() on the calling thread, for a handler of atexit() to print. Null: the
/// program itself ends.
const char* foreign_exit_caller() noexcept;

}  // namespace lapidary
