"""The backend `python:noop` answers and computes nothing.

The time of a run with it is the protocol's part of any Python worker's time. It declines every
call; `python:noop?status=ok` claims success, so that every case is sent as often as it would be
to a worker that computes, and is judged `not_written`.
"""

import assay_worker

claims_success = False


def set_status(text):
    global claims_success
    if text not in ("ok", "unsupported"):
        raise ValueError(f"status is ok or unsupported, not {text!r}")
    claims_success = text == "ok"


def run(call):
    if not claims_success:
        raise assay_worker.Unsupported("computes nothing")
    call.attributes.clear()
    call.regions.clear()


if __name__ == "__main__":
    assay_worker.serve("noop", "1", run, options={"status": set_status})
