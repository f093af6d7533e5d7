"""The codes of findings, and which findings only follow from others."""
