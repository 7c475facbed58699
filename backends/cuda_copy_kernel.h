// The kernel behind DeviceDriver::Move, as text that the driver compiles: one
// block for each piece. PTX of this age loads on every GPU from Volta on.
//
// nvcc made it of the following, and its first lines were set back to the
// oldest version that ptxas accepts it under.
//
//   struct Piece { unsigned long long from, to, bytes; };
//   extern "C" __global__ void assay_copy(const Piece* pieces,
//                                         unsigned reverse) {
//     typedef unsigned long long Size;
//     const Piece piece = pieces[blockIdx.x];
//     const unsigned char* from =
//         (const unsigned char*)(reverse ? piece.to : piece.from);
//     unsigned char* to = (unsigned char*)(reverse ? piece.from : piece.to);
//     Size head = (0 - (Size)to) & 15;
//     if (head > piece.bytes) head = piece.bytes;
//     const Size words = (piece.bytes - head) / 16;
//     const Size tail = head + words * 16;
//     for (Size i = threadIdx.x; i < head; i += blockDim.x) to[i] = from[i];
//     for (Size i = threadIdx.x; i < words; i += blockDim.x)
//       ((uint4*)(to + head))[i] = ((const uint4*)(from + head))[i];
//     for (Size i = tail + threadIdx.x; i < piece.bytes; i += blockDim.x)
//       to[i] = from[i];
//   }
#ifndef ASSAY_BACKENDS_CUDA_COPY_KERNEL_H_
#define ASSAY_BACKENDS_CUDA_COPY_KERNEL_H_

namespace assay {

inline constexpr char kCopyKernelName[] = "assay_copy";
inline constexpr unsigned kCopyKernelThreads = 256;

inline constexpr char kCopyKernelPtx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry assay_copy(
  .param .u64 assay_copy_param_0,
  .param .u32 assay_copy_param_1
)
{
  .reg .pred   %p<8>;
  .reg .b16   %rs<3>;
  .reg .b32   %r<19>;
  .reg .b64   %rd<50>;
  ld.param.u64   %rd17, [assay_copy_param_0];
  ld.param.u32   %r1, [assay_copy_param_1];
  cvta.to.global.u64   %rd18, %rd17;
  mov.u32   %r2, %ctaid.x;
  mul.wide.u32   %rd19, %r2, 24;
  add.s64   %rd20, %rd18, %rd19;
  setp.eq.s32   %p1, %r1, 0;
  ld.global.u64   %rd21, [%rd20+8];
  ld.global.u64   %rd22, [%rd20];
  selp.b64   %rd1, %rd22, %rd21, %p1;
  selp.b64   %rd2, %rd21, %rd22, %p1;
  neg.s64   %rd23, %rd2;
  and.b64    %rd24, %rd23, 15;
  ld.global.u64   %rd3, [%rd20+16];
  min.u64   %rd4, %rd24, %rd3;
  mov.u32   %r3, %tid.x;
  cvt.u64.u32   %rd25, %r3;
  setp.le.u64   %p2, %rd4, %rd25;
  @%p2 bra   $L__BB0_3;
  cvt.u64.u32   %rd47, %r3;
  mov.u32   %r5, %ntid.x;
$L__BB0_2:
  add.s64   %rd26, %rd1, %rd47;
  ld.u8   %rs1, [%rd26];
  add.s64   %rd27, %rd2, %rd47;
  st.u8   [%rd27], %rs1;
  cvt.u64.u32   %rd28, %r5;
  add.s64   %rd47, %rd47, %rd28;
  setp.lt.u64   %p3, %rd47, %rd4;
  @%p3 bra   $L__BB0_2;
$L__BB0_3:
  sub.s64   %rd30, %rd3, %rd4;
  shr.u64   %rd31, %rd30, 4;
  setp.le.u64   %p4, %rd31, %rd25;
  @%p4 bra   $L__BB0_6;
  add.s64   %rd8, %rd2, %rd4;
  add.s64   %rd9, %rd1, %rd4;
  mov.u32   %r16, %ntid.x;
  mov.u64   %rd48, %rd25;
$L__BB0_5:
  shl.b64   %rd32, %rd48, 4;
  add.s64   %rd33, %rd8, %rd32;
  add.s64   %rd34, %rd9, %rd32;
  ld.v4.u32   {%r8, %r9, %r10, %r11}, [%rd34];
  st.v4.u32   [%rd33], {%r8, %r9, %r10, %r11};
  cvt.u64.u32   %rd35, %r16;
  add.s64   %rd48, %rd48, %rd35;
  setp.lt.u64   %p5, %rd48, %rd31;
  @%p5 bra   $L__BB0_5;
$L__BB0_6:
  add.s64   %rd42, %rd4, %rd25;
  and.b64    %rd44, %rd30, -16;
  add.s64   %rd49, %rd42, %rd44;
  setp.ge.u64   %p6, %rd49, %rd3;
  @%p6 bra   $L__BB0_9;
  mov.u32   %r18, %ntid.x;
  cvt.u64.u32   %rd14, %r18;
$L__BB0_8:
  add.s64   %rd45, %rd1, %rd49;
  ld.u8   %rs2, [%rd45];
  add.s64   %rd46, %rd2, %rd49;
  st.u8   [%rd46], %rs2;
  add.s64   %rd49, %rd49, %rd14;
  setp.lt.u64   %p7, %rd49, %rd3;
  @%p7 bra   $L__BB0_8;
$L__BB0_9:
  ret;
}
)";

}  // namespace assay

#endif  // ASSAY_BACKENDS_CUDA_COPY_KERNEL_H_
