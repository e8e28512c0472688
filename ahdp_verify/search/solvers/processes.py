"""Z3 and cvc5: the same SMT-LIB 2 text to each, one word and perhaps a model back, never taking
much longer than the seconds given.

Each solver lives in a process of its own, this very file run as a script, because solvers do not
always respect their own time limit: the process ends itself when its time is over, and the next
question starts another. cvc5 is an extra of the package; without it the answer is a refusal that
names what to install.

>>> z3_answer("(set-logic QF_LRA)(declare-const x Real)(assert (< (* 2.0 x) 1.0 x))(check-sat)", 10).word
'unsat'
>>> z3_answer("(set-logic QF_LRA)(declare-const |$x| Real)(assert (= (* 2.0 |$x|) 1.0))(check-sat)", 10).values
{'$x': Fraction(1, 2)}
"""

from __future__ import annotations

import atexit
import faulthandler
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

if __name__ != "__main__":  # a solver's process imports nothing else of the package
    from ahdp_verify.kernel import effort
from ahdp_verify.search import resources

MISSING = "cvc5, the second solver, is not installed; install ahdp-verify[cvc5]"
OVER = "out of time"
LONGEST = (
    10**6
)  # seconds that a solver is given at most: its limit is a whole number of milliseconds
LARGEST = 8192  # bits of a value that is returned
# bytes of address space that a solver's process takes before it is asked anything; measured: 300 to
# 500 million
ITSELF = 600_000_000
GRACE = 0.5  # seconds by which a solver may overrun its own limit before its process ends itself
# Nonlinear questions are left to cylindrical algebraic coverings, restricted to what a candidate
# model needs; if these fail, a second question adds linearisation, since on whole numbers coverings
# alone may overrun their time limit. Measured on 293 obligations of the proofs folder in 2 s each:
# cvc5's own settings leave 35 open, these 8.
Options = tuple[tuple[str, str], ...]
COVERINGS: Options = (("nl-cov", "true"), ("nl-rlv", "always"), ("nl-ext", "none"))
BOTH: Options = (("nl-cov", "true"), ("nl-rlv", "always"))


@dataclass(frozen=True, slots=True)
class SolverAnswer:
    """The answer of a solver: "unsat", "sat" or "unknown", the reason of an unknown, and for sat
    the values of the constants (rounded if irrational).
    """

    word: str
    reason: str = ""
    values: dict[str, Fraction] = field(default_factory=dict)


@cache
def z3_version() -> str:
    """The name and the version of Z3, as records hold it."""
    import z3  # noqa: PLC0415 - slow to load

    return f"z3 {z3.get_version_string()}"


@cache
def cvc5_version() -> str:
    """The name and the version of cvc5, as records hold it; nothing where it is not installed."""
    try:
        import cvc5  # noqa: PLC0415 - it is an extra, and slow to load
    except ImportError:
        return ""
    return f"cvc5 {cvc5.__version__}"


def z3_answer(text: str, seconds: float) -> SolverAnswer:
    """Z3's answer to an SMT-LIB text within so many seconds."""
    return _Z3.ask(text, seconds)


def cvc5_answer(text: str, seconds: float) -> SolverAnswer:
    """cvc5's answer to an SMT-LIB text within so many seconds."""
    if not cvc5_version():
        return SolverAnswer("unknown", MISSING)
    start = time.monotonic()
    answer = _CVC5.ask(text, seconds / 2, COVERINGS)
    return (
        answer
        if answer.word != "unknown"
        else _CVC5.ask(text, seconds - (time.monotonic() - start), BOTH)
    )


