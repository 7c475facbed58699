#include "backends/eigen/dimensions.h"

#include <stdlib.h>
#include <string.h>

namespace assay::eigen {

Numbers Take(const AssayCall& call, const char* name,
             std::vector<bool>* is_taken) {
  Numbers dimensions;
  const char* text = nullptr;
  for (int32_t i = 0; i < call.num_attributes; ++i) {
    if (strcmp(call.attributes[i].name, name) == 0)
      text = call.attributes[i].text;
  }
  if (text == nullptr) throw Unsupported(std::string("no ") + name);
  for (text = strpbrk(text, "-0123456789"); text != nullptr;
       text = strpbrk(text, "-0123456789")) {
    char* end = nullptr;
    const int64_t d = strtoll(text, &end, 10);
    if (end == text || d < 0 || d >= std::ssize(*is_taken) ||
        (*is_taken)[static_cast<size_t>(d)])
      throw Unsupported(std::string("these ") + name);
    (*is_taken)[static_cast<size_t>(d)] = true;
    dimensions.push_back(d);
    text = end;
  }
  return dimensions;
}

Numbers Rest(const std::vector<bool>& is_taken) {
  Numbers rest;
  for (size_t d = 0; d < is_taken.size(); ++d) {
    if (!is_taken[d]) rest.push_back(static_cast<int64_t>(d));
  }
  return rest;
}

One AsOne(const DLTensor& tensor, const Numbers& dimensions) {
  One one = {1, 0};
  for (const int64_t d : dimensions) {
    const int64_t size = tensor.shape[d], stride = tensor.strides[d];
    if (size == 1) continue;
    if (stride < 0) throw Unsupported("a layout with negative strides");
    if (one.size > 1 && size > 1 && one.stride != size * stride)
      throw Unsupported("dimensions that do not lie as one");
    one = {one.size * size, stride};
  }
  return one;
}

One Next(const DLTensor& result, size_t count, int64_t* n) {
  Numbers dimensions;
  for (size_t i = 0; i < count; ++i) dimensions.push_back((*n)++);
  return AsOne(result, dimensions);
}

}  // namespace assay::eigen
