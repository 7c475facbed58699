"""power/S2: For floats: `pow` from IEEE-754; of f64 FlagGems computes it in f32."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

x, y = (torch.tensor([value], device="cuda", dtype=torch.float64) for value in (2.0, 0.5))
actual = flag_gems.pow_tensor_tensor(x, y).item()
print(f"flag_gems.pow_tensor_tensor(2, 0.5) of float64 is {actual}, for {2**0.5}")
sys.exit(abs(actual - 2**0.5) > 1e-15)
