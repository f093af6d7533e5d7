; What is named in a declaration is known to its end; what is named in a block, to the end of the block.
[
  (function)
  (quantity)
  (permission)
  (travel)
  (effect)
  (procedure)
  (forecast)
  (block)
  (branch)
  (quantifier)
  (aggregate)
  (allotment)
] @local.scope

(parameter name: (name) @local.definition)
(carried name: (name) @local.definition)
(let name: (name) @local.definition)
(each name: (name) @local.definition)
(roll name: (name) @local.definition)
(choose name: (name) @local.definition)
(draw name: (name) @local.definition)
(create name: (name) @local.definition)
(ranging name: (name) @local.definition)
(quantifier name: (name) @local.definition)
(aggregate name: (name) @local.definition)
(allotment name: (name) @local.definition)

(name) @local.reference
