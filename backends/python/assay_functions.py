"""Reads functions.json: by which function a library computes an op, what differs, and why that one.

A row without an adapter in the worker is called with the operands in order. `assay list backends --ops` prints the table.
"""

import functools
import json
import os

from assay_call import Unsupported

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "functions.json")


class Functions:
    """The functions of one library, as functions of (call, *operands, *outputs).

    `name` is the library's column, `module` what its functions are looked up in, `version` what a refusal names, and
    `adapters` are functions of the worker by op, for ops whose attributes the library takes in another form. With `takes_out`
    the library's own functions are given `out`.
    """

    def __init__(self, name, module, version, adapters, takes_out=False):
        with open(TABLE, encoding="utf-8") as file:
            self._rows = {op: row[name] for op, row in json.load(file).items() if name in row}
        self._name = name
        self._module = module
        self._library = f"{name} {version}"
        self.adapters = adapters
        self._takes_out = takes_out

    def __getitem__(self, op):
        """Returns the function, or raises Unsupported with the reason that the table has."""
        if op in self.adapters:
            return self.adapters[op]
        plain = self.plain(op)
        if self._takes_out:
            return lambda call, *operands_and_out: plain(*operands_and_out[:-1], out=operands_and_out[-1])
        return lambda call, *operands_and_out: plain(*operands_and_out[:-1])

    @functools.lru_cache(None)
    def plain(self, op):
        """Returns the library's function that takes the operands in order, or raises Unsupported."""
        row = self._rows.get(op)
        if row is None:
            raise Unsupported(f"{self._library} has no row for {op}")
        if "none" in row:
            raise Unsupported(f"{op}: {row['none']}")
        function = self._module
        for part in row["function"].split(".")[1:]:
            function = getattr(function, part, None)
        if not callable(function):
            raise Unsupported(f"{self._library} has no {row['function']}")
        return function
