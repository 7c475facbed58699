// Tests where tensors lie on a device, what is copied, and what happens if a
// device is full or lost. The tests use a device that is host memory, and a GPU
// if there is one.
#include "backends/host/device_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "backends/host/cuda_driver.h"
#include "backends/host/fake_device_driver.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

constexpr size_t kGuard = kGuardBytes;
constexpr size_t kMebibyte = size_t{1} << 20;

// Bytes are `count` bytes in a slot, `distance` bytes from its begin or its
// end. The slot holds a different byte at each place.
class Bytes {
 public:
  enum class End { kFront, kBack };

  Bytes(Arena* arena, size_t count, End end, size_t distance = 0,
        size_t slot_bytes = 0)
      : slot_(arena->Acquire(std::max(count + distance + kGuard, slot_bytes))) {
    std::byte* const begin = end == End::kFront
                                 ? slot_.data + distance
                                 : slot_.data + slot_.bytes - distance - count;
    tensor_ = LocateTensor({{static_cast<int64_t>(count)}, ElementType::kUi8},
                           {1}, slot_, begin);
    Refill();
  }
  static std::byte At(size_t place) {
    return static_cast<std::byte>(place * 7 + place / 256);
  }
  void Refill() {
    for (size_t i = 0; i < slot_.bytes; ++i) slot_.data[i] = At(i);
  }
  const HostTensor& tensor() const { return tensor_; }
  const Slot& slot() const { return slot_; }
  // Returns the begin of the copied range, as a place in the slot.
  size_t range_begin() const {
    const auto begin = static_cast<size_t>(tensor_.begin - slot_.data);
    return begin - std::min(begin, kGuard);
  }
  size_t range_end() const {
    const auto end = static_cast<size_t>(tensor_.end - slot_.data);
    return std::min(end + kGuard, slot_.bytes);
  }

 private:
  Slot slot_;
  HostTensor tensor_;
};

using End = Bytes::End;

class DeviceMemoryTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (GetParam() == std::string("cuda")) {
      try {
        driver_ = OpenCudaDevice(0);
      } catch (const DeviceError& e) {
        GTEST_SKIP() << e.what();
      }
    } else {
      FakeDevice::Options options;
      options.is_late = GetParam() == std::string("late");
      auto fake = std::make_unique<FakeDevice>(options);
      fake_ = fake.get();
      driver_ = std::move(fake);
    }
    memory_ = std::make_unique<DeviceMemory>(driver_.get());
  }

  DevicePlacement Place(const std::vector<const Bytes*>& tensors) {
    std::vector<HostTensor> where;
    for (const Bytes* bytes : tensors) where.push_back(bytes->tensor());
    return memory_->Place(where);
  }
  void Upload(const std::vector<const DevicePlacement*>& calls) {
    memory_->Upload(calls);
    if (fake_ != nullptr) fake_->CatchUp();
  }
  std::vector<std::byte> Peek(uint64_t address, size_t bytes) {
    std::vector<std::byte> read(bytes);
    driver_->Download(read.data(), address, bytes);
    driver_->Synchronise();
    return read;
  }
  void Poke(uint64_t address, std::byte value) {
    driver_->Upload(address, &value, 1);
    driver_->Synchronise();
  }
  // Checks that the device has the copied range of a slot.
  void ExpectIsThere(const Bytes& bytes, const DevicePlacement::Range& range) {
    ASSERT_EQ(range.host, bytes.slot().data + bytes.range_begin());
    ASSERT_EQ(range.bytes, bytes.range_end() - bytes.range_begin());
    const auto there = Peek(range.device, range.bytes);
    for (size_t i = 0; i < there.size(); ++i)
      ASSERT_EQ(there[i], Bytes::At(bytes.range_begin() + i)) << i;
  }

  Arena arena_;
  std::unique_ptr<DeviceDriver> driver_;
  FakeDevice* fake_ = nullptr;  // if it is one
  std::unique_ptr<DeviceMemory> memory_;
};

INSTANTIATE_TEST_SUITE_P(Devices, DeviceMemoryTest,
                         testing::Values("fake", "late", "cuda"),
                         [](const auto& info) { return info.param; });

