// SPDX-License-Identifier: Apache-2.0
// Which models a worker keeps: of each open document, until it is closed.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>

#include "worker/models/model_cache.h"

namespace lapidary::app {
namespace {

ModelSource sample(const std::string& name, std::uint64_t document) {
    ModelSource source;
    source.sample = name;
    source.document = document;
    return source;
}

TEST(ModelCache, ModelsOfADocumentGoWhenItIsClosed) {
    ModelCache cache;
    const std::weak_ptr<const Model> mlp = cache.get(sample("mlp", 1), {});
    ModelSource variant = sample("mlp", 1);
    variant.recipe = Recipe::plain(Level::basic);
    const std::weak_ptr<const Model> optimized = cache.get(variant, {});
    cache.study(optimized.lock());
    const std::weak_ptr<const Model> lenet = cache.get(sample("lenet", 2), {});
    const std::weak_ptr<const Model> loose = cache.get(sample("lstm", 0), {});
    cache.keep_open({1, 2});
    EXPECT_FALSE(mlp.expired());
    cache.keep_open({2, 9});
    EXPECT_TRUE(mlp.expired());
    EXPECT_TRUE(optimized.expired()) << "its study went too";
    EXPECT_FALSE(lenet.expired());
    EXPECT_FALSE(loose.expired()) << "it is of no document";
    EXPECT_EQ(cache.get(sample("lenet", 2), {}), lenet.lock());
    cache.keep_open({});
    EXPECT_TRUE(lenet.expired());
}

TEST(ModelCache, TwoDocumentsOfOneFileShareItsModel) {
    ModelCache cache;
    const std::weak_ptr<const Model> first = cache.get(sample("mlp", 1), {});
    EXPECT_EQ(cache.get(sample("mlp", 2), {}), first.lock());
    cache.keep_open({2});
    EXPECT_EQ(cache.get(sample("mlp", 2), {}), first.lock());
    EXPECT_FALSE(first.expired());
}

TEST(ModelCache, DocumentsDoNotTakeEachOthersPlace) {
    ModelCache cache;
    const std::weak_ptr<const Model> mlp = cache.get(sample("mlp", 1), {});
    const auto make = [&](std::uint64_t document, int batch) {
        ModelSource variant = sample("lenet", document);
        variant.recipe = Recipe::plain(Level::disabled);
        variant.recipe->dimensions["batch"] = batch;
        return std::weak_ptr<const Model>(cache.get(variant, {}));
    };
    const std::weak_ptr<const Model> first = make(2, 1);
    for (int batch = 2; batch < 20; ++batch) make(2, batch);
    EXPECT_FALSE(mlp.expired());
    EXPECT_TRUE(first.expired()) << "the oldest variant of its own document";
}

TEST(ModelCache, ADocumentIsOfOneFile) {
    ModelCache cache;
    cache.get(sample("mlp", 1), {});
    try {
        cache.get(sample("lenet", 1), {});
        ADD_FAILURE() << "it was of another sample";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_input);
        EXPECT_NE(std::string(error.what()).find("document 1"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("mlp"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace lapidary::app
