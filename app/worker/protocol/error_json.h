// SPDX-License-Identifier: Apache-2.0
// Errors between processes: {"code", "message", "where"}, described member by member.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <lapidary/base/error.h>

#include "worker/protocol/described_json.h"

namespace lapidary {

template <>
struct EnumNames<ErrorCode> {
    using enum ErrorCode;
    static constexpr std::array values{invalid_model,  invalid_input, not_supported,
                                       limit_exceeded, cancelled,     io_failure,
                                       process_ended,  check_failed,  internal};
};

namespace app {

struct SentError {
    ErrorCode code = ErrorCode::internal;
    std::string message;
    std::vector<std::string> where;  // outermost first

    static SentError of(const Error& error) {
        return {error.code(), error.message(), error.where()};
    }
    Error error() const {
        Error error(code, message);
        for (std::size_t i = where.size(); i-- > 0;) error.at(where[i]);
        return error;
    }
};

}  // namespace app

template <>
struct Members<app::SentError> {
    using T = app::SentError;
    static constexpr auto list =
        members<T>(member<&T::code>("code").required(), member<&T::message>("message"),
                   member<&T::where>("where"));
};

}  // namespace lapidary
