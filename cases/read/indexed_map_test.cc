#include "cases/read/indexed_map.h"

#include <gtest/gtest.h>

#include <string>

#include "cases/read/json.h"

namespace assay {
namespace {

// Compares with the map that it replaces, for sizes with and without an index.
TEST(IndexedMap, IsAnOrderedMap) {
  Json json = Json::object();
  nlohmann::ordered_json expected = nlohmann::ordered_json::object();
  const auto key = [](int i) { return "k" + std::to_string(i * 7919 % 211); };
  for (int i = 0; i < 400; ++i) {
    json[key(i)] = i;
    expected[key(i)] = i;
    if (i % 5 == 0) {
      json.erase(key(i / 2));
      expected.erase(key(i / 2));
    }
    if (i % 50 == 0) {
      Json copy = json;
      json = std::move(copy);
    }
    ASSERT_EQ(json.size(), expected.size());
    for (int k = 0; k < 211; k += 13) {
      ASSERT_EQ(json.contains(key(k)), expected.contains(key(k)));
      if (json.contains(key(k))) {
        ASSERT_EQ(json.at(key(k)).get<int>(), expected.at(key(k)).get<int>());
      }
    }
  }
  EXPECT_EQ(json.dump(), expected.dump());
  EXPECT_EQ(json, Json::parse(expected.dump()));
  json.clear();
  EXPECT_EQ(json.value("k1", 5), 5);
}

}  // namespace
}  // namespace assay
