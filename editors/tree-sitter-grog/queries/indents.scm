; Helix reads @indent and @outdent, Neovim the others.
[
  (block)
  (rules)
  (members)
  (table_body)
  (rows)
  (field_list)
  (travel_body)
  (effect_body)
  (offer)
  (deck)
  (die)
  (board)
  (create)
] @indent @indent.begin

"}" @outdent @indent.branch
