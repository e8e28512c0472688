"""Importing this module makes `repr` of everything in a claim, a proof or a refutation short.

The classes are those of the kernel, which has no code for display, so it is attached from outside,
as in `ahdp_verify/display/notebook.py`; `ahdp_verify/public.py` imports both.

>>> from ahdp_verify.kernel.terms.expression import log, number
>>> W = Domain([(0, 1), (1, log(2))])
>>> W, W.records[1], Multiset(W, [0, 2]), Output("s", "real"), 2 * log(number(3))
(Domain(2 records), Record(1, log(2)), Multiset('{2 x (1, log(2))}'), Output('s', real), Expression('2*log(3)'))
"""

from __future__ import annotations

from ahdp_verify.datasets import Multiset
from ahdp_verify.display import verdict_text as verdict_text  # what `print` shows of a verdict
from ahdp_verify.display.notebook import attach
from ahdp_verify.display.program_text import program_text, statement_text
from ahdp_verify.display.short_repr import LONGEST, counted, cut, named_repr, short_repr
from ahdp_verify.kernel.evidence import alignment, certificate
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    ImageCounterexample,
    InstanceCounterexample,
    Total,
)
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.evidence.notion_counterexample import NotionCounterexample
from ahdp_verify.kernel.evidence.program_counterexample import (
    Between,
    OutputEvent,
    ProgramCounterexample,
)
from ahdp_verify.kernel.model import program as programs
from ahdp_verify.kernel.model.alternatives import Alternatives
from ahdp_verify.kernel.model.answers import Answers, RecordAnswers
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AbstractMechanism, Composite, CompositeClaim
from ahdp_verify.kernel.model.domain import Domain, Queries, Record, Values
from ahdp_verify.kernel.model.entries import Entries
from ahdp_verify.kernel.model.entry_changes import Change
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio
from ahdp_verify.kernel.record import StoredRecord
from ahdp_verify.kernel.refuted import (
    Refuted,
    RefutedApplied,
    RefutedInequality,
    RefutedNotion,
    RefutedProgram,
)
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.rules.compared import ComparedPair, ComparedValues, NothingCompared
from ahdp_verify.kernel.rules.power import GuessClaim, OutputCell
from ahdp_verify.kernel.rules.scope import Scope
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.steps import Argument, Step
from ahdp_verify.verdicts import Unknown

SHORT = (
    *(certificate.Certificate, certificate.ByRule, certificate.Optimum, certificate.BestTest),
    *(certificate.Declined, certificate.Products, certificate.ExpSign, certificate.Lemma),
    *(certificate.BoxCover, certificate.Monotone),
    *(certificate.InequalityLeaf, certificate.TotalLeaf, certificate.HockeyStickPart),
    *(certificate.HockeyStickLeaf, certificate.CoordinatesLeaf, certificate.CaseSplit),
    *(certificate.SolverWord, certificate.Enumeration, certificate.Mass),
    *(
        certificate.StatedPremise,
        Counterexample,
        InstanceCounterexample,
        ImageCounterexample,
        Total,
        Event,
    ),
    *(ComparedPair, ComparedValues, NothingCompared, Scope, StoredRecord),
    *(Claim, CompositeClaim, AbstractMechanism, Inequality, Step, Argument),
    *(Entries, Change, SensitivityClaim, AppliedClaim, NotionClaim, NotionCounterexample),
    *(BestClaim, GuessClaim, OutputCell, Alternatives),
    *(ProgramClaim, Answers, RecordAnswers, LinearForm, programs.State),
    *(
        alignment.Alignment,
        alignment.WholeRuns,
        alignment.CutRuns,
        alignment.Rounds,
        alignment.Head,
    ),
    *(alignment.Region, alignment.PathShifts, ProgramCounterexample, OutputEvent, Between),
    *(Expression, Multiset),
)
STEPS = (programs.Draw, programs.If, programs.Winner, programs.Coin, programs.Release)
STEPS_AT_END = (programs.Goto, programs.Stop, programs.Contest)


def domain_repr(domain: Domain) -> str:
    """Domain(4 records), Domain(universal, 2 unknowns)."""
    listed = counted(len(domain.records), "record")
    free = f"universal, {counted(len(domain.unknowns), 'unknown')}"
    return f"Domain({free if domain.is_universal else listed})"


def record_repr(record: Record) -> str:
    """Record(1, log(2))."""
    return f"Record{cut(str(record), LONGEST - len('Record'))}"


def mechanism_repr(mechanism: Mechanism | Composite) -> str:
    """Mechanism('weighted sum', 1 output)."""
    return named_repr(mechanism, mechanism.name, counted(len(mechanism.outputs), "output"))


def program_repr(program: programs.Program) -> str:
    """Program('sparse vector', 2 states)."""
    return named_repr(program, program.name, counted(len(program.states), "state"))


def step_repr(tree: programs.Tree) -> str:
    """Draw('nu ~ laplace(4/eps)')."""
    return named_repr(tree, statement_text(tree))


def output_repr(output: Output) -> str:
    """Output('s', real)."""
    kind = counted(len(output.values), "value") if output.values else output.kind
    return named_repr(output, output.name, kind)


def proved_repr(proved: Proved) -> str:
    """Proved('weighted sum is AHDP at level eps'), with what else the verdict rests on or leaves
    open.
    """
    size = proved.scope.size
    limited = [] if size is None else [f"at most {counted(size, 'record')}"]
    attested = [f"attested by {' and '.join(proved.trusts)}"] if proved.trusts else []
    vacuously = ["vacuously"] if proved.vacuous else []
    return named_repr(proved, str(proved.claim), *vacuously, *limited, *attested)


def verdict_repr(verdict: Refuted | RefutedProgram | RefutedInequality | Unknown) -> str:
    """Refuted('weighted sum is AHDP at level eps/2')."""
    return named_repr(verdict, str(verdict.claim))


# `repr` is the text, and only cut; `str`, which would give the same, stays whole
attach((Polynomial, Ratio), "__str__", lambda number: number.key)
attach((Polynomial, Ratio), "__repr__", lambda number: cut(number.key, LONGEST))
attach(SHORT, "__repr__", short_repr)
attach((Record,), "__repr__", record_repr)
attach((Queries,), "__repr__", lambda queries: f"Queries({queries.n})")
attach((Domain,), "__repr__", domain_repr)
attach((Values,), "__repr__", lambda values: f"Values({counted(len(values.values), 'value')})")
attach((Mechanism, Composite), "__repr__", mechanism_repr)
attach((Output,), "__repr__", output_repr)
attach((Proved,), "__repr__", proved_repr)
VERDICTS = (Refuted, RefutedProgram, RefutedInequality, RefutedNotion, RefutedApplied, Unknown)
attach(VERDICTS, "__repr__", verdict_repr)
attach((programs.Program,), "__repr__", program_repr)
attach((programs.Program,), "__str__", program_text)
attach((*STEPS, *STEPS_AT_END), "__repr__", step_repr)
