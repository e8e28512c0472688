import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="2. Randomised response by hand")

with app.setup(hide_code=True):
    from fractions import Fraction

    import marimo as mo

    from ahdp_verify import (
        Domain,
        Inequality,
        Mechanism,
        Values,
        dp,
        eq,
        finite,
        log,
        name,
        number,
        piecewise,
        tradeoff,
        verify,
    )
    from ahdp_verify.analysis.power import best_powers, one_more_record
    from ahdp_verify.analysis.testing.error_rates import error_rates
    from ahdp_verify.classroom.exercises import ClaimExercise, ValueExercise
    from ahdp_verify.classroom.lessons import heading
    from ahdp_verify.classroom.pictures import bars_picture, level_picture, row
    from ahdp_verify.kernel.terms.expression import substitute


@app.cell(hide_code=True)
def _():
    mo.md(heading(2))
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    "Have you ever cheated in an exam?" Nobody has to tell: everybody flips a coin in secret. Heads: answer truthfully. Tails: flip again, and say *yes* for heads, *no* for tails.

    There is no collector who is trusted with the truth, and no dataset: each person randomises their own value. This is the **local model**: any two values are neighbouring.
    If the truth is told with probability $p \ge \tfrac12$, the answers have the probabilities

    | | says *no* | says *yes* |
    | --- | --- | --- |
    | truth is *no* | $p$ | $1 - p$ |
    | truth is *yes* | $1 - p$ | $p$ |

    The mechanism has the level $\varepsilon$ if no event is more than $e^\varepsilon$ times as probable for one value as for the other.
    """)
    return


@app.cell
def _():
    V, r = Values(["no", "yes"]), finite("r", ["no", "yes"])  # the input v, the output r

    def response(p, **parameters):
        law = piecewise((p, eq(name("r"), name("v"))), (1 - p, True))
        return Mechanism(V, outputs=[r], density=law, name="randomised response", **parameters)

    def probability(mechanism, value, event):
        return error_rates(mechanism, value, value, event).type_one

    return probability, response


@app.cell(hide_code=True)
def _():
    p_slider = mo.ui.slider(
        0.5, 0.95, 0.05, value=0.75, label="probability $p$ of the truth", show_value=True
    )
    factor_slider = mo.ui.slider(
        steps=[1, 1.5, 2, 3, 4, 9, 19],
        value=2,
        label="claimed factor $e^\\varepsilon$",
        show_value=True,
    )
    mo.vstack([p_slider, factor_slider])
    return factor_slider, p_slider


@app.cell
def _(factor_slider, p_slider):
    p = Fraction(round(100 * p_slider.value), 100)  # exact: the library refuses floats
    factor = Fraction(factor_slider.value)
    return factor, p


@app.cell(hide_code=True)
def _(factor, p, probability, response):
    mechanism = response(number(p))
    level = log(factor)
    row(
        bars_picture(
            ("says no", "says yes"),
            [
                (f"truth: {v}", [probability(mechanism, v, f'r == "{a}"') for a in ("no", "yes")])
                for v in ("no", "yes")
            ],
            "The probabilities of both answers, for both values.",
        ),
        level_picture(log(name("p") / (1 - name("p"))), "p", p, level),
    )
    return level, mechanism


@app.cell
def _(level, mechanism):
    verdict = verify(dp(mechanism, level, "any"))
    verdict
    return (verdict,)


@app.cell(hide_code=True)
def _(probability, response):
    two_coins = response(number("3/4"))
    coin_exercise = ValueExercise(
        probability(two_coins, "yes", 'r == "yes"'), "the probability that yes is answered with yes"
    )
    coin_answer = mo.ui.text(label="probability:", placeholder="a fraction")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 1: two coins

    Both coins are fair. With which probability does somebody whose truth is *yes* answer *yes*?"""),
            coin_answer,
        ]
    )
    return coin_answer, coin_exercise, two_coins


@app.cell(hide_code=True)
def _(coin_answer, coin_exercise):
    coin_exercise.check(coin_answer.value)
    return


@app.cell(hide_code=True)
def _(two_coins):
    least_exercise = ValueExercise(
        tradeoff(two_coins, "no", "yes").level, "the least level of the two coins"
    )
    least_answer = mo.ui.text(label="least level:", placeholder="such as log(5)")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 2: the privacy loss

    What is the least level of the two coins? Give it exactly, in nats: the logarithm of the largest ratio of two probabilities in a column of the table."""),
            least_answer,
        ]
    )
    return least_answer, least_exercise


@app.cell(hide_code=True)
def _(least_answer, least_exercise):
    least_exercise.check(least_answer.value)
    return


@app.cell(hide_code=True)
def _():
    _anybody = Domain([("no", name("eps")), ("yes", name("eps"))])
    (truth,) = best_powers(_anybody, one_more_record(), "swap", parameters={"eps": "eps > 0"})
    truth_exercise = ValueExercise(
        truth.value, "the largest probability of the truth", {"eps": "eps > 0"}
    )
    truth_answer = mo.ui.text(label="p as an expression in eps:", placeholder="such as 1 - eps")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 3: as much truth as possible

    A level $\varepsilon > 0$ is given. What is the largest $p$ that it allows? No mechanism of any kind with this level names each of the two values with a larger probability: the toolkit finds
    the optimum over all of them as the value of a linear programme."""),
            truth_answer,
        ]
    )
    return truth, truth_answer, truth_exercise


@app.cell(hide_code=True)
def _(truth_answer, truth_exercise):
    truth_exercise.check(truth_answer.value)
    return


@app.cell(hide_code=True)
def _(probability, two_coins):
    _t = name("t")
    expected = _t * probability(two_coins, "yes", 'r == "yes"') + (1 - _t) * probability(
        two_coins, "no", 'r == "yes"'
    )

    def recovers(estimate):
        given = substitute(estimate, {"y": expected})
        return Inequality.of({"t": "0 <= t and t <= 1"}, given, "==", _t, name="estimate")

    estimate_exercise = ClaimExercise(recovers, "estimate", using=("y",))
    estimate_answer = mo.ui.text(label="estimate as an expression in y:", placeholder="such as y/2")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 4: what the survey learns

    A share $t$ of the people would truthfully say *yes*, and a share $y$ of the noisy answers (two fair coins) is *yes*. Which expression in $y$ estimates $t$ without bias:
    if $y$ is what is expected, it is $t$, for every $t$?"""),
            estimate_answer,
        ]
    )
    return estimate_answer, estimate_exercise, expected


@app.cell(hide_code=True)
def _(estimate_answer, estimate_exercise):
    estimate_exercise.check(estimate_answer.value)
    return


if __name__ == "__main__":
    app.run()
