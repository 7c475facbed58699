// Tests that the catalog and the table of hooks agree, and shows the bugs that
// the suite cannot show on the host: those of batches, which the runner makes
// for devices only.
//
// Another test (`assay mutants`) checks that the suite notices the other bugs.
#include "backends/broken/cuda/bugs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "backends/backend.h"

extern "C" const AssayBackend* assay_backend(void);

namespace assay::cuda {
namespace {

using testing::AnyOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

nlohmann::json Catalogue() {
  std::ifstream file(ASSAY_SOURCE_DIR "/backends/broken/cuda/bugs.json");
  return nlohmann::json::parse(file);
}

TEST(Bugs, CatalogueAndTableAgree) {
  std::map<std::string, std::string> catalogued, planted;
  for (const auto& bug : Catalogue()) {
    catalogued[bug["id"]] = bug["hook"];
    EXPECT_THAT(bug["devices"].get<std::vector<std::string>>(),
                AnyOf(ElementsAre("cuda"), ElementsAre("cuda", "cuda-host")))
        << bug["id"];
  }
  for (const PlantedBug& bug : PlantedBugs()) planted[bug.id] = bug.hook;
  EXPECT_EQ(catalogued, planted);
  EXPECT_EQ(Catalogue().size(), catalogued.size()) << "an id stands twice";
  EXPECT_EQ(PlantedBugs().size(), planted.size()) << "an id stands twice";
}

TEST(Configure, PlantsAndRefuses) {
  const auto configure = assay_backend()->configure;
  char message[1024] = "";
  EXPECT_EQ(configure("bug", "LA01", message, sizeof(message)), ASSAY_OK);
  EXPECT_TRUE(IsActive(Bug::kLA01));
  EXPECT_EQ(configure("bug", "LA03", message, sizeof(message)), ASSAY_OK);
  EXPECT_FALSE(IsActive(Bug::kLA01)) << "one bug at a time";
  EXPECT_EQ(configure("bug", "LA", message, sizeof(message)), ASSAY_ERROR);
  EXPECT_THAT(message,
              HasSubstr("broken-cuda-host has no bug 'LA'; it has LA01 LA03"));
  EXPECT_EQ(configure("seed", "1", message, sizeof(message)), ASSAY_ERROR);
  EXPECT_THAT(message, HasSubstr("no option 'seed'; it has 'bug'"));
}

// A Vector is an operand of calls. Its elements have 32 bits.
struct Vector {
  template <class T>
  Vector(uint8_t code, std::vector<T>* values)
      : size(static_cast<int64_t>(values->size())) {
    static_assert(sizeof(T) == 4);
    tensor.tensor = {values->data(), {kDLCPU, 0}, 1, {code, 32, 1},
                     &size,          &stride,     0};
    tensor.type = "";
  }
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;

  int64_t size;
  int64_t stride = 1;
  AssayTensor tensor = {};
};

AssayCall CallOf(const char* op, const AssayTensor (&inputs)[2],
                 const Vector& output) {
  AssayCall call = {};
  call.struct_size = sizeof(call);
  call.op = op;
  call.num_inputs = 2;
  call.inputs = inputs;
  call.num_outputs = 1;
  call.outputs = &output.tensor;
  return call;
}

void RunTogether(const std::vector<AssayCall>& calls) {
  std::vector<int32_t> statuses(calls.size(), -1);
  std::vector<char> messages(calls.size() * 128);
  EXPECT_EQ(assay_backend()->run_batch(calls.data(), calls.size(),
                                       statuses.data(), messages.data(), 128),
            ASSAY_OK);
  EXPECT_THAT(statuses, Each(ASSAY_OK)) << messages.data();
}

// A job on signed numbers follows one on unsigned numbers.
TEST(Batches, AJobWithTheParametersOfItsNeighbour) {
  std::vector<int32_t> a = {-1}, b = {1}, largest = {0}, greatest = {0};
  const Vector x(kDLUInt, &a), y(kDLUInt, &b), of_unsigned(kDLUInt, &largest);
  const Vector u(kDLInt, &a), v(kDLInt, &b), of_signed(kDLInt, &greatest);
  const AssayTensor first[] = {x.tensor, y.tensor},
                    second[] = {u.tensor, v.tensor};
  for (const auto& [bug, result] :
       {std::pair(Bug::kNone, 1), {Bug::kBT01, -1}}) {
    ActiveBug() = bug;
    RunTogether({CallOf("maximum", first, of_unsigned),
                 CallOf("maximum", second, of_signed)});
    EXPECT_THAT(largest, ElementsAre(-1));
    EXPECT_THAT(greatest, ElementsAre(result));
  }
}

// A small operand is converted, and added to a large one.
TEST(Batches, ALaterStageThatRunsFirst) {
  std::vector<int32_t> small = {40};
  std::vector<float> large(10000, 2), sum(10000);
  const Vector a(kDLInt, &small), b(kDLFloat, &large), result(kDLFloat, &sum);
  const AssayTensor operands[] = {a.tensor, b.tensor};
  static constexpr char kPromotion[] = R"([[0, 1, "DEFAULT"]])";
  const AssayAttribute promotion = {
      "promotion_methods", kPromotion, nullptr, {}};
  AssayCall call = CallOf("pointwise.add", operands, result);
  call.num_attributes = 1;
  call.attributes = &promotion;
  ActiveBug() = Bug::kNone;
  RunTogether({call});
  EXPECT_THAT(sum, Each(42));
  ActiveBug() = Bug::kBT02;
  // The intermediate memory may still hold what was converted before.
  small[0] = 50;
  RunTogether({call});
  EXPECT_THAT(sum, testing::Contains(testing::Ne(52)));
}

}  // namespace
}  // namespace assay::cuda
