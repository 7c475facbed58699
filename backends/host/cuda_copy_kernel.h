// The kernels behind DeviceDriver::Spread and Collect, as text that the driver
// compiles: one block for each piece. PTX of this age loads on every GPU from
// Volta on.
//
// nvcc made it of the following, and its first lines were set back to the
// oldest version that ptxas accepts it under. A warp collects a chunk at a
// time.
//
//   struct Piece { unsigned long long staged, placed, bytes; };
//   typedef unsigned long long Size;
//
//   extern "C" __global__ void assay_spread(const Piece* pieces) {
//     const Piece piece = pieces[blockIdx.x];
//     const unsigned char* from = (const unsigned char*)piece.staged;
//     unsigned char* to = (unsigned char*)piece.placed;
//     Size head = (0 - (Size)to) & 15;
//     if (head > piece.bytes) head = piece.bytes;
//     const Size words = (piece.bytes - head) / 16;
//     const Size tail = head + words * 16;
//   #pragma unroll 1
//     for (Size i = threadIdx.x; i < head; i += blockDim.x) to[i] = from[i];
//   #pragma unroll 1
//     for (Size i = threadIdx.x; i < words; i += blockDim.x)
//       ((uint4*)(to + head))[i] = ((const uint4*)(from + head))[i];
//   #pragma unroll 1
//     for (Size i = tail + threadIdx.x; i < piece.bytes; i += blockDim.x)
//       to[i] = from[i];
//   }
//
//   extern "C" __global__ void assay_collect(const Piece* pieces,
//                                            const unsigned char* staged,
//                                            unsigned char* host,
//                                            unsigned char* changed) {
//     const Piece piece = pieces[blockIdx.x];
//     const Size begin = piece.staged - (Size)staged;
//     const Size end = begin + piece.bytes;
//     const unsigned char* placed =
//         (const unsigned char*)(piece.placed - begin);
//   #pragma unroll 1
//     for (Size chunk = begin / 512 + threadIdx.x / 32; chunk * 512 < end;
//          chunk += blockDim.x / 32) {
//       const Size at = chunk * 512 + threadIdx.x % 32 * 16;
//       const Size first = at > begin ? at : begin;
//       const Size last = at + 16 < end ? at + 16 : end;
//       const bool is_whole = last == first + 16;
//       bool differs = false;
//       uint4 word = {};
//       if (is_whole) {
//         word = *(const uint4*)(placed + at);
//         const uint4 old = *(const uint4*)(staged + at);
//         differs = word.x != old.x || word.y != old.y || word.z != old.z ||
//                   word.w != old.w;
//       } else {
//   #pragma unroll 1
//         for (Size i = first; i < last; ++i)
//           differs |= placed[i] != staged[i];
//       }
//       if (!__any_sync(~0u, differs)) continue;
//       if (is_whole) {
//         *(uint4*)(host + at) = word;
//       } else {
//   #pragma unroll 1
//         for (Size i = first; i < last; ++i) host[i] = placed[i];
//       }
//       if (threadIdx.x % 32 == 0) changed[chunk] = 1;
//     }
//   }
#ifndef ASSAY_BACKENDS_HOST_CUDA_COPY_KERNEL_H_
#define ASSAY_BACKENDS_HOST_CUDA_COPY_KERNEL_H_

