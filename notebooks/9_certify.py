import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="9. Certify your own mechanism")

with app.setup(hide_code=True):
    import json
    import tempfile
    from fractions import Fraction
    from pathlib import Path

    import marimo as mo

    import ahdp_verify
    from ahdp_verify import (
        AhdpError,
        Limits,
        Refuted,
        Unknown,
        calibrate,
        explain,
        recheck,
        verify,
    )
    from ahdp_verify.classroom.exercises import ClaimExercise, RecordExercise
    from ahdp_verify.classroom.feedback import Feedback
    from ahdp_verify.classroom.form import form_claim, form_toml
    from ahdp_verify.classroom.lessons import heading
    from ahdp_verify.classroom.pictures import density_picture, event_picture, row, spots
    from ahdp_verify.kernel.model.claim import Claim
    from ahdp_verify.kernel.record import of_proof


@app.cell(hide_code=True)
def _():
    mo.md(heading(9))
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## 1. The form

    State a mechanism with one real output `s`. The density is an expression in `s`, in `sum(...)` over the records of the dataset (with `x` and `eps` of the record inside), in `size`, and in `b`.
    The level is an expression in `x` and `eps`. Then move `b`, and change whatever you like.
    """)
    return


@app.cell(hide_code=True)
def _():
    records_field = mo.ui.text_area(
        value="0, 0\n1, 1\n2, oo", label="records: value, demand", rows=4, full_width=True
    )
    density_field = mo.ui.text(
        value="exp(-abs(s - sum((1 - exp(-eps))*x))/b)/(2*b)", label="density", full_width=True
    )
    level_field = mo.ui.text(value="1 - exp(-eps)", label="level", full_width=True)
    relation_field = mo.ui.dropdown(["ahdp", "hdp", "add-remove"], value="ahdp", label="relation")
    b_slider = mo.ui.slider(0.5, 4, 0.5, value=2, label="b", show_value=True)
    mo.vstack([records_field, density_field, level_field, relation_field, b_slider])
    return b_slider, density_field, level_field, records_field, relation_field


@app.cell
def _(b_slider, density_field, level_field, records_field, relation_field):
    b = Fraction(b_slider.value)

    def written(lets, parameters=None):
        """The form as the text of a mechanism file."""
        return form_toml(
            records_field.value,
            density_field.value,
            level_field.value,
            lets,
            relation=relation_field.value,
            parameters=parameters,
        )

    return b, written


@app.cell
def _(b, written):
    problem, verdict, text = None, None, ""
    try:
        text = written({"b": str(b)})
        verdict = verify(form_claim(text), Limits(seconds=30))
    except AhdpError as why:
        problem = Feedback(None, f"The form cannot be used: {why}.")
    return problem, text, verdict


@app.cell(hide_code=True)
def _(problem, text, verdict):
    mo.stop(problem is not None, problem)
    mo.vstack(
        [
            mo.md("## 2. The verdict"),
            verdict,
            pictured(verdict),
            mo.accordion({"The form as a mechanism file": mo.md(f"```toml\n{text}```")}),
        ]
    )
    return


@app.cell(hide_code=True)
def _(problem, verdict):
    mo.stop(problem is not None or isinstance(verdict, Unknown))
    explanation = explain(verdict)
    mo.vstack(
        [
            mo.md(
                "## 3. The proof, or why there is none\n\nA proof needs no trust in the search that found it. These are its steps, or the numbers of the counterexample; each can be followed by hand."
            ),
            mo.accordion({"Line by line": mo.md(explanation.markdown)}),
        ]
    )
    return (explanation,)


@app.cell(hide_code=True)
def _(problem, verdict):
    mo.stop(problem is not None or isinstance(verdict, Unknown))
    with tempfile.TemporaryDirectory() as _folder:
        _file = Path(_folder) / "my-mechanism.json"
        verdict.save(_file)
        stored, checked = _file.read_text(encoding="utf-8"), recheck(_file)
    mo.vstack(
        [
            mo.md(
                f"## 4. The record\n\nThe record of the verdict has {len(stored)} characters. Whoever receives it can check it, starting from the mechanism: here, with `ahdp-verify recheck my-mechanism.json`, or with the stand-alone checker, which is a program of its own. `recheck` says of it:"
            ),
            checked,
            mo.download(stored.encode(), filename="my-mechanism.json", label="Download the record"),
        ]
    )
    return checked, stored


@app.cell(hide_code=True)
def _(problem, verdict):
    # The one place of the report for a review: it is offered where the package has one.
    make_report = getattr(ahdp_verify, "report", None)
    mo.stop(make_report is None or problem is not None or isinstance(verdict, Unknown))
    mo.vstack(
        [
            mo.md("The same for people who review it, as one page:"),
            mo.download(
                lambda: make_report(verdict).html.encode(),
                filename="my-mechanism.html",
                mimetype="text/html",
                label="Download the report",
            ),
        ]
    )
    return


@app.cell(hide_code=True)
def _(written):
    def with_scale(scale):
        return form_claim(written({"b": str(scale)}))

    def least_scale():
        return calibrate(form_claim(written({}, {"b": "b > 0"})), "b").value

    scale_exercise = ClaimExercise(with_scale, "scale", using=(), best=least_scale)
    scale_answer = mo.ui.text(label="least b:", placeholder="a number, such as 3/2")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 1: no more noise than necessary

    What is the least $b$ with which the claim in your form is true? The answer depends on what you have written there."""),
            scale_answer,
        ]
    )
    return scale_answer, scale_exercise


@app.cell(hide_code=True)
def _(scale_answer, scale_exercise):
    scale_exercise.check(scale_answer.value)
    return


@app.cell(hide_code=True)
def _():
    _density = "exp(-abs(s - sum((1 - exp(-eps))*x))/2)/4"
    proof = verify(form_claim(form_toml("0, 0\n1, 1\n2, oo", _density, "1 - exp(-eps)", {})))
    _less = Claim(proof.claim.mechanism, "ahdp", proof.claim.level / 2)
    _forged = of_proof(_less, proof.certificate, proof.scope, proof.trusts, proof.compared)
    _changed = json.dumps(proof.to_json()).replace('"1"', '"2"', 1)
    record_exercise = RecordExercise(
        {
            "A: the claim is the level (1 - exp(-eps))/2": json.dumps(_forged),
            "B: the claim is the level 1 - exp(-eps)": json.dumps(proof.to_json()),
            "C: as B, with one number changed": _changed,
        }
    )
    record_answer = mo.ui.radio(record_exercise.choices)
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 2: whom to believe

    Three records came by mail, all about the sum with the weights $1 - e^{-\varepsilon}$ for the values 0, 1, 2, with noise of scale 2. Each says *Proved*, and the one with the smaller level even comes with the certificate
    of the other. Which one does the checker accept?"""),
            record_answer,
        ]
    )
    return proof, record_answer, record_exercise


@app.cell(hide_code=True)
def _(record_answer, record_exercise):
    record_exercise.check(record_answer.value)
    return


@app.function(hide_code=True)
def pictured(verdict):
    """The counterexample, or the densities without and with one record."""
    if isinstance(verdict, Refuted):
        return row(event_picture(verdict, spots(-6, 8)))
    count = len(verdict.claim.mechanism.inputs.records)
    inputs = ([0] * count, [0] * (count - 1) + [1])
    try:
        return row(density_picture(verdict.claim.mechanism, inputs, spots(-6, 8)))
    except AhdpError as why:
        return Feedback(None, f"There is no figure: {why}.")


if __name__ == "__main__":
    app.run()
