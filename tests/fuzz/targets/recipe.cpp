// SPDX-License-Identifier: Apache-2.0
// Recipes of variants and of quantization. What is written of one reads as the same.
#include "worker/protocol/quantization.h"
#include "worker/protocol/recipe.h"

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(recipe) {
    using namespace lapidary;
    const std::string_view text = fuzz::text_of(input);
    if (text.starts_with("quantization ")) {
        app::parse_quantization(text.substr(13));
        return;
    }
    const std::string once = app::recipe_text(app::parse_recipe(text));
    fuzz::require(app::recipe_text(app::parse_recipe(once)) == once,
                  "the text of a recipe reads as itself");
}
