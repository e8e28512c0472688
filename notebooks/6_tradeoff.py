import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium", app_title="6. Trade-off curves, delta, and what an adversary learns"
)

with app.setup(hide_code=True):
    from fractions import Fraction

    import marimo as mo

    from ahdp_verify import Abs, Domain, Mechanism, dp, exp, number, real, tradeoff, verify
    from ahdp_verify.analysis.divergence.curve import delta_curve
    from ahdp_verify.analysis.testing import odds
    from ahdp_verify.analysis.testing.error_rates import error_rates
    from ahdp_verify.classroom.exercises import ClaimExercise, ValueExercise
    from ahdp_verify.classroom.lessons import heading
    from ahdp_verify.classroom.pictures import delta_picture, row, tradeoff_picture
    from ahdp_verify.display.markup import latex


@app.cell(hide_code=True)
def _():
    mo.md(heading(6))
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    An adversary sees the output and asks: is the dataset $D$, or its neighbour $D'$? A **test** says "$D'$" if the output lies in an event $R$. It can err in two ways:

    * **type I error** $\alpha = P(R \mid D)$: it says "$D'$", but it is $D$;
    * **type II error** $\beta = 1 - P(R \mid D')$: it says "$D$", but it is $D'$.

    The **trade-off curve** shows the least $\beta$ for every $\alpha$. A level $\varepsilon$ allows those pairs of errors with

    $$\alpha + e^\varepsilon \beta \ge 1 \quad\text{and}\quad e^\varepsilon \alpha + \beta \ge 1,$$

    and the mechanism has the level $\varepsilon$ between $D$ and $D'$ exactly if the whole curve lies in this region.

    Our mechanism counts people with $x = 1$ and adds Laplace noise of scale $b$. $D$ has one record, and $D'$ has one record $(1, 1)$ more.
    """)
    return


@app.cell
def _():
    W, s = Domain([(0, 1), (1, 1)]), real("s")

    def noisy_count(scale):
        location = W.sum(lambda x, eps: x)
        density = exp(-Abs(s - location) / scale) / (2 * scale)
        return Mechanism(W, outputs=[s], density=density, name="noisy count")

    D, D_with = [1, 0], [1, 1]  # how many records (0, 1), how many (1, 1)
    return D, D_with, noisy_count


@app.cell(hide_code=True)
def _():
    scale_slider = mo.ui.slider(0.5, 3, 0.5, value=1.5, label="scale $b$", show_value=True)
    level_slider = mo.ui.slider(
        0.25, 2, 0.25, value=0.5, label="level $\\varepsilon$", show_value=True
    )
    delta_slider = mo.ui.slider(0, 0.5, 0.05, value=0.05, label="$\\delta$", show_value=True)
    mo.vstack([scale_slider, level_slider, delta_slider])
    return delta_slider, level_slider, scale_slider


@app.cell
def _(delta_slider, level_slider, scale_slider):
    scale, level = Fraction(scale_slider.value), Fraction(level_slider.value)
    slack = Fraction(round(20 * delta_slider.value), 20)
    return level, scale, slack


@app.cell
def _(D, D_with, level, noisy_count, scale, slack):
    mechanism = noisy_count(number(scale))
    curve = tradeoff(mechanism, D, D_with)
    least_deltas = delta_curve(dp(mechanism, 0), [Fraction(i, 4) for i in range(9)])
    verdict = verify(dp(mechanism, level, delta=slack))
    return curve, least_deltas, mechanism, verdict


@app.cell(hide_code=True)
def _(curve, least_deltas, level, slack, verdict):
    mo.vstack(
        [
            row(
                tradeoff_picture(curve, number(level)),
                delta_picture(least_deltas, level, slack),
            ),
            verdict,
            mo.md(
                "The first figure is about $D$ and $D'$, and the region is that of the level with $\\delta = 0$. The second one is about all neighbouring datasets. "
                f"The least level between $D$ and $D'$ is ${latex(curve.level)}$."
            ),
        ]
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## What delta is

    With $\delta > 0$ the claim is weaker: for every event $E$ and all neighbouring $D$, $D'$

    $$P(E \mid D) \le e^\varepsilon\, P(E \mid D') + \delta.$$

    The least $\delta$ is the **hockey-stick divergence**, the largest $P(E \mid D) - e^\varepsilon P(E \mid D')$. It is *not* the probability that the loss is more than $\varepsilon$: it is at most that, and often less.
    """)
    return


@app.cell(hide_code=True)
def _(D, D_with, noisy_count):
    one = noisy_count(number(1))
    error_exercise = ValueExercise(
        error_rates(one, D, D_with, "s >= 1/2").type_two, "the type II error of this test"
    )
    error_answer = mo.ui.text(label="type II error:", placeholder="such as exp(-2)/3")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 1: a test

    The scale is $b = 1$. A test says "$D'$" if $s \ge \tfrac12$. What is its type II error? (At $D'$ the noise is centred at 1, and noise of scale 1 is below $-u$ with probability $e^{-u}/2$ for $u \ge 0$.)"""),
            error_answer,
        ]
    )
    return error_answer, error_exercise, one


@app.cell(hide_code=True)
def _(error_answer, error_exercise):
    error_exercise.check(error_answer.value)
    return


@app.cell(hide_code=True)
def _(one):
    delta_exercise = ClaimExercise(
        lambda slack: dp(one, Fraction(1, 2), delta=slack), "delta", using=()
    )
    delta_answer = mo.ui.text(label="delta:", placeholder="such as 1/10")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 2: a delta

    The scale is 1 and the level $\tfrac12$. Give a $\delta$ with which the claim holds; every one that is large enough is right. How small can it be?"""),
            delta_answer,
        ]
    )
    return delta_answer, delta_exercise


@app.cell(hide_code=True)
def _(delta_answer, delta_exercise):
    delta_exercise.check(delta_answer.value)
    return


@app.cell(hide_code=True)
def _(D, D_with, one):
    posterior = odds(one, D, D_with, prior=1, output=3).posterior  # of D against D'
    odds_exercise = ValueExercise(1 / (1 + posterior), "the probability of D' given the output 3")
    odds_answer = mo.ui.text(label="probability of D':", placeholder="such as 2/3")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 3: what an adversary believes

    Before the output, the adversary thinks that $D$ and $D'$ are equally probable. The scale is 1, and the output is $s = 3$. With which probability is it $D'$ now? (The odds are multiplied by the ratio of the densities;
    a level $\varepsilon$ means: by at most $e^\varepsilon$.)"""),
            odds_answer,
        ]
    )
    return odds_answer, odds_exercise, posterior


@app.cell(hide_code=True)
def _(odds_answer, odds_exercise):
    odds_exercise.check(odds_answer.value)
    return


if __name__ == "__main__":
    app.run()
