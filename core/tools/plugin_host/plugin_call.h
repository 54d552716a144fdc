// SPDX-License-Identifier: Apache-2.0
// Calls into a plugin. Its codes become errors that name it, its exceptions are caught, and
// exceptions of the program's callbacks are thrown again after the call.
#pragma once

#include <cstring>
#include <exception>
#include <functional>
#include <string>

#include <lapidary/base/error.h>

#include "kernels/kernel.h"
#include "plugin_abi.h"

namespace lapidary {

/// The plugin's message, or "code 6" if there is none; one line, cut if it is too long.
std::string plugin_text(const LpError& error, std::int32_t code);

/// `call(error)`; throws unless it returns LP_OK, with `what` ("plugin 'cuda': claim") before the
/// plugin's text.
void call_plugin(const std::string& what, const std::function<std::int32_t(LpError*)>& call);

/// As call_plugin(), but LP_UNSUPPORTED is the reason that is returned; empty: LP_OK.
std::string ask_plugin(const std::string& what, const std::function<std::int32_t(LpError*)>& call);

/// An exception of a callback while a plugin ran, to be thrown again when the plugin returns.
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

/// The object behind an LpJob.
struct PluginJob {
    ThreadPool& threads;
    const CancelToken& cancel;
};

/// The functions that the program offers to plugins.
const LpHost& plugin_host();

}  // namespace lapidary
