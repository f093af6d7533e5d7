; The outline of a file.
(function name: (name) @name) @definition.function
(quantity name: (name) @name) @definition.function
(permission name: (name) @name) @definition.function
(travel name: (name) @name) @definition.function
(effect name: (name) @name) @definition.function
(procedure name: (name) @name) @definition.function
(forecast name: (name) @name) @definition.function
(enum name: (name) @name) @definition.type
(piece name: (name) @name) @definition.class
(table name: (name) @name) @definition.constant
(matrix name: (name) @name) @definition.constant
(call name: (name) @name) @reference.call
