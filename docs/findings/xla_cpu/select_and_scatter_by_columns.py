"""select_and_scatter/S5: works exactly like `reduce_window`, in order: of equals the first, by rows, is selected."""
import sys

import jax
import numpy as np
from jax._src.lax.windowed_reductions import _select_and_scatter

x, source, window, padding = np.int32([[0, 1], [1, 0]]), np.int32([[5, 7]]), (2, 2), [(0, 0), (1, 0)]
actual = _select_and_scatter(x, jax.lax.ge, window, (1, 1), padding, source, np.int32(0), jax.lax.add).tolist()
print(f"select_and_scatter of [[5, 7]] by the first 1 of windows of [[0, 1], [1, 0]] is {actual}, for [[0, 7], [5, 0]]")
sys.exit(actual != [[0, 7], [5, 0]])
