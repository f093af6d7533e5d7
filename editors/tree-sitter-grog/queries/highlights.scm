; Captures are named as Neovim and Zed name them; where Helix has another name, that one stands first.
; No node is captured by two patterns, so the order of patterns does not matter.

(comment) @comment
(text) @string
(section title: (title) @markup.heading)
["@section" "@house" "@published"] @attribute
(citation) @attribute

; ---------------------------------------------------------------- words

[
  "ruleset" "extends" "cites" "sides" "measure" "scope" "switch" "weight" "enum" "table" "columns" "matrix" "die"
  "deck" "pile" "board" "piece" "fields" "function" "quantity" "permission" "travel" "effect" "stage" "rule" "allow"
  "deny" "modify" "limit" "suspend" "procedure" "case" "event" "reaction" "check" "require" "forecast" "assume"
  "extend" "replace" "rows" "drop" "insert" "field" "column" "member"
] @keyword

[
  "abstract" "checkpoint" "on" "off" "open" "top" "hidden" "owner" "fixed" "setup" "map" "place" "alone" "seen" "lasts"
  "remembered" "once" "whole" "secretly" "before" "instead" "after" "ahead" "behind" "never" "always" "last"
] @keyword.modifier

[
  "let" "set" "add" "take" "do" (leave) (stop) "roll" "choose" "offer" "prompt" "pass" "veiled" "draw" "put" "remove"
  "create" "shuffle" "together" "within" "start" "cease" "expire" "win" "lose" (tie) "step" "note" "observe" "mix"
] @keyword

["if" "then" "else"] @keyword.control.conditional @keyword.conditional
["each" "repeat" "times"] @keyword.control.repeat @keyword.repeat
"return" @keyword.control.return @keyword.return

[
  "of" "by" "per" "copies" "from" "to" "for" "at" "as" "into" "that" "beside" "when" "where" "except" "carrying" "cost"
  "stay" "halt" "end" "has" "its" "own" "up" "via" "clear" "across" "line" "reach" "steps" "way" "some" "no" "every"
  "count" "all" "first" "sum" "most" "least"
] @keyword

["is" "in" "not" "and" "or" "mod" "otherwise"] @keyword.operator

; ---------------------------------------------------------------- what is declared

(ruleset name: (name) @type)
(ruleset base: (name) @type)
(cites name: (name) @attribute)
(sides name: (name) @constant)
(measures name: (name) @type)
(scope name: (name) @type)
(enum name: (name) @type)
(member name: (name) @constant)
(piece name: (name) @type)
(piece parent: (name) @type)
(fields owner: (name) @type)
(extension name: (name) @type)

(switch name: (name) @constant)
(weight name: (name) @constant)
(table name: (name) @constant)
(table key: (name) @type)
(matrix name: (name) @constant)
(matrix rows: (name) @type)
(matrix columns: (name) @type)
(die name: (name) @constant)
(die key: (name) @type)
(face name: (name) @constant)
(deck name: (name) @constant)
(deck key: (name) @type)
(deck copies: (name) @variable.other.member @property)
(pile name: (name) @constant)
(board name: (name) @constant)
(setting name: (name) @variable.other.member @property)
(setting (word) @constant)

(function name: (name) @function)
(quantity name: (name) @function)
(permission name: (name) @function)
(travel name: (name) @function)
(effect name: (name) @function)
(procedure name: (name) @function)
(case name: (name) @function)
(event name: (name) @function)
(forecast name: (name) @function)
(signature name: (name) @function)
(signature "(" (name) @variable.parameter)
(rule name: (name) @label)
(rule except: (name) @label)
(verdict_rule name: (name) @label)
(verdict_rule except: (name) @label)
(modifier name: (name) @label)
(limit name: (name) @label)
(suspension name: (name) @label)
(reaction name: (name) @label)
(check name: (name) @label)
(requirement name: (name) @label)
(stage name: (name) @label)
(modifier stage: (name) @label)
(limit stage: (name) @label)
(step name: (name) @label)
(prompt name: (name) @label)
(pass name: (name) @label)
(branch name: (name) @label)
(removal name: (name) @label)
(insertion step: (name) @label)
(insertion name: (name) @function)

(parameter name: (name) @variable.parameter)
(carried name: (name) @variable.parameter)
(column name: (name) @variable.other.member @property)
(field name: (name) @variable.other.member @property)
(given name: (name) @variable.other.member @property)
(attribute name: (name) @variable.other.member @property)

; ---------------------------------------------------------------- what is used

(type (name) @type)
(set_type (type) @type)
(roll_type (type) @type)
(per (name) @type)
(lasts (name) @type)
(seen_by (name) @variable.other.member @property)
(create kind: (name) @type)
(within scope: (name) @type)
(expire scope: (name) @type)
(roll die: (name) @constant)
(call name: (name) @function.call)
(active name: (name) @function.call)

(integer) @constant.numeric @number
(measured) @constant.numeric @number
[(true) (false) (boolean)] @constant.builtin.boolean @boolean
(none) @constant.builtin
(nothing) @constant.builtin
(cell (name) @constant)

["=" "<" ">" "<=" ">=" "+" "-" "*" "/" ".."] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":" ";" "." "|"] @punctuation.delimiter
"?" @operator
