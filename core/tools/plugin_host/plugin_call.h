// SPDX-License-Identifier: Apache-2.0
// Calls into a plugin: its codes become errors that name it, its exceptions go no further, and what
// a callback of the program threw comes out of the call.
#pragma once

#include <cstring>
#include <exception>
#include <functional>
#include <string>

#include <lapidary/base/error.h>

#include "kernels/kernel.h"
#include "plugin_abi.h"

namespace lapidary {

/// The plugin's text, or "code 6" where it left none; one line, cut where it does not end.
std::string plugin_text(const LpError& error, std::int32_t code);

/// `call(error)`; throws unless it returns LP_OK, with `what` ("plugin 'cuda': claim") before the
/// plugin's text.
void call_plugin(const std::string& what, const std::function<std::int32_t(LpError*)>& call);

/// As call_plugin(), but LP_UNSUPPORTED is the reason that is returned; empty: LP_OK.
std::string ask_plugin(const std::string& what, const std::function<std::int32_t(LpError*)>& call);

/// What a callback threw while a plugin ran, to be thrown again when it returns.
class CallbackFailure {
public:
    /// body(); false where it threw.
    template <typename Body>
    bool guard(const Body& body) noexcept {
        try {
            body();
            return true;
        } catch (...) {
            if (!failure_) failure_ = std::current_exception();
            return false;
        }
    }
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    std::exception_ptr failure_;
};

/// Behind an LpJob.
struct PluginJob {
    ThreadPool& threads;
    const CancelToken& cancel;
};

/// What the program offers to plugins.
const LpHost& plugin_host();

}  // namespace lapidary
