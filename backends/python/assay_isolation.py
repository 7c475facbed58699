"""Runs the calls of a worker in a child process, for libraries that end the process on bad input.

Such a death is then an answer like any other, with what the library said last, and another child
costs one fork: nothing is imported again, and the runner need not start another worker. The child
takes one message after the other, so that what it compiled is still there for the next one.
"""

import os
import signal

LAST_WORDS = 1 << 16  # bytes of standard error that are read


class Child:
    """A process that answers messages. `answer` makes an answer, one line, of a message."""

    def __init__(self, answer, close):
        self._answer = answer
        self._close = close  # descriptors that the child must not hold
        self._stderr = os.memfd_create("stderr")
        self._pid = None

    def ask(self, message, begun):
        """Returns (answer, None), or (None, how it died) if the message ends the child.

        A child that was dead before `begun` says that it took this message up is not the fault of
        this message, which another child gets.
        """
        is_new = self._pid is None
        if is_new:
            self._fork()
        try:
            os.write(self._to_child, b"%d\n" % len(message))
            _write(self._to_child, message)
            answer = self._from_child.readline()
        except BrokenPipeError:
            answer = b""
        if answer.endswith(b"\n"):
            return answer, None
        death = self._wait()
        return self.ask(message, begun) if not is_new and not begun() else (None, death)

    def end(self):
        """Ends the child. The next message gets another one."""
        if self._pid is not None:
            self._wait()

    def _fork(self):
        from_parent, self._to_child = os.pipe()
        from_child, to_parent = os.pipe()
        self._from_child = os.fdopen(from_child, "rb")
        self._pid = os.fork()
        if self._pid == 0:
            try:
                for descriptor in (self._to_child, from_child, *self._close):
                    os.close(descriptor)
                os.dup2(self._stderr, 1)
                os.dup2(self._stderr, 2)
                self._serve(os.fdopen(from_parent, "rb"), to_parent)
            finally:
                os._exit(1)  # whatever was raised, the rest of the parent's program is not the child's
        os.close(from_parent)
        os.close(to_parent)

    def _serve(self, messages, answers):
        while size := messages.readline():
            # Only what is said from here on belongs to this message.
            os.ftruncate(2, 0)
            os.lseek(2, 0, os.SEEK_SET)
            _write(answers, self._answer(messages.read(int(size))))
        os._exit(0)

    def _wait(self):
        """Waits for the child's end. Returns how it ended, and its last words."""
        os.close(self._to_child)
        self._from_child.close()
        _, status = os.waitpid(self._pid, 0)
        self._pid = None
        size = os.fstat(self._stderr).st_size
        words = os.pread(self._stderr, LAST_WORDS, max(0, size - LAST_WORDS))
        os.write(2, words)
        os.ftruncate(self._stderr, 0)
        if os.WIFSIGNALED(status):
            return signal.Signals(os.WTERMSIG(status)).name, words.decode(errors="replace")
        return f"exit status {os.WEXITSTATUS(status)}", words.decode(errors="replace")


def _write(descriptor, data):
    while data:
        data = data[os.write(descriptor, data) :]
