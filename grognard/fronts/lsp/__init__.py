"""The language server: what :mod:`grognard.editing` knows, for any editor (Language Server Protocol
3.17, through pygls; extra ``lsp``).
"""
