"""Mail: the server by which it is sent, as a file says (``docs/server.md``)."""

from __future__ import annotations

import os
import re
import smtplib
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from pathlib import Path
from typing import Final

from grognard import places
from runtime.data.check import Path as Way
from runtime.data.check import check
from runtime.data.findings import Finding
from runtime.data.reader import Mapping, Node, plain, read_file
from runtime.data.shapes import FORM, WORDED, Fault, Number, Record, Text, Word

#: How the way to the server is encrypted.
NONE, STARTTLS, TLS = "none", "starttls", "tls"
_PORTS: Final = {NONE: 25, STARTTLS: 587, TLS: 465}
#: Seconds that the server may take.
_PATIENCE: Final = 30.0
#: Of the letters that may stand before the @, those that need no quotes; "=?" begins an encoded
#: word, which the library would write out as what it stands for: other addresses.
_ADDRESS: Final = re.compile(
    r"(?!.*=\?)[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+\.?[A-Za-z0-9]+"
)
_CODES: Final = dict.fromkeys(("key", "missing", "kind", "value", "form"), "")


def is_address(text: str) -> bool:
    """Whether a text looks like an address of mail."""
    return len(text) <= 254 and _ADDRESS.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Mail:
    """A *server* that takes mail of a *sender*, from a *user* if one is named."""

    server: str
    port: int
    tls: str
    user: str
    password: str
    sender: str

    def send(self, to: str, subject: str, text: str) -> None:
        """Send a text to an address.  OSError (of which smtplib's errors are some) where it cannot
        be sent.
        """
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self.sender, to, subject
        message["Date"], message["Auto-Submitted"] = formatdate(), "auto-generated"
        message["Message-ID"] = make_msgid(domain=self.sender.partition("@")[2])
        message.set_content(text)
        with self._connect() as server:
            if self.tls == STARTTLS:
                server.starttls(context=ssl.create_default_context())
            if self.user:
                server.login(self.user, self.password)
            server.send_message(message)

    def _connect(self) -> smtplib.SMTP:
        if self.tls == TLS:
            safe = ssl.create_default_context()
            return smtplib.SMTP_SSL(self.server, self.port, timeout=_PATIENCE, context=safe)
        return smtplib.SMTP(self.server, self.port, timeout=_PATIENCE)


# --------------------------------------------------------------------------- the file


def _one_password(node: Node, path: Way) -> Iterator[Fault]:
    if not isinstance(node, Mapping):
        return
    named = [key for key in ("password", "password_from") if node.get(key) is not None]
    if len(named) == 2:
        remedy = "give the password itself, or the environment variable that holds it"
        yield Fault(FORM, "a password is given twice", node, remedy)
    if (node.get("user") is not None) != bool(named):
        remedy = "give a user and a password or password_from, or neither"
        yield Fault(FORM, "a user goes with a password", node, remedy)


def _in_environment(name: str) -> bool:
    return name in os.environ


_SHAPE: Final = Record(
    keys={
        "server": Text(types=WORDED, want="the name of a server"),
        "port": Number(least=1, most=65_535),
        "tls": Word(words=(NONE, STARTTLS, TLS), noun="way", what="encrypted"),
        "user": Text(types=WORDED),
        "password": Text(types=WORDED),
        "password_from": Text(
            want="the name of an environment variable",
            test=_in_environment,
            wrong="there is no environment variable '{it}'",
            remedy="set it where the server is started",
        ),
        "sender": Text(
            want="an address",
            test=is_address,
            wrong="'{it}' is no address of mail",
            remedy="write, for instance, games@example.org",
        ),
    },
    required=("server", "sender"),
    also=_one_password,
)


def read_mail(path: Path, name: str) -> Mail:
    """The server in a file, which people know as *name*.  LoadError with what is wrong."""
    root, findings = read_file(path, name, _SHAPE.required)
    if root is not None and not isinstance(root, Mapping):
        message = "a file for notices is a mapping with the keys server, sender, and others"
        findings = [Finding("", message, name, 1, 1)]
    elif root is not None:
        findings = check(root, _SHAPE, name, _CODES)
    if findings or root is None:
        raise places.of_findings(list(findings), name)
    told = plain(root)
    tls = str(told.get("tls", STARTTLS))
    password = told.get("password", "")
    if "password_from" in told:
        password = os.environ[told["password_from"]]
    return Mail(
        str(told["server"]),
        int(told.get("port", _PORTS[tls])),
        tls,
        str(told.get("user", "")),
        str(password),
        str(told["sender"]),
    )
