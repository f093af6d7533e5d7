"""A book and its aids as HTML that needs nothing from outside, and as PDF."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final

import jinja2
from markupsafe import Markup

from grognard.book.phrases import AROUND, LABELS
from grognard.book.summary import Aids
from grognard.book.volume import Book
from runtime.errors import ArgumentError

PAPERS: Final = ("A4", "Letter")


def page_of(book: Book, paper: str = PAPERS[0]) -> str:
    """The book as one HTML file, which prints on *paper*."""
    return _render("book.html.j2", "book.css", book, paper=paper)


def aids_page_of(aids: Aids, paper: str) -> str:
    """The player's aids as one HTML file, which prints on two pages of *paper*."""
    return _render("aids.html.j2", "aids.css", aids.book, aids=aids, paper=paper)


def pdf_of(document: str) -> bytes:
    """A page as PDF.  ArgumentError where WeasyPrint, or the library Pango, is not there."""
    try:
        import weasyprint  # start-up: and comes with an extra only
    except ImportError:
        raise _lacking("WeasyPrint", "install it with: pip install 'grognard[book]'") from None
    except OSError:
        raise _lacking("the library Pango", "install it, as Debian's libpangoft2-1.0-0") from None
    held = weasyprint.URLFetcher(allowed_protocols=("data",))  # nothing is asked of anybody
    return bytes(weasyprint.HTML(string=document, url_fetcher=held).write_pdf())


def _lacking(what: str, remedy: str) -> ArgumentError:
    return ArgumentError(
        f"PDF needs {what}, which is not installed",
        f"{remedy}, or write a file that ends in .html and print it in a browser",
    )


def _render(template: str, style: str, book: Book, **more: Any) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_asset),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    words = book.naming.words
    labels = {name: words(label) for name, label in LABELS.items()}
    return environment.get_template(template).render(
        book=book,
        labels=labels,
        say=book.naming.say,
        around=AROUND,
        phrases=LABELS,
        style=Markup(_asset(style)),
        **more,
    )


def _asset(name: str) -> str:
    return files(__package__).joinpath("page", name).read_text(encoding="utf-8")
