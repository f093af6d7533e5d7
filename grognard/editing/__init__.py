"""What an editor asks of the sources of games: findings while they are written, what may stand
somewhere, what a name means and where it is used, and what a change of a name changes.

:mod:`desk` holds the texts that are open, and the rulesets and findings that they make;
:mod:`meanings` knows what each name means. Places are those of :class:`dsl.source.Source`, files
paths; a front (``grognard.fronts.lsp``) puts them into the terms of its protocol.
"""
