"""compare/S9: For floats: `compareQuietGreaterEqual` from IEEE-754; of f64 FlagGems converts the first to f32."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

x, y = (torch.tensor([value], device="cuda", dtype=torch.float64) for value in (1.0 - 2**-53, 1.0))
actual = flag_gems.ge(x, y).item()
print(f"flag_gems.ge(1 - 2**-53, 1) of float64 is {actual}, for False")
sys.exit(actual)
