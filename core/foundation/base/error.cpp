// SPDX-License-Identifier: Apache-2.0
#include <lapidary/base/error.h>

#include <utility>

#include <lapidary/internal/shown_text.h>

namespace lapidary {

std::string_view name_of(ErrorCode code) {
    switch (code) {
    case ErrorCode::invalid_model: return "invalid_model";
    case ErrorCode::invalid_input: return "invalid_input";
    case ErrorCode::not_supported: return "not_supported";
    case ErrorCode::limit_exceeded: return "limit_exceeded";
    case ErrorCode::cancelled: return "cancelled";
    case ErrorCode::io_failure: return "io_failure";
    case ErrorCode::process_ended: return "process_ended";
    case ErrorCode::check_failed: return "check_failed";
    case ErrorCode::internal: return "internal";
    }
    return "unknown";
}

namespace {

// A sentence may quote several texts of files, each bounded by quote(). A longer message holds text
// that was not bounded, and is cut.
constexpr std::size_t most_message_characters = 8000, most_place_characters = 4200;

}  // namespace

Error::Error(ErrorCode code, std::string message)
    : std::runtime_error(""), code_(code), message_(elided(message, most_message_characters)) {
    compose();
}

Error& Error::at(std::string place) {
    place = elided(place, most_place_characters);
    if (!where_.empty() && where_.front() == place) return *this;
    where_.insert(where_.begin(), std::move(place));
    compose();
    return *this;
}

void Error::compose() {
    full_.clear();
    std::size_t places = where_.size();
    // A sentence that begins with the file, such as "x.onnx" cannot be opened, names it well
    // enough.
    if (places > 0 && message_.starts_with(quote(where_.back(), most_place_characters))) --places;
    for (std::size_t i = 0; i < places; ++i) full_ += where_[i] + ": ";
    full_ += message_;
}

void fail(ErrorCode code, std::string message) { throw Error(code, std::move(message)); }

}  // namespace lapidary