namespace assay {

inline constexpr char kSpreadKernelName[] = "assay_spread";
inline constexpr char kCollectKernelName[] = "assay_collect";
inline constexpr unsigned kCopyKernelThreads = 256;

inline constexpr char kCopyKernelPtx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry assay_spread(
  .param .u64 assay_spread_param_0
)
{
  .reg .pred   %p<7>;
  .reg .b16   %rs<3>;
  .reg .b32   %r<15>;
  .reg .b64   %rd<40>;
  ld.param.u64   %rd19, [assay_spread_param_0];
  cvta.to.global.u64   %rd20, %rd19;
  mov.u32   %r1, %ctaid.x;
  mul.wide.u32   %rd21, %r1, 24;
  add.s64   %rd22, %rd20, %rd21;
  ld.global.u64   %rd23, [%rd22];
  cvta.to.global.u64   %rd1, %rd23;
  ld.global.u64   %rd2, [%rd22+8];
  neg.s64   %rd24, %rd2;
  and.b64   %rd25, %rd24, 15;
  ld.global.u64   %rd3, [%rd22+16];
  min.u64   %rd4, %rd25, %rd3;
  sub.s64   %rd5, %rd3, %rd4;
  shr.u64   %rd6, %rd5, 4;
  mov.u32   %r2, %tid.x;
  cvt.u64.u32   %rd38, %r2;
  setp.le.u64   %p1, %rd4, %rd38;
  @%p1 bra   $L__BB0_3;
  mov.u32   %r3, %ntid.x;
  cvt.u64.u32   %rd8, %r3;
  mov.u64   %rd37, %rd38;
$L__BB0_2:
  .pragma "nounroll";
  add.s64   %rd26, %rd1, %rd37;
  ld.global.u8   %rs1, [%rd26];
  add.s64   %rd27, %rd2, %rd37;
  st.u8   [%rd27], %rs1;
  add.s64   %rd37, %rd37, %rd8;
  setp.lt.u64   %p2, %rd37, %rd4;
  @%p2 bra   $L__BB0_2;
$L__BB0_3:
  setp.le.u64   %p3, %rd6, %rd38;
  @%p3 bra   $L__BB0_6;
  add.s64   %rd11, %rd2, %rd4;
  add.s64   %rd12, %rd1, %rd4;
  mov.u32   %r12, %ntid.x;
$L__BB0_5:
  .pragma "nounroll";
  shl.b64   %rd28, %rd38, 4;
  add.s64   %rd29, %rd11, %rd28;
  add.s64   %rd30, %rd12, %rd28;
  ld.global.v4.u32   {%r4, %r5, %r6, %r7}, [%rd30];
  st.v4.u32   [%rd29], {%r4, %r5, %r6, %r7};
  cvt.u64.u32   %rd31, %r12;
  add.s64   %rd38, %rd38, %rd31;
  setp.lt.u64   %p4, %rd38, %rd6;
  @%p4 bra   $L__BB0_5;
$L__BB0_6:
  cvt.u64.u32   %rd32, %r2;
  add.s64   %rd33, %rd4, %rd32;
  and.b64   %rd34, %rd5, -16;
  add.s64   %rd39, %rd33, %rd34;
  setp.ge.u64   %p5, %rd39, %rd3;
  @%p5 bra   $L__BB0_9;
  mov.u32   %r14, %ntid.x;
  cvt.u64.u32   %rd16, %r14;
$L__BB0_8:
  .pragma "nounroll";
  add.s64   %rd35, %rd1, %rd39;
  ld.global.u8   %rs2, [%rd35];
  add.s64   %rd36, %rd2, %rd39;
  st.u8   [%rd36], %rs2;
  add.s64   %rd39, %rd39, %rd16;
  setp.lt.u64   %p6, %rd39, %rd3;
  @%p6 bra   $L__BB0_8;
$L__BB0_9:
  ret;
}
.visible .entry assay_collect(
  .param .u64 assay_collect_param_0,
  .param .u64 assay_collect_param_1,
  .param .u64 assay_collect_param_2,
  .param .u64 assay_collect_param_3
)
{
  .reg .pred   %p<24>;
  .reg .b16   %rs<5>;
  .reg .b32   %r<50>;
  .reg .b64   %rd<48>;
  ld.param.u64   %rd22, [assay_collect_param_0];
  ld.param.u64   %rd23, [assay_collect_param_1];
  ld.param.u64   %rd24, [assay_collect_param_2];
  ld.param.u64   %rd21, [assay_collect_param_3];
  cvta.to.global.u64   %rd1, %rd24;
  cvta.to.global.u64   %rd2, %rd23;
  mov.u32   %r12, %ctaid.x;
  cvta.to.global.u64   %rd25, %rd22;
  mul.wide.u32   %rd26, %r12, 24;
  add.s64   %rd27, %rd25, %rd26;
  ld.global.u64   %rd28, [%rd27];
  sub.s64   %rd3, %rd28, %rd23;
  ld.global.u64   %rd29, [%rd27+16];
  add.s64   %rd4, %rd29, %rd3;
  ld.global.u64   %rd30, [%rd27+8];
  sub.s64   %rd5, %rd30, %rd3;
  shr.u64   %rd31, %rd3, 9;
  mov.u32   %r1, %tid.x;
  shr.u32   %r13, %r1, 5;
  cvt.u64.u32   %rd32, %r13;
  add.s64   %rd45, %rd31, %rd32;
  shl.b64   %rd44, %rd45, 9;
  setp.ge.u64   %p4, %rd44, %rd4;
  @%p4 bra   $L__BB1_15;
  shl.b32   %r14, %r1, 4;
  and.b32   %r15, %r14, 496;
  cvt.u64.u32   %rd8, %r15;
  cvta.to.global.u64   %rd41, %rd21;
$L__BB1_2:
  .pragma "nounroll";
  add.s64   %rd11, %rd44, %rd8;
  max.u64   %rd47, %rd11, %rd3;
  add.s64   %rd33, %rd11, 16;
  min.u64   %rd13, %rd33, %rd4;
  add.s64   %rd14, %rd47, 16;
  setp.eq.s64   %p5, %rd13, %rd14;
  @%p5 bra   $L__BB1_6;
  bra.uni   $L__BB1_3;
$L__BB1_6:
  add.s64   %rd36, %rd5, %rd11;
  ld.v4.u32   {%r46, %r47, %r48, %r49}, [%rd36];
  add.s64   %rd37, %rd2, %rd11;
  ld.global.v4.u32   {%r31, %r32, %r33, %r34}, [%rd37];
  setp.ne.s32   %p10, %r46, %r31;
  setp.ne.s32   %p11, %r47, %r32;
  or.pred   %p12, %p11, %p10;
  setp.ne.s32   %p13, %r48, %r33;
  or.pred   %p14, %p13, %p12;
  setp.ne.s32   %p15, %r49, %r34;
  or.pred   %p23, %p15, %p14;
  bra.uni   $L__BB1_7;
$L__BB1_3:
  setp.ge.u64   %p7, %rd47, %rd13;
  mov.pred   %p23, 0;
  mov.u32   %r46, 0;
  mov.u32   %r47, %r46;
  mov.u32   %r48, %r46;
  mov.u32   %r49, %r46;
  @%p7 bra   $L__BB1_7;
  mov.u32   %r46, 0;
  mov.u64   %rd46, %rd47;
  mov.u32   %r45, %r46;
$L__BB1_5:
  .pragma "nounroll";
  add.s64   %rd34, %rd5, %rd46;
  add.s64   %rd35, %rd2, %rd46;
  ld.global.u8   %rs1, [%rd35];
  ld.u8   %rs2, [%rd34];
  setp.ne.s16   %p8, %rs2, %rs1;
  selp.u32   %r25, 1, 0, %p8;
  or.b32   %r26, %r45, %r25;
  setp.ne.s32   %p23, %r26, 0;
  selp.u32   %r45, 1, 0, %p23;
  add.s64   %rd46, %rd46, 1;
  setp.lt.u64   %p9, %rd46, %rd13;
  mov.u32   %r47, %r46;
  mov.u32   %r48, %r46;
  mov.u32   %r49, %r46;
  @%p9 bra   $L__BB1_5;
$L__BB1_7:
  mov.u32   %r39, -1;
  vote.sync.any.pred   %p16, %p23, %r39;
  not.pred   %p17, %p16;
  @%p17 bra   $L__BB1_14;
  @%p5 bra   $L__BB1_11;
  bra.uni   $L__BB1_9;
$L__BB1_11:
  add.s64   %rd40, %rd1, %rd11;
  st.global.v4.u32   [%rd40], {%r46, %r47, %r48, %r49};
  bra.uni   $L__BB1_12;
$L__BB1_9:
  setp.ge.u64   %p19, %rd47, %rd13;
  @%p19 bra   $L__BB1_12;
$L__BB1_10:
  .pragma "nounroll";
  add.s64   %rd38, %rd5, %rd47;
  ld.u8   %rs3, [%rd38];
  add.s64   %rd39, %rd1, %rd47;
  st.global.u8   [%rd39], %rs3;
  add.s64   %rd47, %rd47, 1;
  setp.lt.u64   %p20, %rd47, %rd13;
  @%p20 bra   $L__BB1_10;
$L__BB1_12:
  and.b32   %r42, %r1, 31;
  setp.ne.s32   %p21, %r42, 0;
  @%p21 bra   $L__BB1_14;
  add.s64   %rd42, %rd41, %rd45;
  mov.u16   %rs4, 1;
  st.global.u8   [%rd42], %rs4;
$L__BB1_14:
  mov.u32   %r43, %ntid.x;
  shr.u32   %r44, %r43, 5;
  cvt.u64.u32   %rd43, %r44;
  add.s64   %rd45, %rd45, %rd43;
  shl.b64   %rd44, %rd45, 9;
  setp.lt.u64   %p22, %rd44, %rd4;
  @%p22 bra   $L__BB1_2;
$L__BB1_15:
  ret;
}
)";

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_CUDA_COPY_KERNEL_H_
