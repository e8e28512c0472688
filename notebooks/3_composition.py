import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="3. Composition, post-processing, budgets")

with app.setup(hide_code=True):
    from fractions import Fraction

    import marimo as mo

    from ahdp_verify import (
        Abs,
        Domain,
        Mechanism,
        ahdp,
        compose,
        eq,
        exp,
        indicator,
        name,
        number,
        piecewise,
        post_process,
        real,
        verify,
    )
    from ahdp_verify.classroom.exercises import ChoiceExercise, ClaimExercise
    from ahdp_verify.classroom.lessons import heading
    from ahdp_verify.classroom.pictures import budget_picture, density_picture, row, spots
    from ahdp_verify.display.markup import latex


@app.cell(hide_code=True)
def _():
    mo.md(heading(3))
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    Several outputs about the same people reveal more than each of them alone. Three rules say how much:

    * **Composition.** If a first output has the level $\alpha$ and a second one the level $\beta$, whatever the first was, then both together have the level $\alpha + \beta$.
    * **Post-processing.** Whatever is computed from the outputs, without another look at the data, has the same level.
    * A **budget** is a level that is not to be exceeded by everything that is published, together.

    Here a record is a number of siblings $x \in \{0, 1, 2\}$ with the demand 1. We publish the noisy size $n$ of the dataset, with noise of scale $b_1$, and the noisy sum $t$, with
    noise of scale $b_2$. One record changes the size by 1 and the sum by $x$, so the levels are $1/b_1$ and $x/b_2$.
    """)
    return


@app.cell
def _():
    W = Domain([(0, 1), (1, 1), (2, 1)])
    x = name("x")

    def laplace(output, location, scale, title):
        density = exp(-Abs(real(output) - location) / scale) / (2 * scale)
        return Mechanism(W, outputs=[real(output)], density=density, name=title)

    def noisy_size(scale):
        return ahdp(laplace("n", W.size, scale, "noisy size"), 1 / scale)

    def noisy_sum(scale):
        return ahdp(laplace("t", W.sum(x), scale, "noisy sum"), x / scale)

    return W, laplace, noisy_size, noisy_sum, x


@app.cell(hide_code=True)
def _():
    size_slider = mo.ui.slider(
        1, 6, 0.5, value=2, label="scale $b_1$ of the noise of the size", show_value=True
    )
    sum_slider = mo.ui.slider(
        1, 6, 0.5, value=4, label="scale $b_2$ of the noise of the sum", show_value=True
    )
    mo.vstack([mo.md("## A budget of 1 for everybody"), size_slider, sum_slider])
    return size_slider, sum_slider


@app.cell
def _(size_slider, sum_slider):
    b1, b2 = Fraction(size_slider.value), Fraction(sum_slider.value)
    return b1, b2


@app.cell
def _(W, b1, b2, noisy_size, noisy_sum):
    both = compose(noisy_size(number(b1)), noisy_sum(number(b2)), name="size and sum")
    spent = [(str(r.value), Fraction(1) / b1, r.value.args[0] / b2) for r in W.records]
    verdict = verify(ahdp(both, 1))
    return both, spent, verdict


@app.cell(hide_code=True)
def _(b1, b2, noisy_sum, spent, verdict):
    mo.vstack(
        [
            row(
                budget_picture(spent, ("size", "sum"), 1),
                density_picture(
                    noisy_sum(number(b2)).mechanism, ([0, 1, 0], [0, 1, 1]), spots(-8, 12)
                ),
            ),
            verdict,
            mo.md(
                f"The first figure adds up the levels of the two outputs, $1/b_1 = {latex(number(1 / b1))}$ and $x/b_2$ with $b_2 = {latex(number(b2))}$, for each value $x$. "
                "The second one shows the noisy sum without and with a record $(2, 1)$."
            ),
        ]
    )
    return


@app.cell
def _(both, verdict):
    mean = post_process(both, {"m": "max(t, 0)/max(n, 1)"}, name="noisy mean")
    mean_verdict = verify(ahdp(mean, 1))
    mo.vstack(
        [
            mo.md(
                r"## Post-processing" + "\n\n"
                r"The mean number of siblings, estimated by $m = \max(t, 0) / \max(n, 1)$, costs nothing more: it is computed from the outputs alone. The rule gives it the level of the pair:"
            ),
            mean_verdict,
        ]
    )
    return mean, mean_verdict


@app.cell(hide_code=True)
def _(noisy_size, noisy_sum):
    pair = compose(noisy_size(number(3)), noisy_sum(number(3)), name="size and sum")
    sum_exercise = ClaimExercise(lambda level: ahdp(pair, level), "level")
    sum_answer = mo.ui.text(
        label="level of a record with value x:", placeholder="in x, such as x/5"
    )
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 1: add up

    Both scales are 3. Write a level, as an expression in `x`, that size and sum together satisfy. A constant is right too, if it is large enough."""),
            sum_answer,
        ]
    )
    return pair, sum_answer, sum_exercise


@app.cell(hide_code=True)
def _(sum_answer, sum_exercise):
    sum_exercise.check(sum_answer.value)
    return


@app.cell(hide_code=True)
def _(noisy_size, noisy_sum):
    budget_exercise = ClaimExercise(
        lambda scale: ahdp(
            compose(noisy_size(number(4)), noisy_sum(scale), name="size and sum"), 1
        ),
        "scale",
    )
    budget_answer = mo.ui.text(label="scale of the noise of the sum:", placeholder="a number")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 2: what is left

    The budget is 1, and the size was published with noise of scale 4. Give a scale for the sum with which nobody's loss is more than the budget."""),
            budget_answer,
        ]
    )
    return budget_answer, budget_exercise


@app.cell(hide_code=True)
def _(budget_answer, budget_exercise):
    budget_exercise.check(budget_answer.value)
    return


@app.cell(hide_code=True)
def _(W, laplace, noisy_size):
    _n, _noisy = real("n"), noisy_size(number(1))
    _density = exp(-Abs(_n - W.size)) / 2
    second_looks = {
        "the noisy size, but exactly 0 if the dataset is empty": Mechanism(
            W,
            outputs=[_n],
            density=piecewise((_density, W.size > 0), (0, True)),
            atoms={0: indicator(eq(W.size, 0))},
            name="noisy size, 0 if nobody is there",
        ),
        "the noisy size, with noise of scale 1/2 if somebody has x = 2": laplace(
            "n",
            W.size,
            piecewise((number("1/2"), W.count(lambda x, eps: x > 1) > 0), (1, True)),
            "size",
        ),
    }
    choice_exercise = ChoiceExercise(
        {
            **{said: ahdp(mechanism, 1) for said, mechanism in second_looks.items()},
            "the noisy size, but 0 if the noisy size is negative": ahdp(
                post_process(_noisy, {"m": "max(n, 0)"}, name="noisy size, at least 0"), 1
            ),
        }
    )
    choice_answer = mo.ui.radio(choice_exercise.choices)
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 3: post-processing, or a second look?

    The noisy size, with noise of scale 1, has the level 1. Which of these has the level 1 too?"""),
            choice_answer,
        ]
    )
    return choice_answer, choice_exercise


@app.cell(hide_code=True)
def _(choice_answer, choice_exercise):
    choice_exercise.check(choice_answer.value)
    return


if __name__ == "__main__":
    app.run()
