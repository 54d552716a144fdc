// SPDX-License-Identifier: Apache-2.0
// Transposed copies of constants whose elements share bytes.
#include <gtest/gtest.h>

#include <lapidary/tensor/tensor.h>

#include "rewrite/constant_math.h"
#include "tensor/packed_elements.h"

namespace lapidary {
namespace {

TEST(TransposedConstant, ElementsOfFewBitsStayThemselves) {
    for (const DType dtype : {DType::u4, DType::i4}) {
        constexpr std::int64_t rows = 3, columns = 5;  // no row begins with a byte
        Tensor tensor(dtype, {rows, columns});
        for (std::int64_t i = 0; i < rows * columns; ++i)
            set_packed(tensor, i, static_cast<std::uint8_t>(i * 7));
        const Tensor found = transposed(tensor, {1, 0});
        ASSERT_EQ(found.shape(), (Shape{columns, rows}));
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t column = 0; column < columns; ++column)
                EXPECT_EQ(packed_at(found, column * rows + row),
                          packed_at(tensor, row * columns + column))
                    << row << " " << column;
        EXPECT_EQ(to_doubles(transposed(found, {1, 0})), to_doubles(tensor));
    }
}

}  // namespace
}  // namespace lapidary
