// The kernels behind DeviceDriver::Spread and Collect: one block for each
// piece. The build compiles them to PTX by clang, whose output says the age
// that it is asked for, so that any driver of a GPU from Volta on loads it;
// nvcc's needs a driver of nvcc's age. No header of CUDA is read.

namespace {

using Size = unsigned long long;
using Byte = unsigned char;
// What one thread moves at a time.
using Word = Size __attribute__((ext_vector_type(2)));

struct Piece {
  Size staged, placed, bytes;
};

__attribute__((device)) inline unsigned Thread() {
  return __nvvm_read_ptx_sreg_tid_x();
}
__attribute__((device)) inline unsigned NumThreads() {
  return __nvvm_read_ptx_sreg_ntid_x();
}
__attribute__((device)) inline unsigned Block() {
  return __nvvm_read_ptx_sreg_ctaid_x();
}

}  // namespace

extern "C" __attribute__((global)) void assay_spread(const Piece* pieces) {
  const Piece piece = pieces[Block()];
  const Byte* from = (const Byte*)piece.staged;
  Byte* to = (Byte*)piece.placed;
  Size head = -piece.placed % sizeof(Word);
  if (head > piece.bytes) head = piece.bytes;
  const Size words = (piece.bytes - head) / sizeof(Word);
  const Size tail = head + words * sizeof(Word);
#pragma unroll 1
  for (Size i = Thread(); i < head; i += NumThreads()) to[i] = from[i];
#pragma unroll 1
  for (Size i = Thread(); i < words; i += NumThreads())
    ((Word*)(to + head))[i] = ((const Word*)(from + head))[i];
#pragma unroll 1
  for (Size i = tail + Thread(); i < piece.bytes; i += NumThreads())
    to[i] = from[i];
}

// A warp collects a chunk at a time.
extern "C" __attribute__((global)) void assay_collect(const Piece* pieces,
                                                      const Byte* staged,
                                                      Byte* host,
                                                      Byte* changed) {
  constexpr unsigned kWarp = 32;
  constexpr Size kChunk = kWarp * sizeof(Word);
  const Piece piece = pieces[Block()];
  const Size begin = piece.staged - (Size)staged;
  const Size end = begin + piece.bytes;
  const Byte* placed = (const Byte*)(piece.placed - begin);
#pragma unroll 1
  for (Size chunk = begin / kChunk + Thread() / kWarp; chunk * kChunk < end;
       chunk += NumThreads() / kWarp) {
    const Size at = chunk * kChunk + Thread() % kWarp * sizeof(Word);
    const Size first = at > begin ? at : begin;
    const Size last = at + sizeof(Word) < end ? at + sizeof(Word) : end;
    const bool is_whole = last == first + sizeof(Word);
    bool differs = false;
    Word word = 0;
    if (is_whole) {
      word = *(const Word*)(placed + at);
      const Word old = *(const Word*)(staged + at);
      differs = word.x != old.x || word.y != old.y;
    } else {
#pragma unroll 1
      for (Size i = first; i < last; ++i) differs |= placed[i] != staged[i];
    }
    if (!__nvvm_vote_any_sync(~0u, differs)) continue;
    if (is_whole) {
      *(Word*)(host + at) = word;
    } else {
#pragma unroll 1
      for (Size i = first; i < last; ++i) host[i] = placed[i];
    }
    if (Thread() % kWarp == 0) changed[chunk] = 1;
  }
}
