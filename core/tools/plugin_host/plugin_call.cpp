// SPDX-License-Identifier: Apache-2.0
#include "plugin_host/plugin_call.h"

#include "base/process/foreign_call.h"
#include "profile/recorder.h"

namespace lapidary {
namespace {

ErrorCode error_code_of(std::int32_t code) {
    switch (code) {
    case LP_INVALID: return ErrorCode::invalid_input;
    case LP_UNSUPPORTED: return ErrorCode::not_supported;
    case LP_OUT_OF_MEMORY: return ErrorCode::limit_exceeded;
    case LP_CANCELLED: return ErrorCode::cancelled;
    default: return ErrorCode::process_ended;  // the plugin's fault, not the program's
    }
}

const PluginJob& job_of(LpJob job) { return *reinterpret_cast<const PluginJob*>(job); }

std::int32_t cancelled(LpJob job) { return job_of(job).cancel.is_cancelled() ? 1 : 0; }

// A body is C code and does not throw. A cancelled pool throws; the plugin then calls cancelled().
void parallel_for(LpJob job, std::int64_t n, std::int64_t grain,
                  void (*body)(void* argument, std::int64_t begin, std::int64_t end),
                  void* argument) {
    if (n < 1) return;
    const char* who = ForeignCall::current();
    job_of(job).threads.parallel_for(n, grain < 1 ? 1 : grain,
                                     [&](std::int64_t begin, std::int64_t end) {
                                         const ForeignCall inside(who);
                                         body(argument, begin, end);
                                     });
}

std::int64_t now_ns() { return steady_now_ns(); }

std::int32_t call(const std::string& what, const std::function<std::int32_t(LpError*)>& body,
                  LpError& error) {
    error = {};
    error.size = sizeof(error);
    try {
        const ForeignCall inside(what.c_str());
        return body(&error);
    } catch (const Error&) {
        throw;  // of the program, through a callback
    } catch (const std::exception& exception) {
        fail(ErrorCode::process_ended, what + " threw an exception: " + exception.what());
    } catch (...) { fail(ErrorCode::process_ended, what + " threw an exception"); }
}

}  // namespace

std::string plugin_text(const LpError& error, std::int32_t code) {
    std::string text(error.text, ::strnlen(error.text, sizeof(error.text)));
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    if (text.empty()) text = "it gave no reason (code " + std::to_string(code) + ")";
    if (error.native != 0) text += " (" + std::to_string(error.native) + ")";
    return text;
}

void call_plugin(const std::string& what, const std::function<std::int32_t(LpError*)>& body) {
    LpError error;
    if (const std::int32_t code = call(what, body, error); code != LP_OK)
        fail(error_code_of(code), what + ": " + plugin_text(error, code));
}

std::string ask_plugin(const std::string& what, const std::function<std::int32_t(LpError*)>& body) {
    LpError error;
    const std::int32_t code = call(what, body, error);
    if (code == LP_OK) return {};
    if (code != LP_UNSUPPORTED) fail(error_code_of(code), what + ": " + plugin_text(error, code));
    return plugin_text(error, code);
}

const LpHost& plugin_host() {
    static const LpHost host = [] {
        LpHost made{};
        made.size = sizeof(made);
        made.major = LP_MAJOR;
        made.minor = LP_MINOR;
        made.program = "Lapidary " LAPIDARY_VERSION;
        made.cancelled = &cancelled;
        made.parallel_for = &parallel_for;
        made.now_ns = &now_ns;
        return made;
    }();
    return host;
}

}  // namespace lapidary
