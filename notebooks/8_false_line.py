import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="8. Find the false line")

with app.setup(hide_code=True):
    from dataclasses import replace
    from fractions import Fraction

    import marimo as mo

    from ahdp_verify import Argument, Inequality, exp, name, verify
    from ahdp_verify.classroom.lessons import heading
    from ahdp_verify.classroom.pictures import BLUE, GREEN, ORANGE, curve, picture, row, spots
    from ahdp_verify.classroom.proof_exercises import (
        FalseLineExercise,
        ProofExercise,
        argument_markdown,
        examined,
    )
    from ahdp_verify.kernel.terms.grammar import parse_condition
    from ahdp_verify.paper.statements.stored import file_content


@app.cell(hide_code=True)
def _():
    mo.md(heading(8))
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    A proof can be wrong although what it proves is true, and every line of it can be true although one does not follow. So these are separate questions:

    1. Is the **statement** true, for all values of its unknowns?
    2. Is every **step** true, for all of them?
    3. If a step names a fact about an exponential, does it **follow** when nothing else is known about that exponential?
    4. Do the steps **lead** from one side of the statement to the other?

    The toolkit answers each of them, and names the first step that fails. The proofs here are real: those that fail are from the paper on AHDP, as it was printed.

    ## A true step with a wrong reason

    This is the end of the proof that the Sample Mechanism (notebook 5) is AHDP. It says that step 3 follows from $e^y \ge 0$. Choose which fact $e^y \ge c$ it may use:
    """)
    return


@app.cell(hide_code=True)
def _():
    fact_slider = mo.ui.slider(0, 2, 0.5, value=0, label="$c$", show_value=True)
    fact_slider
    return (fact_slider,)


@app.cell
def _(fact_slider):
    fact = Fraction(fact_slider.value)
    return (fact,)


@app.cell
def _(fact):
    printed = file_content("paper/sample-mechanism-proof-lower-end-as-printed.toml").argument
    used = parse_condition(f"exp(y) >= {fact}")
    changed = replace(printed.steps[2], by=(used,), reason="")
    argument = Argument(printed.statement, (*printed.steps[:2], changed, printed.steps[3]))
    examination = examined(argument)
    return argument, examination


@app.cell(hide_code=True)
def _(argument, examination, fact):
    mo.vstack(
        [
            mo.md(argument_markdown(argument)),
            row(veiled_picture(fact)),
            mo.md(
                "\n".join(
                    f"* {'✓' if s.holds else '✗'} {line}"
                    for s, line in zip(examination.steps, map(str, examination.steps), strict=True)
                ).replace("*(", "\\*(")
                + f"\n\n**{examination.conclusion}**"
            ),
        ]
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    The figure is step 3 at $y = 0$, $t = 1$, with a number $u$ in place of $e^y$, of which nothing is known but $u \ge c$. The step follows if the line is nowhere below the dashed one for such a $u$. With a fact that is false, such as $e^y \ge 2$ (take $y = 0$),
    a step shows nothing.
    """)
    return


@app.cell(hide_code=True)
def _():
    presence = file_content("paper/power-upper-bound-presence-wrong-exponent.toml").argument
    presence_exercise = FalseLineExercise(presence)
    presence_answer = mo.ui.dropdown(presence_exercise.choices, label="first step that fails:")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 1: an exponent

    With which probability can an adversary find out whether one record is there? $A$ and $B$ are the probabilities that a test names the dataset without and with it if that is the true one, $p$ is at most both, and $e$ is the level.
    The statement is true:"""),
            verify(presence.statement),
            mo.md(argument_markdown(presence)),
            presence_answer,
        ]
    )
    return presence, presence_answer, presence_exercise


@app.cell(hide_code=True)
def _(presence_answer, presence_exercise):
    presence_exercise.check(presence_answer.value)
    return


@app.cell(hide_code=True)
def _():
    weights = file_content("paper/power-lower-bound-two-values-inverted.toml").argument
    weights_exercise = FalseLineExercise(weights)
    weights_answer = mo.ui.dropdown(weights_exercise.choices, label="first step that fails:")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 2: "thus, we obtain"

    A lower bound of the power (notebook 7) for two values, with $q = e^{-\varepsilon}$. This statement is false, and the toolkit knows where:"""),
            verify(weights.statement),
            mo.md(argument_markdown(weights)),
            weights_answer,
        ]
    )
    return weights, weights_answer, weights_exercise


@app.cell(hide_code=True)
def _(weights_answer, weights_exercise):
    weights_exercise.check(weights_answer.value)
    return


@app.cell(hide_code=True)
def _():
    lower = file_content("laws/subsample-lower.toml").argument
    lower_exercise = FalseLineExercise(lower)
    lower_answer = mo.ui.dropdown(lower_exercise.choices, label="first step that fails:")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 3: be suspicious

    Part of the rule for sampling that the toolkit itself uses:"""),
            mo.md(argument_markdown(lower)),
            lower_answer,
        ]
    )
    return lower, lower_answer, lower_exercise


@app.cell(hide_code=True)
def _(lower_answer, lower_exercise):
    lower_exercise.check(lower_answer.value)
    return


@app.cell(hide_code=True)
def _():
    composition = Inequality.of(
        {
            "a": "",
            "b": "",
            "q": "q >= 0",
            "p": "0 <= p and p <= exp(a)*q",
            "m": "m >= 0",
            "k": "0 <= k and k <= exp(b)*m",
        },
        "p*k",
        "<=",
        "exp(a + b)*q*m",
        name="composition",
    )
    proof_exercise = ProofExercise(composition)
    proof_answer = mo.ui.text_area(
        label="your proof:", placeholder="<= exp(a)*q*k  by k >= 0\n<= ...", rows=4
    )
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 4: write your own

    Prove composition (notebook 3). On two neighbouring datasets a first mechanism has the densities $p \le e^a q$ at an output, and a second one $k \le e^b m$, given that output. Show that

    $$p\,k \le e^{a + b}\,q\,m.$$

    Each line is a relation (`<=`, `==`, `<`, `>=` or `>`) and the next expression; it continues where the line above ends, and the first one begins with `p*k`. After `by` you may name facts, with commas between them; of an exponential in them nothing else is then assumed.
    Use more than one step: the statement itself is not accepted as its own proof."""),
            proof_answer,
        ]
    )
    return composition, proof_answer, proof_exercise


@app.cell(hide_code=True)
def _(proof_answer, proof_exercise):
    proof_exercise.check(proof_answer.value)
    return


@app.function(hide_code=True)
def veiled_picture(fact):
    """Both sides of step 3 at y = 0 and t = 1, with a free number in place of exp(y)."""
    xs = spots(0, 3, 60)
    points = [float(x) for x in xs]
    left = name("u") * (1 - exp(-1)) + exp(-1)

    def draw(axes):
        axes.axvspan(float(fact), 3, color=GREEN, label=f"u >= {fact}")
        axes.plot(points, curve(left, "u", xs), color=BLUE, linewidth=2, label="left side")
        axes.axhline(1, color=ORANGE, linestyle="--", linewidth=2, label="right side")
        axes.set(xlabel="u, in place of exp(y)", xlim=(0, 3), ylim=(0, 2.8))

    return picture(draw, f"Both sides of step 3 against a number of which u >= {fact} is known.")


if __name__ == "__main__":
    app.run()
