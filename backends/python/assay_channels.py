"""The channels of a worker to the runner, and the refusal of a session before it is open.

On import it takes the channels for itself, points descriptor 1 at standard error and gives descriptor 0 nothing to read, so that
no library can speak between two answers or swallow a message. Until a session is served, an exception that nobody caught, such
as that of an import, is answered as the reason why there is none.
"""

import json
import os
import sys

from assay_call import Crash, Invalid, Unsupported

CHUNK = 1 << 16  # bytes asked for in one read: what a pipe holds
REASON = 300  # characters of an exception that a refusal quotes


def _take_channels():
    channels = os.dup(0), os.dup(1)  # not inherited by child processes
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr  # not a second buffer in front of the same descriptor
    return channels


CHANNELS = INPUT, OUTPUT = _take_channels()


def refuse(why):
    """Answers the first message with the reason why the worker cannot start, and ends."""
    if _is_asked():
        write(as_line({"error": why}))
    sys.exit(1)


def _is_asked():
    seen = b""
    while not seen.endswith(b"\n"):
        chunk = os.read(INPUT, CHUNK)
        if not chunk:
            return False
        seen += chunk
    return True


def _refuse_import(kind, error, trace):
    """Refuses the session for an exception before `serve`: a library is missing, is of another version, or fails."""
    if _is_asked():
        write(as_line({"error": reason_of(error) + remedy()}))
        sys.exit(1)
    sys.__excepthook__(kind, error, trace)


sys.excepthook = _refuse_import


def reason_of(error):
    """Returns an exception as one line, with the version of the library that lacks a module or an attribute."""
    text = " ".join(describe(error).split())
    module = error.name if isinstance(error, ImportError) else getattr(getattr(error, "obj", None), "__name__", None)
    library = str(module).partition(".")[0]
    version = getattr(sys.modules.get(library), "__version__", None)
    return text[:REASON] + (f" ({library} {version})" if version else "")


def remedy():
    """Returns what makes the environment that this worker needs, if there is such a thing."""
    folder, script = os.path.split(os.path.abspath(sys.argv[0]))
    name = script.removesuffix("_worker.py")
    requirements = os.path.join(folder, f"requirements-{name}.txt")
    if not os.path.exists(requirements):
        return ""
    is_source = os.path.exists(os.path.join(folder, "../../tools/dev"))
    return f"; run tools/dev backend {name}" if is_source else f"; install {requirements}"


def describe(error):
    own = isinstance(error, (Unsupported, Invalid, Crash))
    text = str(error) if own else f"{type(error).__name__}: {error}"
    # Half of a surrogate pair would be written as an escape that strict parsers refuse.
    return text[:4096].encode("utf-8", "replace").decode("utf-8")


def as_line(answer):
    return json.dumps(answer).encode() + b"\n"


def write(data):
    while data:
        data = data[os.write(OUTPUT, data) :]
