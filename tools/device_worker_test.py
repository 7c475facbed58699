#!/usr/bin/env python3
"""A worker that runs calls together is tested line by line for behavior that no run of cases shows.

Usage: device_worker_test.py ASSAY
"""
import json
import mmap
import os
import struct
import subprocess
import unittest

from command_test_support import ASSAY, CommandTest

FAKE = os.path.join(os.path.dirname(ASSAY), "fake_device_worker")
MIB = 1 << 20


class Talk:
    """A session with the simd backend on a device that is host memory."""

    def __init__(self, test, *arguments, size=4 * MIB):
        self.file = os.memfd_create("test")
        os.ftruncate(self.file, size)
        self.memory = mmap.mmap(self.file, size)
        self.process = subprocess.Popen([FAKE, "simd", *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        test.addCleanup(self.close)
        self.send({"hello": {"protocol": 1, "memory": f"/proc/{os.getpid()}/fd/{self.file}",
                             "bytes": size, "limit": 1 << 40, "options": {}}})
        self.hello = json.loads(self.process.stdout.readline())["hello"]

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.memory.close()
        os.close(self.file)

    def send(self, *messages):
        """Sends the messages in one write, so that they arrive together."""
        self.process.stdin.write("".join(json.dumps(m) + "\n" for m in messages))
        self.process.stdin.flush()

    def answers(self, count):
        return [json.loads(self.process.stdout.readline()) for _ in range(count)]

    def page(self):
        return struct.unpack_from("<5Q", self.memory, 0)

    def tensor(self, begin, size=65536, count=4):
        """Returns an i32 tensor at the end of the buffer [begin, begin + size)."""
        return {"type": f"tensor<{count}xi32>", "strides": [1], "at": begin + size - 4 * count,
                "buffer": [begin, size]}

    def add(self, number, lhs, rhs, result):
        return {"call": number, "op": "add", "inputs": [lhs, rhs], "outputs": [result]}

    def write(self, tensor, values):
        struct.pack_into(f"<{len(values)}i", self.memory, tensor["at"], *values)

    def read(self, tensor, count=4):
        return list(struct.unpack_from(f"<{count}i", self.memory, tensor["at"]))


class DeviceWorkerTest(CommandTest):
    def test_hello_says_how_many_calls_it_takes(self):
        self.assertEqual(Talk(self).hello["batch"], 512)

    def test_calls_that_share_a_buffer_see_what_earlier_ones_left(self):
        talk = Talk(self)
        one, sum_ = talk.tensor(4096), talk.tensor(4096 + 65536)
        talk.write(one, [1, 2, 3, 4])
        talk.write(sum_, [0, 0, 0, 0])
        talk.send(*[talk.add(i, sum_, one, sum_) for i in range(1, 6)])
        self.assertEqual([a["status"] for a in talk.answers(5)], ["ok"] * 5)
        self.assertEqual(talk.read(sum_), [5, 10, 15, 20])

    def test_the_first_page_names_the_calls_that_ran_together(self):
        talk = Talk(self, size=16 * MIB)
        calls = []
        for i in range(40):
            begin = 4096 + 3 * 65536 * i
            operands = [talk.tensor(begin + 65536 * k) for k in range(3)]
            talk.write(operands[0], [i] * 4)
            talk.write(operands[1], [1] * 4)
            calls.append(talk.add(i + 1, *operands))
        talk.send(*calls)
        self.assertEqual([a["call"] for a in talk.answers(40)], list(range(1, 41)))
        started, _, _, _, last = talk.page()
        self.assertEqual(last, 40)
        self.assertLess(started, 40, "the last of them ran together")
        for i, call in enumerate(calls):
            self.assertEqual(talk.read(call["outputs"][0]), [i + 1] * 4)
        talk.send(talk.add(41, *[talk.tensor(4096 + 65536 * k) for k in range(3)]))
        talk.answers(1)
        self.assertEqual(talk.page()[0], 41)
        self.assertEqual(talk.page()[4], 41, "alone")

    def test_a_large_call_runs_alone(self):
        talk = Talk(self, size=64 * MIB)
        small = [talk.tensor(4096 + 65536 * k) for k in range(3)]
        large = [talk.tensor(MIB + 8 * MIB * k, 8 * MIB, MIB) for k in range(3)]
        talk.write(large[0], [3] * MIB)
        talk.write(large[1], [4] * MIB)
        talk.send(talk.add(1, *small), talk.add(2, *large))
        self.assertEqual([a["status"] for a in talk.answers(2)], ["ok"] * 2)
        self.assertEqual((talk.page()[0], talk.page()[4]), (2, 2))
        self.assertEqual(talk.read(large[2], MIB), [7] * MIB)

    def test_calls_that_wait_make_room(self):
        # There is room for three tensors, and for their copies.
        talk = Talk(self, "22")
        for _ in range(2):
            talk.send(*[talk.add(i + 1, *[talk.tensor(4096 + 65536 * (3 * i + k)) for k in range(3)])
                        for i in range(10)])
            self.assertEqual([a["status"] for a in talk.answers(10)], ["ok"] * 10)

    def test_a_call_without_room_is_answered_in_its_turn(self):
        talk = Talk(self, "22", size=64 * MIB)
        small = [talk.tensor(4096 + 65536 * k) for k in range(3)]
        others = [talk.tensor(4096 + 65536 * k) for k in range(3, 6)]
        large = [talk.tensor(MIB + 8 * MIB * k, 8 * MIB, MIB) for k in range(3)]
        talk.send(talk.add(1, *small), talk.add(2, *large), talk.add(3, *others))
        answers = talk.answers(3)
        self.assertEqual([a["status"] for a in answers], ["ok", "memory", "ok"])
        self.assertIn("no memory left for tensors of 13 MiB on a fake device", answers[1]["message"])

    def test_what_came_before_nonsense_is_answered(self):
        talk = Talk(self)
        small = [talk.tensor(4096 + 65536 * k) for k in range(3)]
        outside = {**small[2], "at": small[2]["buffer"][0] - 4}
        for number, nonsense in ((1, "no message"), (1, {"call": 2, "op": "add",
                                                         "inputs": [outside], "outputs": []})):
            talk = Talk(self)
            talk.send(talk.add(number, *small), nonsense)
            self.assertEqual([a["status"] for a in talk.answers(1)], ["ok"])
            self.assertNotEqual(talk.process.wait(timeout=20), 0)

    def test_the_end_of_the_input_is_the_end_once_all_is_answered(self):
        talk = Talk(self)
        talk.send(talk.add(1, *[talk.tensor(4096 + 65536 * k) for k in range(3)]))
        talk.process.stdin.close()
        self.assertEqual([a["status"] for a in talk.answers(1)], ["ok"])
        self.assertEqual(talk.process.wait(timeout=20), 0)


if __name__ == "__main__":
    unittest.main()