TEST_P(DeviceMemoryTest, ATensorIsTightWhereItIsInItsSlot) {
  for (const size_t count : {size_t{1}, size_t{5}, size_t{60000}, kMebibyte,
                             3 * kMebibyte + 13, 17 * kMebibyte + 4096}) {
    const Bytes behind(&arena_, count, End::kBack),
        in_front(&arena_, count, End::kFront);
    const DevicePlacement call = Place({&behind, &in_front});
    ASSERT_THAT(call.ranges, SizeIs(2));
    const auto& at_end = call.ranges[0];
    const auto& at_begin = call.ranges[1];
    EXPECT_EQ(call.element0[0] + count, at_end.region + at_end.region_bytes);
    EXPECT_EQ(call.element0[1], at_begin.region);
    EXPECT_EQ(at_end.region_bytes % driver_->granule(), 0);
    EXPECT_LE(at_end.region_bytes,
              std::max(driver_->granule(),
                       (count + kGuard) * 9 / 8 + driver_->granule()));
    Upload({&call});
    ExpectIsThere(behind, at_end);
    ExpectIsThere(in_front, at_begin);
    memory_->Download();
    memory_->Release(call);
  }
}

TEST_P(DeviceMemoryTest, ADistanceFromTheEndOfASlotIsKept) {
  for (const size_t distance : {size_t{3}, kGuard, size_t{5000}}) {
    const Bytes behind(&arena_, 100, End::kBack, distance),
        in_front(&arena_, 100, End::kFront, distance);
    const DevicePlacement call = Place({&behind, &in_front});
    const auto& at_end = call.ranges[0];
    EXPECT_EQ(call.element0[0] + 100 + distance,
              at_end.region + at_end.region_bytes);
    EXPECT_EQ(call.element0[1], call.ranges[1].region + distance);
    for (size_t i = 0; i < 2; ++i) {
      const Bytes& bytes = i == 0 ? behind : in_front;
      EXPECT_EQ(call.element0[i] % 4096,
                reinterpret_cast<uintptr_t>(bytes.tensor().element0) % 4096)
          << "elements stay aligned";
    }
    memory_->Release(call);
  }
}

TEST_P(DeviceMemoryTest, WhatTheDeviceLeavesComesBack) {
  Bytes tensor(&arena_, 1000, End::kBack),
      large(&arena_, 2 * kMebibyte, End::kFront);
  const DevicePlacement call = Place({&tensor, &large});
  Upload({&call});
  const uint64_t element0 = call.element0[0], large0 = call.element0[1];
  Poke(element0 + 999, std::byte{1});
  Poke(element0 - 1, std::byte{2});
  Poke(element0 - kGuard, std::byte{3});
  Poke(element0 - kGuard - 1, std::byte{4});  // beyond what is looked at
  Poke(large0 + 2 * kMebibyte + kGuard - 1, std::byte{5});
  memory_->Download();
  const auto expect = [](Bytes* bytes, int64_t from_element0, uint8_t value) {
    std::byte* const at = bytes->tensor().element0 + from_element0;
    EXPECT_EQ(*at, std::byte{value}) << from_element0;
    *at = Bytes::At(static_cast<size_t>(at - bytes->slot().data));
  };
  expect(&tensor, 999, 1);
  expect(&tensor, -1, 2);
  expect(&tensor, -int64_t{kGuard}, 3);
  expect(&large, 2 * kMebibyte + kGuard - 1, 5);
  for (const Bytes* bytes : {&tensor, &large}) {
    for (size_t i = 0; i < bytes->slot().bytes; ++i)
      ASSERT_EQ(bytes->slot().data[i], Bytes::At(i)) << i << ": nothing else";
  }
}

TEST_P(DeviceMemoryTest, AByteOfAnyPlaceComesBack) {
  Bytes a(&arena_, 700, End::kBack, 3), b(&arena_, 45, End::kFront, 7),
      c(&arena_, 1300, End::kBack);
  const DevicePlacement call = Place({&a, &b, &c});
  const std::vector<Bytes*> tensors = {&a, &b, &c};
  for (size_t k = 0; k < tensors.size(); ++k) {
    const DevicePlacement::Range& range = call.ranges[k];
    std::vector<size_t> places = {range.bytes - 1};
    for (size_t at = 0; at < range.bytes; at += 97) places.push_back(at);
    for (const size_t at : places) {
      Upload({&call});
      const std::byte other = ~range.host[at];
      Poke(range.device + at, other);
      memory_->Download();
      ASSERT_EQ(range.host[at], other) << k << ", byte " << at;
      range.host[at] = ~other;
      for (const Bytes* bytes : tensors) {
        for (size_t i = bytes->range_begin(); i < bytes->range_end(); ++i)
          ASSERT_EQ(bytes->slot().data[i], Bytes::At(i)) << i << " of others";
      }
    }
  }
}

