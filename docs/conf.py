"""How Sphinx builds the pages of this folder: `make docs`, into build/docs, without a network.

The pages are Markdown that a code host shows as it is; what only the built site has (the contents,
the pages of the Python interface, formulas as MathML) is added here and in `builder/`.
"""

from __future__ import annotations

import sys
from importlib.metadata import version as installed
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

project = "ahdp_verify"
author = "ahdp_verify contributors"
project_copyright = author
release = version = installed("ahdp-verify")
language = "en"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "docs.builder.docstrings",
    "docs.builder.links",
    "docs.builder.mathml",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["builder"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say what is given; the types are long unions
autodoc_class_signature = "mixed"
add_module_names = False
toc_object_entries_show_parents = "hide"

smartquotes = False  # quotes are part of what is shown

html_theme = "furo"
html_title = "ahdp_verify"
html_static_path = ["builder/static"]
html_css_files = ["site.css"]
html_theme_options = {"navigation_with_keys": True}
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
html_last_updated_fmt = None  # two builds of the same pages are the same


def setup(app: Sphinx) -> None:
    app.add_lexer("csv", TextLexer)  # tables are shown as they are
