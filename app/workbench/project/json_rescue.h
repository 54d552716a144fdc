// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace lapidary::app {

/// What is whole of a JSON text that ends too early: everything up to the last complete value, with
/// what is open closed. Empty where not even one value is complete. A text that is no JSON gives a
/// text that is none either.
std::string rescuedJson(std::string_view text);

}  // namespace lapidary::app