TEST_P(DeviceMemoryTest, WhatTheDeviceDidNotChangeIsNotWritten) {
  Bytes tensor(&arena_, 2000, End::kBack);
  const DevicePlacement call = Place({&tensor});
  Upload({&call});
  std::byte* const element0 = tensor.tensor().element0;
  element0[100] = ~element0[100];
  const std::byte here = element0[100], there = ~element0[1999];
  Poke(call.element0[0] + 1999, there);
  memory_->Download();
  EXPECT_EQ(element0[1999], there);
  EXPECT_EQ(element0[100], here) << "more than a chunk away";
}

TEST_P(DeviceMemoryTest, FewerGuardBytesAreCopiedWhereFewerAreLookedAt) {
  Bytes tensor(&arena_, 100, End::kBack, 20);
  const DevicePlacement call =
      memory_->Place(std::vector<HostTensor>{tensor.tensor()}, 64);
  const DevicePlacement::Range& range = call.ranges[0];
  EXPECT_EQ(range.host, tensor.tensor().begin - 64);
  EXPECT_EQ(range.bytes, 64u + 100 + 20);
  EXPECT_EQ(call.element0[0] + 100 + 20, range.region + range.region_bytes);
  Upload({&call});
  Poke(call.element0[0] - 64, std::byte{1});
  Poke(call.element0[0] - 65, std::byte{2});
  memory_->Download();
  std::byte* const element0 = tensor.tensor().element0;
  EXPECT_EQ(element0[-64], std::byte{1});
  EXPECT_EQ(element0[-65],
            Bytes::At(static_cast<size_t>(element0 - 65 - tensor.slot().data)));
}

TEST_P(DeviceMemoryTest, TensorsOfOneSlotKeepTheirDistance) {
  const Bytes whole(&arena_, 1000, End::kBack, 64);
  const HostTensor& first = whole.tensor();
  const TensorType part_type{{2, 3}, ElementType::kI16};
  const HostTensor part =
      LocateTensor(part_type, {-30, 2}, whole.slot(), first.element0 + 100);
  EXPECT_EQ(part.begin, part.element0 - 60);
  EXPECT_EQ(part.end, part.element0 + 10);
  const TensorType none{{0, 3}, ElementType::kI16};
  const HostTensor beside =
      LocateTensor(none, {3, 1}, whole.slot(), first.begin - 100);
  const DevicePlacement call =
      memory_->Place(std::vector<HostTensor>{part, first, beside});
  ASSERT_THAT(call.ranges, SizeIs(1));
  EXPECT_EQ(call.element0[0], call.element0[1] + 100);
  EXPECT_EQ(call.element0[2], call.element0[1] - 100);
  EXPECT_EQ(call.ranges[0].host, first.begin - 100 - kGuard);
  EXPECT_EQ(call.ranges[0].bytes, kGuard + 100 + 1000 + 64);
}

TEST_P(DeviceMemoryTest, CallsOfABatchDoNotMix) {
  std::vector<std::unique_ptr<Bytes>> tensors;
  std::vector<DevicePlacement> calls;
  for (size_t i = 0; i < 40; ++i) {
    const size_t count = i == 7 ? 300000 : i * i * 3;
    tensors.push_back(std::make_unique<Bytes>(
        &arena_, count, i % 2 == 0 ? End::kBack : End::kFront));
    calls.push_back(Place({tensors.back().get()}));
  }
  std::vector<const DevicePlacement*> batch;
  for (const DevicePlacement& call : calls) batch.push_back(&call);
  for (int round = 0; round < 2; ++round) {
    const int uploads = fake_ != nullptr ? fake_->uploads : 0;
    Upload(batch);
    if (fake_ != nullptr) {
      EXPECT_EQ(fake_->uploads - uploads, 2) << "one of all, one of a large";
    }
    for (size_t i = 0; i < calls.size(); ++i) {
      ExpectIsThere(*tensors[i], calls[i].ranges[0]);
      Poke(calls[i].ranges[0].device + i, static_cast<std::byte>(i ^ 0x80));
    }
    const int downloads = fake_ != nullptr ? fake_->downloads : 0;
    memory_->Download();
    if (fake_ != nullptr) {
      EXPECT_EQ(fake_->downloads - downloads, 1) << "of the large one";
    }
    for (size_t i = 0; i < calls.size(); ++i) {
      EXPECT_EQ(calls[i].ranges[0].host[i], static_cast<std::byte>(i ^ 0x80));
      tensors[i]->Refill();
    }
  }
}

