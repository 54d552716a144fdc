// SPDX-License-Identifier: Apache-2.0
#include <lapidary/base/failure.h>

#include <atomic>
#include <filesystem>
#include <ios>
#include <new>
#include <system_error>

#include "base/process/foreign_call.h"

namespace lapidary {
namespace {

std::atomic<int> exit_watches{0};

}  // namespace

ExitWatch::ExitWatch() noexcept { ++exit_watches; }
ExitWatch::~ExitWatch() { --exit_watches; }

const char* foreign_exit_caller() noexcept {
    if (const char* const who = ForeignCall::current()) return who;
    return exit_watches > 0 ? "code of a library that is no part of the program" : nullptr;
}

Error error_in_flight(const std::string& doing) {
    try {
        throw;
    } catch (const Error& error) { return error; } catch (const std::bad_alloc&) {
        return Error(ErrorCode::limit_exceeded, "there is not enough memory for " + doing);
    } catch (const std::filesystem::filesystem_error& error) {
        const std::string path =
            error.path1().empty() ? std::string("a file") : quote(error.path1().string(), 4096);
        return Error(ErrorCode::io_failure,
                     doing + " failed: " + path + ": " + error.code().message());
    } catch (const std::ios_base::failure&) {
        return Error(ErrorCode::io_failure, doing + " failed: a file could not be read or written");
    } catch (const std::system_error& error) {
        const bool is_shortage = error.code() == std::errc::resource_unavailable_try_again ||
                                 error.code() == std::errc::not_enough_memory;
        return Error(is_shortage ? ErrorCode::limit_exceeded : ErrorCode::io_failure,
                     "the system refused " +
                         std::string(is_shortage ? "a thread or memory for " : "something while ") +
                         doing + ": " + error.code().message());
    } catch (...) {
        return Error(
            ErrorCode::internal,
            doing + " met a bug in Lapidary; please report it with the model and the command");
    }
}

}  // namespace lapidary
