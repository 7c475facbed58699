"""pointwise/PD-12: type promotion: infer output dtypes according to prescribed rules; `DEFAULT` of all arguments."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

x, y = torch.tensor([3], device="cuda"), torch.tensor([0.5], device="cuda")
actual = flag_gems.minimum(x, y)
print(f"flag_gems.minimum of int64 [3] and float32 [0.5] is {actual.tolist()} in {actual.dtype}, for [0.5] in torch.float32")
sys.exit(actual.dtype != torch.float32)
