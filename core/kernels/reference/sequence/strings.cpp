// SPDX-License-Identifier: Apache-2.0
// StringConcat, StringSplit, RegexFullMatch.
#include <algorithm>

#include "kernels/reference/movement/element_copy.h"
#include "kernels/reference/sequence/regex_program.h"
#include "kernels/text_room.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {
namespace {

std::span<const std::string> strings_of(KernelContext& context, std::size_t index) {
    const Tensor& tensor = context.input(index);
    if (tensor.dtype() != DType::string)
        context.fail("input " + std::to_string(index) + " must hold strings, found " + describe(tensor));
    return tensor.data<std::string>();
}

constexpr std::string_view white_space = " \t\n\v\f\r";

// Pieces of one string; `most` splits at the most (negative: no bound). An empty delimiter means runs of
// white space, of which none makes an empty piece.
std::vector<std::string_view> split_text(std::string_view text, std::string_view delimiter, std::int64_t most) {
    std::vector<std::string_view> pieces;
    const bool blank = delimiter.empty();
    const auto skip_blank = [&] { text.remove_prefix(std::min(text.find_first_not_of(white_space), text.size())); };
    if (blank) skip_blank();
    while (most < 0 || static_cast<std::int64_t>(pieces.size()) < most) {
        const std::size_t at = blank ? text.find_first_of(white_space) : text.find(delimiter);
        if (at == std::string_view::npos) break;
        pieces.push_back(text.substr(0, at));
        text.remove_prefix(at + (blank ? 0 : delimiter.size()));
        if (blank) skip_blank();
    }
    if (!blank || !text.empty()) pieces.push_back(text);
    return pieces;
}

}  // namespace

void string_concat(KernelContext& context) {
    const auto left = strings_of(context, 0), right = strings_of(context, 1);
    const Shape shape = broadcast_shapes(context.input(0).shape(), context.input(1).shape());
    const Shape left_strides = broadcast_strides(context.input(0).shape(), shape),
                right_strides = broadcast_strides(context.input(1).shape(), shape);
    auto out = context.output(0, DType::string, shape).mutable_data<std::string>();
    TextRoom room(context);
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::int64_t rest = static_cast<std::int64_t>(i), l = 0, r = 0;
        for (std::size_t d = shape.size(); d-- > 0;) {
            l += rest % shape[d] * left_strides[d];
            r += rest % shape[d] * right_strides[d];
            rest /= shape[d];
        }
        const std::string &a = left[static_cast<std::size_t>(l)], &b = right[static_cast<std::size_t>(r)];
        room.take(a);
        room.take(b);
        out[i] = a + b;
    }
}

void string_split(KernelContext& context) {
    const auto texts = strings_of(context, 0);
    const std::string delimiter = context.node().string_attribute("delimiter", "");
    const std::int64_t most = context.node().int_attribute("maxsplit", -1);
    std::vector<std::vector<std::string_view>> pieces;
    std::size_t widest = 0;
    for (const std::string& text : texts) {
        pieces.push_back(split_text(text, delimiter, most));
        widest = std::max(widest, pieces.back().size());
    }
    Shape shape = context.input(0).shape();
    Tensor& counts = context.output(1, DType::i64, shape);
    shape.push_back(static_cast<std::int64_t>(widest));
    auto out = context.output(0, DType::string, shape).mutable_data<std::string>();
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        counts.mutable_data<std::int64_t>()[i] = static_cast<std::int64_t>(pieces[i].size());
        for (std::size_t j = 0; j < widest; ++j)
            out[i * widest + j] = j < pieces[i].size() ? std::string(pieces[i][j]) : std::string();
    }
}

void regex_full_match(KernelContext& context) {
    const auto texts = strings_of(context, 0);
    if (!context.node().has_attribute("pattern")) context.fail("attribute \"pattern\" is required but missing");
    const RegexProgram program(context.node().string_attribute("pattern", ""));
    auto out = context.output(0, DType::boolean, context.input(0).shape()).mutable_data<bool>();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        out[i] = program.full_match(texts[i], context.cancel());
    }
}

}  // namespace lapidary::reference
