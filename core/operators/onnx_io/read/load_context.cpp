// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/read/load_context.h"

#include <lapidary/base/error.h>

namespace lapidary::onnx_io {

bool is_utf8(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        const auto lead = static_cast<unsigned char>(text[i]);
        if (lead < 0x80) {
            ++i;
            continue;
        }
        const int extra = lead >= 0xc2 && lead < 0xe0   ? 1
                          : lead >= 0xe0 && lead < 0xf0 ? 2
                          : lead >= 0xf0 && lead < 0xf5 ? 3
                                                        : 0;
        if (extra == 0 || text.size() - i <= static_cast<std::size_t>(extra)) return false;
        for (int k = 1; k <= extra; ++k)
            if ((static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]) & 0xc0) != 0x80)
                return false;
        const auto second = static_cast<unsigned char>(text[i + 1]);
        const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
        const bool surrogate_or_beyond =
            (lead == 0xed && second > 0x9f) || (lead == 0xf4 && second > 0x8f);
        if (overlong || surrogate_or_beyond) return false;
        i += static_cast<std::size_t>(extra) + 1;
    }
    return true;
}

void LoadContext::check_name(std::string_view name, const char* what) {
    if (name.size() > limits.name_bytes)
        fail_limit(std::string(what) + " " + quote(name, 40) + " has " +
                   std::to_string(name.size()) + " bytes, the limit is " +
                   std::to_string(limits.name_bytes));
    if (!is_utf8(name))
        warnings.add("names that are not UTF-8", std::string(what) + " " + quote(name),
                     "the name is not valid UTF-8; its bytes are kept");
}

}  // namespace lapidary::onnx_io