TEST_P(DeviceMemoryTest, WhatDoesNotFitIntoTheStagingIsCopiedAllTheSame) {
  constexpr size_t kCount = 250000;
  std::vector<std::unique_ptr<Bytes>> tensors;
  std::vector<DevicePlacement> calls;
  std::vector<const DevicePlacement*> batch;
  for (size_t i = 0; i * kCount < DeviceMemory::kStagingBytes + 3 * kCount;
       ++i) {
    tensors.push_back(std::make_unique<Bytes>(&arena_, kCount, End::kBack));
    calls.push_back(Place({tensors.back().get()}));
  }
  for (const DevicePlacement& call : calls) batch.push_back(&call);
  Upload(batch);
  for (const size_t i : {size_t{0}, calls.size() - 1}) {
    ExpectIsThere(*tensors[i], calls[i].ranges[0]);
    Poke(calls[i].element0[0], std::byte{0x99});
  }
  memory_->Download();
  for (const size_t i : {size_t{0}, calls.size() - 1})
    EXPECT_EQ(*tensors[i]->tensor().element0, std::byte{0x99});
}

TEST_P(DeviceMemoryTest, AnUploadMayFollowOneThatWasNotCopiedBack) {
  Bytes a(&arena_, 100, End::kBack), b(&arena_, 200, End::kBack);
  const DevicePlacement of_a = Place({&a}), of_b = Place({&b});
  const DevicePlacement* const both[] = {&of_b, &of_a};
  memory_->Upload(both);  // and may not have been done when the next begins
  Upload({&of_a});
  ExpectIsThere(a, of_a.ranges[0]);
  ExpectIsThere(b, of_b.ranges[0]);
  Poke(of_b.element0[0], std::byte{2});
  memory_->Download();
  EXPECT_EQ(*b.tensor().element0,
            Bytes::At(static_cast<size_t>(b.tensor().element0 - b.slot().data)))
      << "not of the last upload";
}

TEST_P(DeviceMemoryTest, RegionsAreUsedAgain) {
  const Bytes a(&arena_, 100, End::kBack), b(&arena_, 3000, End::kFront);
  const DevicePlacement first = Place({&a});
  EXPECT_EQ(memory_->placed_bytes(), driver_->granule());
  memory_->Release(first);
  EXPECT_EQ(memory_->placed_bytes(), 0);
  const DevicePlacement second = Place({&b});
  EXPECT_EQ(second.ranges[0].region, first.ranges[0].region);
  const DevicePlacement third = Place({&a});
  EXPECT_NE(third.ranges[0].region, second.ranges[0].region);
}

TEST_P(DeviceMemoryTest, WhatTheDeviceHasNoMemoryForIsRefused) {
  const size_t all = static_cast<size_t>(driver_->memory_bytes());
  HostTensor huge;  // placed, never touched
  huge.slot = {0, 4 * all, nullptr};
  huge.element0 = huge.begin = nullptr;
  huge.end = huge.begin + all + (size_t{1} << 30);
  const Bytes small(&arena_, 100, End::kBack);
  EXPECT_THROW(memory_->Place(std::vector<HostTensor>{small.tensor(), huge}),
               std::bad_alloc);
  EXPECT_EQ(memory_->placed_bytes(), 0) << "the small one is given back";
  EXPECT_THAT(memory_->WantOfMemory(std::vector<HostTensor>{small.tensor()}),
              HasSubstr("tensors of 1 MiB on " + driver_->name()));
  const DevicePlacement call = Place({&small});
  Upload({&call});
  ExpectIsThere(small, call.ranges[0]);
}

TEST(LocateTensor, EndsWhereTheSlotDoes) {
  Arena arena;
  const Slot slot = arena.Acquire(1000);
  const TensorType type{{4}, ElementType::kI32};
  std::byte* const end = slot.data + slot.bytes;
  EXPECT_EQ(LocateTensor(type, {1}, slot, end - 16).end, end);
  EXPECT_EQ(LocateTensor(type, {1}, slot, end - 15).end, end - 3);
  EXPECT_EQ(LocateTensor(type, {-1}, slot, slot.data + 12).begin, slot.data);
  EXPECT_EQ(LocateTensor(type, {-1}, slot, slot.data + 11).begin,
            slot.data + 3);
  const HostTensor endless =
      LocateTensor(type, {INT64_MAX / 2}, slot, slot.data + 100);
  EXPECT_EQ(endless.begin, slot.data);
  EXPECT_EQ(endless.end, end);
  EXPECT_THROW(LocateTensor(type, {1}, slot, slot.data - 1), std::out_of_range);
  EXPECT_THROW(LocateTensor(type, {1}, slot, end + 1), std::out_of_range);
}

