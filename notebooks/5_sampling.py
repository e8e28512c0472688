import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="5. Sampling by demand")

with app.setup(hide_code=True):
    from fractions import Fraction

    import marimo as mo

    from ahdp_verify import (
        Abs,
        Domain,
        Mechanism,
        ahdp,
        assume,
        dp,
        exp,
        integer,
        log,
        name,
        number,
        subsample,
        verify,
    )
    from ahdp_verify.analysis.inputs import constant_of
    from ahdp_verify.classroom.exercises import ClaimExercise
    from ahdp_verify.classroom.lessons import heading
    from ahdp_verify.classroom.pictures import function_picture, row, spots
    from ahdp_verify.display.markup import latex
    from ahdp_verify.kernel.terms.expression import substitute


@app.cell(hide_code=True)
def _():
    mo.md(heading(5))
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    There are many mechanisms that give everybody the same level $t$ (DP). The **Sample Mechanism** uses one of them for people with different demands $\varepsilon \le t$: first each record is kept with a
    probability $\pi$, independently of the others, then the DP mechanism is run on the records that were kept.

    A record that is left out has no influence. If a mechanism has the level $t$, a record that is kept with probability $\pi$ has the level

    $$\log\big(1 + \pi\,(e^t - 1)\big).$$

    So a record that demands $\varepsilon \le t$ may be kept with the probability

    $$\pi = \frac{e^\varepsilon - 1}{e^t - 1}.$$

    Levels are for **add-remove** neighbours here: one record is added or removed. For a mechanism of which nothing is known but its level, there is nothing better.
    """)
    return


@app.cell
def _():
    people = Domain([("red", log("3/2")), ("green", log(2)), ("blue", log(3))])

    def kept(share, t):
        """The inclusion probability of a record with demand eps, times a share."""
        return lambda x, eps: share * (exp(eps) - 1) / (exp(t) - 1)

    def any_dp(t):
        return assume(people, "add-remove", t, text=f"any {t}-DP mechanism")

    return any_dp, kept, people


@app.cell(hide_code=True)
def _():
    factor_slider = mo.ui.slider(
        steps=[4, 5, 7, 9], value=4, label="factor $e^t$ of the DP mechanism", show_value=True
    )
    share_slider = mo.ui.slider(
        steps=[0.5, 0.75, 1, 1.25, 1.5],
        value=1,
        label="inclusion probability, as a multiple $c$ of $\\pi$",
        show_value=True,
    )
    mo.vstack([mo.md("## Three demands, one mechanism"), factor_slider, share_slider])
    return factor_slider, share_slider


@app.cell
def _(factor_slider, share_slider):
    t = log(factor_slider.value)
    share = Fraction(share_slider.value)
    return share, t


@app.cell
def _(any_dp, kept, share, t):
    sampled = subsample(any_dp(t), kept(share, t), level=lambda x, eps: eps, name="sample")
    verdict = verify(sampled)
    return sampled, verdict


@app.cell(hide_code=True)
def _(kept, people, share, t, verdict):
    _eps = name("eps")
    _pi = kept(share, t)(None, _eps)
    _level = log(1 + _pi * (exp(t) - 1))
    _demands = [(str(r.value.args[0]), r.demand) for r in people.records]
    _xs = spots(0, 120, 120)
    mo.vstack(
        [
            row(
                function_picture(
                    _pi, "eps", [x / 100 for x in _xs], "inclusion probability", _demands
                ),
                function_picture(
                    _level, "eps", [x / 100 for x in _xs], "level", _demands, identity="demand"
                ),
            ),
            verdict,
            mo.md(
                "The records are kept with the probabilities "
                + ", ".join(
                    f"${latex(constant_of(substitute(_pi, {'eps': demand}), 'pi'))}$ (*{who}*, demand ${latex(demand)}$)"
                    for who, demand in _demands
                )
                + ". The second figure shows the level that sampling leaves; where it is above the dotted line, a record loses more than it accepts."
            ),
        ]
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## With a mechanism in place of "any"

    Where the claim is refuted, the counterexample names a mechanism for which the sample reveals too much: it tells, by randomised response, whether there is a record. A mechanism that is known may have a smaller level. Here is the
    noisy number of the records that were kept, with two-sided geometric noise, which is DP at level $t$:
    """)
    return


@app.cell
def _(kept, people, share, t):
    n = integer("n")
    _q = exp(-t)
    count = Mechanism(
        people,
        outputs=[n],
        density=(1 - _q) / (1 + _q) * exp(-t * Abs(n - people.size)),
        name="geometric count",
    )
    count_verdict = verify(
        subsample(dp(count, t), kept(share, t), level=lambda x, eps: eps, name="sample, then count")
    )
    mo.vstack([verify(dp(count, t)), count_verdict])
    return count, count_verdict, n


@app.cell(hide_code=True)
def _():
    half = subsample(
        assume(Domain([(1, 1)]), "add-remove", log(3), text="any log(3)-DP mechanism"),
        lambda x, eps: number("1/2"),
        name="sample",
    )
    level_exercise = ClaimExercise(lambda level: ahdp(half, level), "level", using=())
    level_answer = mo.ui.text(label="level:", placeholder="such as log(5/2)")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 1: a fair coin

    Every record is kept with probability $\tfrac12$, then a mechanism with the level $\log 3$ is run. Give a level that every such combination has; every level that is large enough is right. How small can it be?"""),
            level_answer,
        ]
    )
    return half, level_answer, level_exercise


@app.cell(hide_code=True)
def _(level_answer, level_exercise):
    level_exercise.check(level_answer.value)
    return


@app.cell(hide_code=True)
def _(any_dp):
    kept_exercise = ClaimExercise(
        lambda pi: subsample(
            any_dp(log(5)), lambda x, eps: pi, level=lambda x, eps: eps, name="sample"
        ),
        "inclusion probability",
        using=("eps",),
    )
    kept_answer = mo.ui.text(label="inclusion probability, in eps:", placeholder="such as eps/5")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 2: keep them all, as often as possible

    The DP mechanism has the level $\log 5$, and the demands are $\log\tfrac32$, $\log 2$ and $\log 3$ as above. Give an inclusion probability, as an expression in `eps`, with which everybody's demand is met.
    Probabilities smaller than necessary are right, but the output is less accurate."""),
            kept_answer,
        ]
    )
    return kept_answer, kept_exercise


@app.cell(hide_code=True)
def _(kept_answer, kept_exercise):
    kept_exercise.check(kept_answer.value)
    return


@app.cell(hide_code=True)
def _(any_dp, kept):
    noise_exercise = ClaimExercise(
        lambda level: subsample(
            any_dp(level), kept(1, log(6)), level=lambda x, eps: eps, name="sample"
        ),
        "level of the DP mechanism",
        using=(),
    )
    noise_answer = mo.ui.text(label="level of the mechanism:", placeholder="such as log(8)")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 3: what may come after

    Somebody has sampled with $\pi = (e^\varepsilon - 1)/5$. Give a level that a DP mechanism may have that is run on such a sample, so that everybody's demand is met. The larger the level, the less noise it needs."""),
            noise_answer,
        ]
    )
    return noise_answer, noise_exercise


@app.cell(hide_code=True)
def _(noise_answer, noise_exercise):
    noise_exercise.check(noise_answer.value)
    return


if __name__ == "__main__":
    app.run()
