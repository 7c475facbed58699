"""What adapters of several libraries share: how attributes become arguments, by arithmetic on shapes alone."""

import math
import typing

from assay_attributes import numbers
from assay_call import Unsupported


class Adapters(dict):
    """Functions of a worker by op, for ops that its library takes in another form.

    `@adapters` adds a function under its own name, `@adapters.of("and", "or")` under these.
    """

    def __init__(self):
        super().__init__()
        self._results = {}

    def __call__(self, function):
        return self.of(function.__name__.rstrip("_"))(function)

    def of(self, *ops, results=1):
        """Adds a function under the names of ops. It returns a tuple if they have several results."""
        def add(function):
            for op in ops:
                self[op] = function
                self._results[op] = results
            return function

        return add

    def check(self, call):
        """Declines captured values, and more results than the op's adapter says that there are. A plain function has one."""
        if call.captures or len(call.outputs) != self._results.get(call.op, 1):
            raise Unsupported(f"{call.op} of several operands, or of captured values")


def compare_direction(call, library):
    """Takes the attributes of a compare, and returns EQ, NE, GE, GT, LE or LT. The total order of floats is no library's."""
    if call.attributes.pop("compare_type").text == "TOTALORDER":
        raise Unsupported(f"compare: {library} has no total order")
    return call.attributes.pop("comparison_direction").text


def read_broadcast(call, shape, rank):
    """Takes the dimensions of a broadcast_in_dim, and returns how an operand of a shape gets the rank of the result.

    Its dimensions are put in the order of the result's, and then it is reshaped, to 1 where the result has others.
    """
    dimensions = numbers(call, "broadcast_dimensions")
    sizes = [1] * rank
    for dimension, size in zip(dimensions, shape):
        sizes[dimension] = size
    return sorted(range(len(shape)), key=dimensions.__getitem__), sizes


def along(dimension, rank):
    """Returns the shape in which a vector lies along a dimension."""
    return [-1 if d == dimension else 1 for d in range(rank)]


def read_window(call):
    """Takes the attributes of a reduce_window: sizes, strides, dilations of the operand and of the window, and padding."""
    return numbers(call, "window_dimensions", "window_strides", "base_dilations", "window_dilations", "padding")


def read_matrices(call, lhs, rhs):
    """Takes the attributes of a dot_general, and returns how shapes become those of matrices, in batches.

    The two sides are each the order of the dimensions, and the shape that the operand is then reshaped to. The product of both
    has the elements of the result in their order.
    """
    batch, contracted = (numbers(call, f"lhs_{kind}_dimensions", f"rhs_{kind}_dimensions") for kind in ("batching", "contracting"))
    call.attributes.pop("precision_config", None)
    if call.attributes:
        raise Unsupported("an algorithm")
    rows, columns = ([d for d in range(len(shape)) if d not in batch[side] and d not in contracted[side]]
                     for side, shape in enumerate((lhs, rhs)))
    sizes = [lhs[d] for d in batch[0]]
    terms = math.prod(lhs[d] for d in contracted[0])
    return ((batch[0] + rows + contracted[0], sizes + [math.prod(lhs[d] for d in rows), terms]),
            (batch[1] + contracted[1] + columns, sizes + [terms, math.prod(rhs[d] for d in columns)]))


class Convolution(typing.NamedTuple):
    """The attributes of a convolution. `padding` has two numbers for each dimension of the window."""

    strides: list
    padding: list
    lhs_dilation: list
    rhs_dilation: list
    reversal: list
    groups: int
    batch_groups: int
    # The dimensions of each tensor: the batch, the feature and those of the window, of the kernel the output feature and the input
    # feature in place of the first two.
    lhs: list
    rhs: list
    out: list

    @property
    def result(self):
        """The order in which the dimensions of a result, in that order, are put for the call."""
        return [self.out.index(dimension) for dimension in range(len(self.out))]


def read_convolution(call):
    """Takes the attributes of a convolution."""
    attributes = numbers(call, "window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_reversal",
                         "feature_group_count", "batch_group_count")
    call.attributes.pop("precision_config", None)
    return Convolution(*attributes, *(
        [*numbers(call, f"{name}_{first}_dimension", f"{name}_{second}_dimension"), *numbers(call, f"{name}_spatial_dimensions")]
        for name, first, second in (("input", "batch", "feature"), ("kernel", "output_feature", "input_feature"),
                                    ("output", "batch", "feature"))))