class Worker:
    """A process that answers questions to one solver; started when first asked, and again after
    it had to end.
    """

    def __init__(self, solver: str) -> None:
        self.solver, self.process = solver, None  # type: str, subprocess.Popen[str] | None
        self.lock = threading.Lock()

    def ask(self, text: str, seconds: float, options: Options = ()) -> SolverAnswer:
        """The solver's answer; "unknown" if its process ended over it."""
        seconds = min(seconds, effort.seconds_left(), LONGEST)
        if seconds <= 0:
            return SolverAnswer("unknown", OVER)
        with self.lock:
            start, before, room = time.monotonic(), self._used(), effort.memory_left()
            line = self._exchange(
                json.dumps(
                    {
                        "text": text,
                        "seconds": seconds,
                        "options": options,
                        "bytes": room and room + ITSELF,
                    }
                )
            )
            after = self._used()
            taken = (
                time.monotonic() - start if after is None or not line else after - (before or 0.0)
            )
            if line:
                word, reason, values = json.loads(line)
                resources.charge_seconds(
                    max(taken, seconds) if (word, reason) == ("unknown", OVER) else taken
                )
                return SolverAnswer(word, reason, {k: Fraction(v) for k, v in values.items()})
            resources.charge_seconds(taken)
            self._end()
            return SolverAnswer(
                "unknown", OVER if time.monotonic() - start >= seconds else "its process ended"
            )

    def _used(self) -> float | None:
        """The processor time of the process so far; None where the system does not tell, or the
        process has ended.
        """
        try:
            with open(
                f"/proc/{self.process.pid if self.process is not None else 0}/stat", "rb"
            ) as file:
                fields = file.read().rpartition(b")")[2].split()
            return (
                (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
                if fields[0] != b"Z"
                else None
            )
        except (OSError, ValueError, IndexError):
            return None

    def close(self) -> None:
        """No process is left."""
        with self.lock:
            self._end()

    def _end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        self.process = None

    def _exchange(self, question: str) -> str:
        if self.process is None or self.process.poll() is not None:
            pipe, command = (
                subprocess.PIPE,
                [sys.executable, "-P", os.path.abspath(__file__), self.solver, str(os.getpid())],
            )
            with hold_signals():
                self.process = subprocess.Popen(
                    command,
                    stdin=pipe,
                    stdout=pipe,
                    stderr=subprocess.DEVNULL,
                    text=True,
                    encoding="utf-8",
                )
        if self.process.stdin is None or self.process.stdout is None:
            return ""
        try:
            self.process.stdin.write(question + "\n")
            self.process.stdin.flush()
            return self.process.stdout.readline()
        except OSError:
            return ""
        # whatever ends the question ends the process, which would answer the next one with this
        # one's answer
        except BaseException:
            self._end()
            raise


@contextmanager
def hold_signals() -> Iterator[None]:
    """SIGINT and SIGTERM wait until a child is started and known; the child never takes them,
    and is ended by its parent.

    The mask is what the child inherits.  It does not hold back a signal that another thread takes
    (those of NumPy, once it is loaded), whose handler runs here all the same: so handlers wait too.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    held = (signal.SIGINT, signal.SIGTERM)
    came: list[int] = []
    before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
    handlers = {}
    if threading.current_thread() is threading.main_thread():
        handlers = {number: signal.getsignal(number) for number in held}
        handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
    try:
        for number in handlers:
            signal.signal(number, lambda taken, frame: came.append(taken))
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for taken in dict.fromkeys(came):
            signal.raise_signal(taken)


def end_with_parent(parent: int) -> None:
    """This process ends when its parent does, however that ends: at once on Linux, within a
    second elsewhere.
    """
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - only a solver's process needs it

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            os._exit(1)
        return

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=look, daemon=True).start()


_Z3, _CVC5 = Worker("z3"), Worker("cvc5")
atexit.register(_Z3.close)
atexit.register(_CVC5.close)


# inside the process of a solver


def serve_questions(solver: str) -> None:
    """Answers the questions on standard input, one line each, until there are no more."""
    version, answer = {"z3": (z3_version, _by_z3), "cvc5": (cvc5_version, _by_cvc5)}[solver]
    version()  # the solver is loaded before memory is limited, and so that no question waits for it
    sys.set_int_max_str_digits(0)
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        for line in sys.stdin:
            question = json.loads(line)
            _limit_memory(question["bytes"])
            faulthandler.dump_traceback_later(question["seconds"] + GRACE, exit=True, file=nowhere)
            found = answer(question["text"], question["seconds"], question["options"])
            faulthandler.cancel_dump_traceback_later()
            print(
                json.dumps(
                    [found.word, found.reason, {k: str(v) for k, v in found.values.items()}]
                ),
                flush=True,
            )


def _limit_memory(most: int | None) -> None:
    """The system gives this process at most so many bytes; what needs more fails, and its
    process may end.
    """
    try:
        import resource  # noqa: PLC0415 - it is not on every system

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        soft = hard if most is None else most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    except (ImportError, OSError, ValueError):
        return


def _milliseconds(seconds: float) -> int:
    return max(1, int(1000 * seconds))


def _plain(reason: str) -> str:
    short = " ".join(reason.removeprefix("b'").split())[:100].strip("()'").lower()
    return (
        OVER
        if re.search("timeout|cancel|resource", short, re.IGNORECASE)
        else short or "the solver gave up"
    )


def _by_z3(text: str, seconds: float, options: Options) -> SolverAnswer:
    import z3  # noqa: PLC0415 - slow to load

    solver = z3.Solver(ctx=z3.Context())
    for option, value in (("timeout", _milliseconds(seconds)), *options):
        solver.set(option, value)
    try:
        solver.from_string(text)
        word = str(solver.check())
        return SolverAnswer(
            word,
            _plain(solver.reason_unknown()) if word == "unknown" else "",
            _values(solver.model()) if word == "sat" else {},
        )
    except z3.Z3Exception as error:
        return SolverAnswer("unknown", _plain(str(error)))


def _values(model: Any) -> dict[str, Fraction]:
    listed = {str(declaration.name()): _value(model[declaration]) for declaration in model.decls()}
    return {
        n: v
        for n, v in listed.items()
        if v is not None and max(abs(v.numerator), v.denominator).bit_length() <= LARGEST
    }


def _value(value: Any) -> Fraction | None:
    import z3  # noqa: PLC0415 - slow to load

    if z3.is_algebraic_value(value):
        value = value.approx(30)
    if z3.is_int_value(value):
        return Fraction(value.as_long())
    return Fraction(value.as_fraction()) if z3.is_rational_value(value) else None


def _by_cvc5(text: str, seconds: float, options: Options) -> SolverAnswer:
    import cvc5  # noqa: PLC0415 - it is an extra, and slow to load

    solver = cvc5.Solver(cvc5.TermManager())
    for option, value in (("tlimit-per", str(_milliseconds(seconds))), *options):
        solver.setOption(option, value)
    parser, said = cvc5.InputParser(solver), ""
    try:
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
        while not (command := parser.nextCommand()).isNull():
            said = str(command.invoke(solver, parser.getSymbolManager())).strip() or said
    except RuntimeError as error:
        return SolverAnswer("unknown", _plain(str(error)))
    word, _, reason = said.partition(" ")
    return (
        SolverAnswer(word, _plain(reason) if word == "unknown" else "")
        if word in ("unsat", "sat", "unknown")
        else SolverAnswer("unknown", _plain(said))
    )


if __name__ == "__main__":
    end_with_parent(int(sys.argv[2]))
    serve_questions(sys.argv[1])
