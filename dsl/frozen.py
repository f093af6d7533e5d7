"""Frozen dataclasses with slots: nodes of sources and of checked trees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, dataclass_transform


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen(type):
    """The type of such classes: what derives from one is one, and needs no decorator."""

    def __new__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: bool
    ) -> Any:
        """Make the class; ``dataclass`` makes it a second time, with slots."""
        plain = super().__new__(cls, name, bases, namespace)
        if "__slots__" in namespace:
            return plain
        return dataclass(frozen=True, slots=True, **options)(plain)
