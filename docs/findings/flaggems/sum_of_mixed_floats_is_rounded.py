"""pointwise/PD-12: bf16 and f16 promote to f32; FlagGems adds in f16."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

x, y = (torch.tensor([value], device="cuda", dtype=dtype) for value, dtype in ((0.3359375, torch.bfloat16), (-1024.0, torch.float16)))
actual = flag_gems.add(x, y)
print(f"flag_gems.add(bfloat16 0.3359375, float16 -1024) is {actual.item()} in {actual.dtype}, for -1023.6640625")
sys.exit(actual.item() != -1023.6640625)
