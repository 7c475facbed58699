// This header has a call for each planted bug of the ops that move elements by
// indices that are operands on which it shows, as small as possible.
#ifndef ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_WINDOW_CALLS_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_WINDOW_CALLS_TEST_SUPPORT_H_

#include <map>
#include <string>
#include <vector>

#include "backends/broken/bugs/revealing_layout_calls_test_support.h"
#include "backends/broken/bugs/revealing_region_calls_test_support.h"

namespace assay::broken {

// Returns the texts, and those of the defaults that have other names.
inline Texts WithDefaults(Texts texts, const Texts& defaults) {
  texts.insert(defaults.begin(), defaults.end());
  return texts;
}

// Returns a call that gathers single elements of a vector, if the texts do not
// say otherwise.
inline LayoutCall GatherOf(Placed operand, Placed indices, Placed result,
                           const Texts& texts = {}) {
  return Move("gather", {std::move(operand), std::move(indices)},
              std::move(result),
              WithDefaults(texts, {{"offset_dims", "[]"},
                                   {"collapsed_slice_dims", "[0]"},
                                   {"operand_batching_dims", "[]"},
                                   {"start_indices_batching_dims", "[]"},
                                   {"start_index_map", "[0]"},
                                   {"index_vector_dim", "1"},
                                   {"slice_sizes", "[1]"}}));
}

// Returns a call that gathers an element of the vector 1, 2, 3, 4.
inline LayoutCall GatherAt(const DLDataType& type, int64_t index) {
  return GatherOf(CountingIn({4}), Dense(type, {1}, {index}), Dense(kI8, {1}));
}

// Returns a call that scatters to single elements of a vector, if the texts do
// not say otherwise. It has an input for each of the updates.
inline LayoutCall ScatterOf(const AssayFunction* function,
                            std::vector<Placed> inputs, const Placed& indices,
                            const std::vector<Placed>& updates,
                            const Texts& texts = {}) {
  std::vector<Placed> results;
  for (const Placed& input : inputs)
    results.push_back(Dense(input.type, input.shape));
  const auto count = static_cast<int32_t>(inputs.size());
  inputs.push_back(indices);
  inputs.insert(inputs.end(), updates.begin(), updates.end());
  return {"scatter",
          std::move(inputs),
          std::move(results),
          WithDefaults(texts, {{"update_window_dims", "[]"},
                               {"inserted_window_dims", "[0]"},
                               {"input_batching_dims", "[]"},
                               {"scatter_indices_batching_dims", "[]"},
                               {"scatter_dims_to_operand_dims", "[0]"},
                               {"index_vector_dim", "1"}}),
          {},
          function,
          {count, 1, count}};
}

// Returns a call that scatters 1, 2, .. to the vector 1, 2, .. of a size.
inline LayoutCall ScatterTo(const AssayFunction* function, int64_t size,
                            const Values& indices) {
  const auto count = static_cast<int64_t>(indices.size());
  return ScatterOf(function, {CountingIn({size})},
                   Dense(kI64, {count}, indices), {CountingIn({count})});
}

// Returns a call that scatters a window of two elements to a vector of two.
inline LayoutCall ScatterPairAt(const AssayFunction* function, int64_t index) {
  return ScatterOf(function, {Dense(kI8, {2}, {5, 6})}, OneOf(kI64, index),
                   {CountingIn({2})},
                   {{"update_window_dims", "[0]"},
                    {"inserted_window_dims", "[]"},
                    {"index_vector_dim", "0"}});
}

// Returns a call that takes one element of a vector.
inline LayoutCall SliceAt(int64_t size, const DLDataType& type, int64_t start) {
  return Move("dynamic_slice", {CountingIn({size}), OneOf(type, start)},
              Dense(kI8, {1}), {{"slice_sizes", "[1]"}});
}

inline LayoutCall DimensionSizeOf(const std::vector<int64_t>& shape) {
  return Move("get_dimension_size", {CountingIn(shape)}, Dense(kI32, {}),
              {{"dimension", "0"}});
}

inline const std::map<std::string, LayoutCall>& RevealingWindowCalls() {
  static const AssayFunction* const add = Binary("add", kOfI8, "add");
  static const AssayFunction* const assign = Arguments({kOfI8, kOfI8}, {1});
  static const AssayFunction* const assign_both =
      Arguments({kOfI8, kOfI8, kOfI8, kOfI8}, {2, 3});
  static const Placed square = CountingIn({2, 2});
  // The tuple of indices is the first dimension of the tensor of indices.
  static const Texts two_indices = {{"collapsed_slice_dims", "[0, 1]"},
                                    {"index_vector_dim", "0"},
                                    {"slice_sizes", "[1, 1]"}};
  static const LayoutCall square_of_indices =
      GatherOf(CountingIn({4}), Dense(kI64, {2, 2}, {0, 1, 2, 3}),
               Dense(kI8, {2, 2}), {{"index_vector_dim", "2"}});
  static const Placed two_counting = CountingIn({2});
  static const std::map<std::string, LayoutCall> calls = {
      {"IX01", GatherAt(kUi8, 200)},
      {"IX02", GatherAt(kI8, -1)},
      {"IX03", GatherAt(kI64, int64_t{1} << 32)},
      {"IX04", GatherAt(kI32, 1 << 16)},
      {"IX05", ScatterTo(add, 1, {-1})},
      {"IX06", GatherAt(kI64, -1)},
      {"IX07",
       GatherOf(CountingIn({4}), {kI8, {2}, {2}, {1, 2}}, Dense(kI8, {2}))},
      {"IX10", GatherAt(kI64, 4)},
      {"IX11", GatherAt(kI64, -1)},
      {"IX12", GatherAt(kI64, 3)},
      {"IX13", GatherAt(kI64, 4)},
      {"IX14", GatherAt(kI64, -1)},
      {"IX15", GatherAt(kI64, 1)},
      {"IX20", GatherOf(CountingIn({3, 3, 3}), Dense(kI64, {3}, {0, 1, 2}),
                        Dense(kI8, {}),
                        {{"collapsed_slice_dims", "[0, 1, 2]"},
                         {"start_index_map", "[1, 2, 0]"},
                         {"index_vector_dim", "0"},
                         {"slice_sizes", "[1, 1, 1]"}})},
      {"IX21",
       GatherOf(square, Dense(kI64, {2}, {0, 1}), Dense(kI8, {}),
                WithDefaults({{"start_index_map", "[1, 0]"}}, two_indices))},
      {"IX22", GatherOf(CountingIn({2, 2, 1}),
                        Dense(kI64, {2, 2}, {0, 0, 0, 0}), Dense(kI8, {2, 2}),
                        {{"collapsed_slice_dims", "[2]"},
                         {"operand_batching_dims", "[0, 1]"},
                         {"start_indices_batching_dims", "[1, 0]"},
                         {"start_index_map", "[2]"},
                         {"index_vector_dim", "2"},
                         {"slice_sizes", "[1, 1, 1]"}})},
      {"IX23",
       GatherOf(CountingIn({2, 1}), Dense(kI64, {2}, {0, 0}), Dense(kI8, {2}),
                {{"collapsed_slice_dims", "[1]"},
                 {"operand_batching_dims", "[0]"},
                 {"start_indices_batching_dims", "[0]"},
                 {"start_index_map", "[1]"},
                 {"slice_sizes", "[1, 1]"}})},
      {"IX24", GatherOf(square, OneOf(kI64, 0), Dense(kI8, {2, 2}),
                        {{"offset_dims", "[0, 1]"},
                         {"collapsed_slice_dims", "[]"},
                         {"index_vector_dim", "0"},
                         {"slice_sizes", "[2, 2]"}})},
      {"IX25", square_of_indices},
      {"IX26", square_of_indices},
      {"IX27", GatherOf(square, OneOf(kI64, 1), Dense(kI8, {}), two_indices)},
      {"IX30", ScatterPairAt(assign, 1)},
      {"IX31", ScatterPairAt(assign, -1)},
      {"IX32", ScatterTo(add, 1, {0})},
      {"IX33", ScatterTo(add, 1, {1})},
      {"IX34", ScatterTo(add, 1, {-1})},
      {"IX35", ScatterTo(add, 128, {100})},
      {"IX40", ScatterTo(add, 1, {0, 0})},
      {"IX41", ScatterTo(add, 1, {0, 0})},
      {"IX42", ScatterTo(add, 1, {0, 0})},
      {"IX43", ScatterTo(add, 1, {0})},
      {"IX44", ScatterOf(assign, {Dense(kI8, {1}, {5})}, OneOf(kI64, 0),
                         {OneOf(kI8, 1)}, {{"index_vector_dim", "0"}})},
      {"IX45",
       ScatterOf(assign_both, {CountingIn({1}), CountingIn({1})},
                 Dense(kI64, {2}, {0, 0}), {two_counting, two_counting})},
      {"IX46", ScatterTo(add, 1, {0})},
      {"IX48", ScatterTo(add, 1, {0, 0})},
      {"IX50", SliceAt(300, kI8, 100)},
      {"IX51", Move("dynamic_slice", {square, OneOf(kI64, 0), OneOf(kI64, 1)},
                    Dense(kI8, {1, 1}), {{"slice_sizes", "[1, 1]"}})},
      {"IX52", SliceAt(2, kI64, 2)},
      {"IX53", SliceAt(2, kI64, 1)},
      {"IX54", SliceAt(2, kI64, -1)},
      {"IX55", SliceAt(2, kI64, 2)},
      {"IX56",
       Move("dynamic_update_slice",
            {two_counting, CountingIn({1}), OneOf(kI64, 2)}, Dense(kI8, {2}))},
      {"IX60", DimensionSizeOf({1, 2})},
      {"IX61", DimensionSizeOf({1 << 15})},
  };
  return calls;
}

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_WINDOW_CALLS_TEST_SUPPORT_H_
