"""Commands for rulesets: checking, compiling, laying out, covering, beginning one."""