// The address space beside a region is not mapped, on either side.
TEST(FakeDevice, FaultsBesideARegion) {
  const auto touch = [](bool in_front) {
    FakeDevice device;
    Arena arena;
    DeviceMemory memory(&device);
    const Bytes bytes(&arena, 100, in_front ? End::kFront : End::kBack);
    const DevicePlacement call =
        memory.Place(std::vector<HostTensor>{bytes.tensor()});
    auto* const element0 =
        reinterpret_cast<volatile std::byte*>(call.element0[0]);
    element0[in_front ? 0 : 99];
    element0[in_front ? -1 : 100];
  };
  EXPECT_DEATH(touch(true), "");
  EXPECT_DEATH(touch(false), "");
}

TEST(FakeDevice, FewRegionsAreKept) {
  FakeDevice::Options options;
  options.memory_bytes = 64 * kMebibyte;  // kept: 4 MiB, two regions
  constexpr size_t kStaging = DeviceMemory::kStagingBytes;
  FakeDevice device(options);
  Arena arena;
  DeviceMemory memory(&device);
  EXPECT_EQ(memory.most_placed_bytes(), 4 * kMebibyte);
  std::vector<Bytes> tensors;
  std::vector<DevicePlacement> calls;
  for (int i = 0; i < 5; ++i) {
    tensors.emplace_back(&arena, 100, End::kBack);
    calls.push_back(
        memory.Place(std::vector<HostTensor>{tensors.back().tensor()}));
  }
  EXPECT_EQ(device.used_bytes(), kStaging + 10 * kMebibyte);
  for (const DevicePlacement& call : calls) memory.Release(call);
  EXPECT_EQ(device.used_bytes(), kStaging + 4 * kMebibyte);
  const Bytes large(&arena, 48 * kMebibyte - kGuard, End::kBack);
  const DevicePlacement call =
      memory.Place(std::vector<HostTensor>{large.tensor()});
  EXPECT_EQ(device.used_bytes(), kStaging + 48 * kMebibyte);
}

TEST(FakeDevice, NothingIsWaitedForBetweenUploadAndDownload) {
  FakeDevice device;
  Arena arena;
  DeviceMemory memory(&device);
  const Bytes bytes(&arena, 100, End::kBack);
  const DevicePlacement call =
      memory.Place(std::vector<HostTensor>{bytes.tensor()});
  const DevicePlacement* const calls[] = {&call};
  for (int i = 0; i < 2; ++i) {
    const int waits = device.waits;
    memory.Upload(calls);
    EXPECT_EQ(device.waits, waits);
    memory.Download();
    EXPECT_EQ(device.waits, waits + 2);
  }
}

TEST(FakeDevice, AFaultIsToldWithItsPlace) {
  FakeDevice device;
  Arena arena;
  DeviceMemory memory(&device);
  const Bytes bytes(&arena, 100, End::kBack);
  const DevicePlacement call =
      memory.Place(std::vector<HostTensor>{bytes.tensor()});
  const DevicePlacement* const calls[] = {&call};
  memory.Upload(calls);
  device.Fail("SOME_FAULT");
  EXPECT_THAT([&] { memory.Download(); },
              testing::ThrowsMessage<DeviceError>(
                  HasSubstr("SOME_FAULT, from Synchronise")));
}

TEST(CudaDevice, HasItsKernelsForOldGpus) {
  const std::string ptx = kCopyKernelsPtx;
  if (ptx.empty()) GTEST_SKIP() << "no clang for NVPTX made them";
  for (const char* part : {".version 7.0\n", ".target sm_70\n",
                           ".entry assay_spread(", ".entry assay_collect("})
    EXPECT_THAT(ptx, HasSubstr(part));
}

// What a GPU does where the fake device has the host's protection.
TEST(CudaDevice, AnAccessBesideARegionIsAnError) {
  std::unique_ptr<DeviceDriver> device;
  try {
    device = OpenCudaDevice(0);
  } catch (const DeviceError& e) {
    GTEST_SKIP() << e.what();
  }
  device.reset();
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto touch = [](int64_t from_region) {
    const auto driver = OpenCudaDevice(0);
    const size_t bytes = driver->granule();
    const uint64_t list = driver->Map(bytes), region = driver->Map(bytes);
    const DevicePiece piece = {
        list + 1024, from_region < 0 ? region - 16 : region + bytes, 16};
    try {
      driver->Upload(list, reinterpret_cast<const std::byte*>(&piece),
                     sizeof(piece));
      driver->Spread(list, 1);
      driver->Synchronise();
    } catch (const DeviceError& e) {
      std::fputs(e.what(), stderr);
      _exit(7);
    }
    _exit(0);
  };
  EXPECT_EXIT(touch(-1), testing::ExitedWithCode(7),
              "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EXIT(touch(1), testing::ExitedWithCode(7),
              "CUDA_ERROR_ILLEGAL_ADDRESS");
}

}  // namespace
}  // namespace assay
