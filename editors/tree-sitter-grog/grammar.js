/**
 * The language .grog, rule by rule after dsl/grammar.lark, which is the one that counts.
 * What belongs on one line (marks, rows of tables) is made of tokens that follow each other without a break.
 * Optional parts that many rules end in are rules of their own, which keeps the parser small.
 */
/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

/** @param {RuleOrLiteral} rule */
const list = (rule) => seq(rule, repeat(seq(',', rule)));

/** One after another, with or without commas. @param {RuleOrLiteral} rule */
const loose = (rule) => seq(rule, repeat(seq(optional(','), rule)));

/** A token on the line of what is before it. @param {RuleOrLiteral} rule */
const beside = (rule) => token.immediate(prec(1, seq(/[ \t]*/, rule)));

/** @param {RuleOrLiteral} rule */
const block = (rule) => seq('{', repeat(rule), '}');

const ID = /[A-Za-z][A-Za-z0-9]*-[A-Za-z0-9.\-]*[A-Za-z0-9]/;
const IDS = seq(ID, repeat(seq(/[ \t]*,[ \t]*/, ID)));
const BY_IDS = seq('@rule', /[ \t]+/, IDS);
const NUMBER = /[A-Za-z0-9.\-]*[A-Za-z0-9]/;
// Of several numbers, one without a sign of its own holds a digit: else it is a name.
const MORE_NUMBERS = choice(seq(/§[ \t]*/, NUMBER), /[A-Za-z.\-]*[0-9]([A-Za-z0-9.\-]*[A-Za-z0-9])?/);
const BY_NUMBERS = seq(/§[ \t]*/, NUMBER, repeat(seq(/[ \t]*,[ \t]*/, MORE_NUMBERS)));
// At most nine digits, zeros before them left aside: larger numbers are refused.
const DIGITS = /0*[0-9]{1,9}/;
const TEXT = /"[ \t]*[^"\s][^"\n]*"/;

module.exports = grammar({
  name: 'grog',

  word: ($) => $.name,
  extras: ($) => [/[ \t\r\n]/, $.comment],

  rules: {
    source_file: ($) =>
      repeat(choice(seq(repeat($._attribute), choice($._declaration, $.rule_block)), $.section, $.cites)),

    // ---------------------------------------------------------------- marks

    section: ($) =>
      seq(
        '@section',
        optional(field('title', alias($._text_beside, $.title))),
        repeat(choice(alias($._citation_beside, $.citation), alias($._provenance_beside, $.provenance))),
      ),
    cites: ($) => seq('cites', field('name', $.name)),

    _attribute: ($) => choice(alias($.citation_by_id, $.citation), $.provenance),
    _mark: ($) => choice($.citation, alias($.citation_by_id, $.citation), $.provenance),
    citation: (_) => token(BY_NUMBERS),
    citation_by_id: (_) => token(BY_IDS),
    provenance: ($) => seq(choice('@house', '@published'), optional(alias($._text_beside, $.text))),

    _provenance_beside: ($) =>
      seq(
        choice(alias(beside('@house'), '@house'), alias(beside('@published'), '@published')),
        optional(alias($._text_beside, $.text)),
      ),
    _citation_beside: (_) => beside(choice(BY_IDS, IDS, BY_NUMBERS)),
    _text_beside: (_) => beside(TEXT),

    // ---------------------------------------------------------------- what many rules share

    _cited: ($) => repeat1($.citation),
    _head: ($) => seq(field('name', $.name), optional($._cited)),
    _new_head: ($) => seq(field('name', $._new_name), optional($._cited)),
    _new_callable: ($) => seq(field('name', $._new_name), field('parameters', $.parameters)),
    _callable: ($) => seq(field('name', $.name), field('parameters', $.parameters)),
    _typed: ($) => seq(':', field('type', $._type)),
    _value: ($) => seq('=', field('value', $._expression)),
    _body: ($) => field('body', $.block),
    _by: ($) => seq('by', field('by', $._expression)),
    _in: ($) => seq(field('name', $._new_name), 'in', field('range', $._range)),
    _when: ($) => seq('when', field('condition', $._expression)),
    _where: ($) => seq('where', field('condition', $._expression)),
    _ranging: ($) => seq($._in, optional($._where)),
    _else: ($) => seq('else', field('else', $.block)),
    _expressions: ($) => list($._expression),
    _texts: ($) => repeat1($.text),
    _staged: ($) => seq('stage', field('stage', $.name)),
    _for: ($) => seq('for', field('for', $.signature)),
    _most_or_least: ($) => seq('at', choice('most', 'least'), field('value', $._expression)),
    _by_value: ($) => seq('by', field('value', $._expression)),
    _rule_head: ($) => seq($._head, optional(seq('except', loose(field('except', $.name))))),
    _to: ($) => seq('to', field('place', $._postfix)),
    _from: ($) => seq('from', field('place', $._postfix)),

    // ---------------------------------------------------------------- declarations

    _declaration: ($) =>
      choice(
        $.ruleset, $.sides, $.measures, $.scope, $.switch, $.weight, $.enum, $.table, $.matrix, $.die, $.deck,
        $.board, $.piece, $.fields, $.function, $.quantity, $.permission, $.travel, $.effect, $._rule,
        $.procedure, $.case, $.event, $.reaction, $.check, $.requirement, $.forecast, $.assumption,
        $.extension, $.replacement, $.removal, $.insertion,
      ),

    ruleset: ($) =>
      seq('ruleset', field('name', $.name), optional('abstract'), optional(seq('extends', field('base', $.name)))),
    sides: ($) => seq('sides', loose(field('name', $.name)), optional($._cited)),
    measures: ($) => seq('measure', loose(field('name', $.name)), optional($._cited)),
    scope: ($) => seq('scope', $._head, optional('checkpoint')),
    switch: ($) => seq('switch', $._new_head, choice('on', 'off')),
    weight: ($) => seq('weight', $._head, '=', field('value', $._bound), optional($.bounds)),
    bounds: ($) => seq('in', $._bound, '..', $._bound),
    _bound: ($) => choice($.integer, alias($.negative, $.integer)),
    negative: ($) => seq('-', DIGITS),

    enum: ($) => seq('enum', $._new_head, field('body', $.members)),
    members: ($) => seq('{', loose($._marked_member), '}'),
    _marked_member: ($) => seq(repeat($._mark), $.member),
    member: ($) => seq(field('name', $._new_name), optional($._texts)),

    table: ($) =>
      seq('table', field('name', $.name), 'of', field('key', $.name), optional($._cited), field('body', $.table_body)),
    table_body: ($) => seq('{', 'columns', optional(list($._marked_column)), repeat($._marked_row), '}'),
    _marked_column: ($) => seq(repeat($._mark), $.column),
    column: ($) => seq(field('name', $.name), $._typed, optional($.bounds), optional($._texts)),
    rows: ($) => block($._marked_row),
    _marked_row: ($) => seq(repeat($._mark), $.row),
    row: ($) => seq('|', repeat1(seq(optional($.cell), alias($._bar, '|')))),
    _bar: (_) => beside('|'),
    cell: ($) =>
      repeat1(
        choice(
          alias($._cell_number, $.integer),
          alias($._cell_boolean, $.boolean),
          alias($._cell_name, $.name),
          alias($._cell_nothing, $.nothing),
          $._cell_other,
        ),
      ),
    // Of two that take as much, the one that stands first.
    _cell_number: (_) => token.immediate(/[ \t]*-?[0-9]+/),
    _cell_boolean: (_) => token.immediate(/[ \t]*(yes|no)/),
    _cell_name: (_) => token.immediate(/[ \t]*[A-Za-z_][A-Za-z0-9_]*/),
    _cell_nothing: (_) => token.immediate(/[ \t]*[—–?]/),
    _cell_other: (_) => token.immediate(/[ \t]*[^|#\s]+/),

    matrix: ($) =>
      seq(
        'matrix', field('name', $._new_name), 'of', field('rows', $._scale), 'by', field('columns', $._scale),
        $._typed, optional($._cited), field('body', $.rows),
      ),
    _scale: ($) => choice($.name, alias($.number_scale, $.range)),
    number_scale: ($) => seq($._bound, '..', $._bound),

    die: ($) =>
      seq(
        'die', field('name', $._new_name), 'of',
        choice(
          seq(field('key', $.name), optional($._cited), optional(block($.face))),
          seq($.integer, '..', $.integer, optional($._cited)),
        ),
      ),
    face: ($) => seq(field('name', $.name), field('weight', $.integer), optional(',')),

    deck: ($) =>
      seq(
        'deck', field('name', $.name), 'of', field('key', $.name), 'copies', field('copies', $.name),
        optional($._cited), block($.pile),
      ),
    pile: ($) => seq('pile', field('name', $._new_name), optional($.per), field('seen', $._visibility)),
    _visibility: (_) => choice('open', 'top', 'hidden', 'owner'),
    per: ($) => seq('per', $.name),

    board: ($) => seq('board', $._head, block($.setting)),
    setting: ($) => seq(field('name', $.name), repeat(choice(alias($.name, $.word), $.integer)), ';'),

    piece: ($) =>
      seq(
        'piece', field('name', $._new_name), optional(seq('of', field('parent', $.name))), optional($._cited),
        field('body', $.field_list),
      ),
    fields: ($) => seq('fields', 'of', field('owner', $.name), optional($._cited), field('body', $.field_list)),
    field_list: ($) => block(seq(repeat($._mark), $.field)),
    field: ($) =>
      seq(
        field('name', $.name), optional($.per), $._typed, optional($._value), repeat($._modifier),
        optional($._texts),
      ),
    _modifier: ($) => choice('fixed', 'setup', 'map', $.lasts, seq('place', optional('alone')), $.seen_by),
    lasts: ($) => seq('lasts', $.name),
    seen_by: ($) => seq('seen', 'by', $.name),

    _type: ($) => choice($.type, $.set_type, $.roll_type),
    type: ($) => seq($.name, optional('?')),
    set_type: ($) => seq('set', 'of', alias($.name, $.type)),
    roll_type: ($) => seq('roll', 'of', alias($.name, $.type)),

    parameters: ($) => seq('(', optional(list($.parameter)), ')'),
    parameter: ($) => seq(field('name', $._new_name), $._typed),

    function: ($) =>
      seq(
        'function', $._new_callable, $._typed,
        optional($._cited), optional('remembered'), choice($._value, $._body),
      ),
    quantity: ($) =>
      seq(
        'quantity', $._new_callable, $._typed,
        optional($._cited), optional(field('body', alias($.quantity_body, $.rules))),
      ),
    quantity_body: ($) => seq('{', repeat($.stage), repeat($._marked_inner_rule), '}'),
    stage: ($) => seq('stage', field('name', $.name)),
    permission: ($) =>
      seq(
        'permission', $._new_callable, optional($._cited),
        field('verdict', $._verdict), optional(field('body', $.rules)),
      ),
    _verdict: (_) => choice('allow', 'deny'),
    rules: ($) => block($._marked_inner_rule),

    travel: ($) =>
      seq(
        'travel', $._callable, optional($._cited),
        'from', field('from', $._expression), 'within', field('within', $._expression),
        optional($.carrying), field('body', $.travel_body),
      ),
    carrying: ($) => seq('carrying', list($.carried)),
    carried: ($) => seq(field('name', $._new_name), $._typed, $._value),
    travel_body: ($) =>
      seq('{', $._stepping, repeat($.stay), optional(choice(seq($._halt, optional($._end)), $._end)), '}'),
    _stepping: ($) =>
      seq(
        'step', field('here', $._new_name), 'to', field('there', $._new_name), $._when,
        optional($._changes), optional($._cost),
      ),
    _halt: ($) => seq('halt', 'when', field('halt', $._expression)),
    _end: ($) => seq('end', 'when', field('end', $._expression)),
    _changes: ($) => seq('then', list($.change)),
    _cost: ($) => seq('cost', field('cost', $._expression)),
    change: ($) => seq(field('name', $.name), $._value),
    stay: ($) => seq('stay', optional($._when), $._changes, optional($._cost)),

    effect: ($) =>
      seq(
        'effect', $._callable, optional($._cited),
        optional(seq('in', $.name)), optional($.lasts), field('body', $.effect_body),
      ),
    effect_body: ($) => block(seq(repeat($._attribute), choice($._rule, $.rule_block))),

    rule_block: ($) => seq('for', field('for', $.signature), optional($._cited), field('body', $.rules)),
    signature: ($) => seq(field('name', $.name), optional(seq('(', loose($.name), ')'))),

    _rule: ($) => choice($.rule, $.verdict_rule, $.modifier, $.limit, $.suspension),
    rule: ($) => seq('rule', $._rule_head, $._for, $._value, optional($._when)),
    verdict_rule: ($) => seq($._verdict, $._rule_head, $._for, optional($._when)),
    modifier: ($) => seq('modify', $._head, $._for, $._staged, $._by_value, optional($._when)),
    limit: ($) => seq('limit', $._head, $._for, $._staged, $._most_or_least, optional($._when)),
    suspension: ($) => seq('suspend', $._head, $._for, $._when),

    // A rule in the block of what it is for.
    _marked_inner_rule: ($) => seq(repeat($._attribute), $._inner_rule),
    _inner_rule: ($) =>
      choice(
        alias($.inner_rule, $.rule),
        alias($.inner_verdict_rule, $.verdict_rule),
        alias($.inner_modifier, $.modifier),
        alias($.inner_limit, $.limit),
        alias($.inner_suspension, $.suspension),
      ),
    inner_rule: ($) => seq('rule', $._rule_head, $._value, optional($._when)),
    inner_verdict_rule: ($) => seq($._verdict, $._rule_head, optional($._when)),
    inner_modifier: ($) => seq('modify', $._head, $._staged, $._by_value, optional($._when)),
    inner_limit: ($) => seq('limit', $._head, $._staged, $._most_or_least, optional($._when)),
    inner_suspension: ($) => seq('suspend', $._head, $._when),

    procedure: ($) => seq('procedure', $._callable, optional($._typed), optional($._cited), $._body),
    case: ($) => seq('case', field('name', $.name), 'of', field('of', $.signature), optional($._cited), $._body),
    event: ($) => seq('event', $._callable, optional($._cited), optional(seq('from', field('from', $._expression)))),
    reaction: ($) =>
      seq(
        'reaction', field('name', $.name), optional(seq('(', $.ranging, ')')), optional($._cited),
        $._timing, field('event', $.signature), $._by,
        optional($._when), optional($.veil), $._body,
      ),
    _timing: (_) => choice('before', 'instead', 'after'),
    check: ($) => seq('check', $._head, $._when, $._body),
    requirement: ($) => seq('require', $._head, 'that', field('condition', $._expression)),
    forecast: ($) =>
      seq(
        'forecast', $._callable, optional($._cited),
        optional($._of_foretold), optional(seq('=', field('value', $.call))),
        optional(field('body', alias($.foretelling, $.block))),
      ),
    _of_foretold: ($) => seq('of', list($.foretold)),
    foretelling: ($) => seq('{', repeat($.assumption), repeat($._marked_statement), '}'),
    assumption: ($) =>
      seq(
        'assume', $._foretold_option,
        choice('never', 'always', 'first', 'last', seq(choice('most', 'least'), field('by', $.name))),
      ),
    foretold: ($) => $._foretold_option,
    _foretold_option: ($) =>
      seq($.name, optional(seq('.', $.name)), optional(seq('in', $.name)), optional(seq('beside', $.name))),

    extension: ($) =>
      seq(
        'extend',
        choice(
          seq('enum', $._head, field('body', $.members)),
          seq('table', $._head, field('body', $.rows)),
          seq(choice('piece', 'fields'), $._head, field('body', $.field_list)),
        ),
      ),
    replacement: ($) => seq('replace', choice($._declaration, seq('rows', 'of', $._head, field('body', $.rows)))),
    removal: ($) =>
      seq(
        'drop', field('kind', $.kind), field('name', $.name), optional(seq('.', field('part', $.name))),
        optional($._cited),
      ),
    kind: (_) =>
      choice(
        'procedure', 'function', 'quantity', 'permission', 'travel', 'rule', 'case', 'reaction', 'check', 'effect',
        'forecast', 'table', 'enum', 'matrix', 'die', 'deck', 'pile', 'board', 'piece', 'fields', 'field', 'column',
        'member', 'stage', 'event', 'require', 'switch', 'weight', 'scope', 'measure',
      ),
    insertion: ($) => seq('insert', choice('ahead', 'behind'), field('step', $.name), 'of', $._head, $._body),

    // ---------------------------------------------------------------- statements

    block: ($) => block($._marked_statement),
    _marked_statement: ($) => seq(repeat($._mark), $._statement),
    _statement: ($) =>
      choice(
        $.let, $.set, $.add, $.take, $.if, $.each, $.repeat, $.do, $.return, $.leave, $.stop, $.roll, $.choose,
        $.offer, $.draw, $.put, $.remove, $.create, $.shuffle, alias($.event_statement, $.event), $.together,
        $.within, $.start, $.cease, $.expire, $.win, $.lose, $.tie, $.step, $.note, $.observe, $.mix,
      ),

    let: ($) => seq('let', field('name', $._new_name), '=', field('value', choice($._expression, $.do))),
    set: ($) => seq('set', field('place', $._postfix), '=', field('value', choice($._expression, $.do))),
    add: ($) => seq('add', field('value', $._expression), $._to),
    take: ($) => seq('take', field('value', $._expression), $._from),
    if: ($) =>
      seq(
        'if', field('condition', $._expression), field('then', $.block),
        optional(seq('else', field('else', choice($.block, $.if)))),
      ),
    each: ($) => seq('each', $._ranging, $._body),
    repeat: ($) => seq('repeat', optional(seq(field('times', $._expression), 'times')), $._body),
    do: ($) => seq('do', $.call),
    return: ($) => seq('return', $._expression),
    leave: (_) => 'leave',
    stop: (_) => 'stop',
    roll: ($) => seq('roll', field('dice', $._expression), field('die', $.name), 'as', field('name', $._new_name)),
    choose: ($) =>
      seq(
        'choose', optional('secretly'), $._ranging, $._by, optional($.prompt),
        optional(choice(seq($.pass, optional($._else)), $._else)),
      ),
    offer: ($) =>
      seq('offer', optional('once'), $._by, optional($.prompt), '{', repeat($._marked_branch), optional($.pass), '}'),
    _marked_branch: ($) => seq(repeat($._mark), $.branch),
    prompt: ($) => seq('prompt', field('name', $.name), optional($.arguments)),
    pass: ($) => seq('pass', field('name', $.name), optional($._when), optional($.veil)),
    veil: ($) => seq('veiled', optional($._when)),
    branch: ($) => seq(field('name', $.name), optional($._rangings), optional($._when), $._body),
    _rangings: ($) => seq('(', $.ranging, optional(seq(',', $.ranging)), ')'),
    ranging: ($) => $._ranging,
    draw: ($) => seq('draw', field('name', $._new_name), 'from', field('range', $._range), optional($._where)),
    put: ($) => seq('put', field('value', $._expression), 'on', field('place', $._postfix)),
    remove: ($) => seq('remove', field('value', $._expression), $._from),
    create: ($) =>
      seq(
        'create', field('kind', $.name), 'as', field('name', $._new_name), '{', optional(list($.given)), '}',
        optional($._else),
      ),
    given: ($) => seq(field('name', $.name), ':', field('value', $._expression)),
    shuffle: ($) => seq('shuffle', field('place', $._postfix), optional(seq('into', field('into', $._postfix)))),
    event_statement: ($) => seq('event', field('name', $.name), field('arguments', $.arguments), $._body),
    together: ($) => seq('together', $._body),
    within: ($) => seq('within', field('scope', $.name), $._body),
    start: ($) => seq('start', $.call),
    cease: ($) => seq('cease', $.call),
    expire: ($) => seq('expire', field('scope', $.name)),
    win: ($) => seq('win', 'by', $._expression),
    lose: ($) => seq('lose', 'by', $._expression),
    tie: (_) => 'tie',
    step: ($) => seq('step', field('name', $.name), $._body),
    note: ($) => seq('note', $.call, optional(seq('to', field('to', $._expression)))),
    observe: ($) => seq('observe', $.call),
    mix: ($) => seq('mix', $._expression),

    call: ($) => seq(field('name', $.name), field('arguments', $.arguments)),
    arguments: ($) => seq('(', optional($._expressions), ')'),

    // ---------------------------------------------------------------- expressions

    // Quantifiers and conditionals ('open') reach as far right as they can: they may end an
    // expression, and stand in parentheses anywhere else.
    _expression: ($) => choice($._or_closed, $._or_open),
    _or_closed: ($) => choice($._and_closed, alias($.or_closed, $.binary)),
    _or_open: ($) => choice($._and_open, alias($.or_open, $.binary)),
    or_closed: ($) => binary($._or_closed, 'or', $._and_closed),
    or_open: ($) => binary($._or_closed, 'or', $._and_open),
    _and_closed: ($) => choice($._not_closed, alias($.and_closed, $.binary)),
    _and_open: ($) => choice($._not_open, alias($.and_open, $.binary)),
    and_closed: ($) => binary($._and_closed, 'and', $._not_closed),
    and_open: ($) => binary($._and_closed, 'and', $._not_open),
    _not_closed: ($) => choice($._comparison, alias($.not_closed, $.unary)),
    _not_open: ($) => choice($._open, alias($.not_open, $.unary)),
    not_closed: ($) => seq('not', $._not_closed),
    not_open: ($) => seq('not', $._not_open),

    _open: ($) => choice($.quantifier, $.allotment, $.aggregate, $.conditional, $.line),
    quantifier: ($) =>
      choice(
        seq(choice('some', 'count', 'all', 'first'), $._ranging),
        seq('no', $._in, $._where),
        seq('every', $._in, 'has', field('condition', $._expression)),
      ),
    allotment: ($) => seq('every', $._in, 'has', 'its', 'own', $._in, optional($._up_to), optional($._where)),
    _up_to: ($) => seq('up', 'to', field('up_to', $._range)),
    aggregate: ($) => seq($._aggregating, field('value', $._range), 'for', $._ranging),
    _aggregating: (_) => choice('sum', 'most', 'least'),
    conditional: ($) =>
      seq(
        'if', field('condition', $._expression), 'then', field('then', $._expression), 'else',
        field('else', $._expression),
      ),
    line: ($) =>
      seq(
        'line', field('from', $._range), 'to', field('to', $._range), optional('whole'),
        choice($.clear, seq(alias($.clear_closed, $.clear), $.across), $.across),
      ),
    clear: ($) => seq('clear', 'of', field('name', $.name), $._where),
    clear_closed: ($) => seq('clear', 'of', field('name', $.name), 'where', field('condition', $._or_closed)),
    across: ($) => seq('across', field('from', $.name), 'to', field('to', $.name), $._where),

    _comparison: ($) => choice($._range, alias($.comparison, $.binary)),
    comparison: ($) =>
      binary($._range, $._comparing, $._range),
    _comparing: (_) => choice('is', seq('is', 'not'), '<=', '>=', '<', '>', 'in', seq('not', 'in')),
    _range: ($) => choice($._default, $.range),
    range: ($) => seq($._default, '..', $._default),
    _default: ($) => choice($._sum, alias($.default, $.binary)),
    default: ($) => binary($._sum, 'otherwise', $._sum),
    _sum: ($) => choice($._term, alias($.sum, $.binary)),
    sum: ($) => binary($._sum, choice('+', '-'), $._term),
    _term: ($) => choice($._unary, alias($.term, $.binary)),
    term: ($) => binary($._term, choice('*', '/', 'mod'), $._unary),
    _unary: ($) => choice($._postfix, $.unary),
    unary: ($) => seq('-', $._unary),
    _postfix: ($) => choice($._atom, $.attribute, $.index),
    attribute: ($) => seq(field('of', $._postfix), '.', field('name', $.name)),
    index: ($) => seq(field('of', $._postfix), '[', $._expressions, ']'),
    _atom: ($) =>
      choice(
        $.integer, $.measured, $.true, $.false, $.none, $.name, $.call, $.reach, $.way, $.active, $.set_literal,
        $.parenthesized,
      ),
    integer: (_) => token(DIGITS),
    measured: (_) => token(seq(DIGITS, /[ \t]+/, /[A-Z][A-Za-z_]*/)),
    true: (_) => 'true',
    false: (_) => 'false',
    none: (_) => 'none',
    reach: ($) => seq('reach', $.call, optional($._via)),
    way: ($) => seq(choice('steps', 'way'), $._journey),
    _journey: ($) => seq($.call, optional($._via), 'to', field('to', $._atom)),
    _via: ($) => seq('via', field('via', $._atom)),
    active: ($) => seq('effect', field('name', $.name), optional($._of_these)),
    _of_these: ($) => seq('(', $._expressions, ')'),
    set_literal: ($) => seq('{', optional($._expressions), '}'),
    parenthesized: ($) => seq('(', $._expression, ')'),

    // ---------------------------------------------------------------- words

    // The name of what values are read from. A reserved word is read here as well, and leads nowhere.
    _new_name: ($) => choice($.name, seq($._reserved, $._never)),
    _reserved: (_) =>
      choice(
        'all', 'and', 'count', 'effect', 'every', 'false', 'first', 'if', 'in', 'is', 'least', 'line', 'mod', 'most',
        'no', 'none', 'not', 'or', 'otherwise', 'reach', 'some', 'steps', 'sum', 'true', 'way',
      ),
    _never: (_) => /\u0001\u0002/,

    text: (_) => token(TEXT),
    name: (_) => /[A-Za-z_][A-Za-z0-9_]*/,
    comment: (_) => token(/#[^\n]*/),
  },
});

/** @param {RuleOrLiteral} left @param {RuleOrLiteral} operator @param {RuleOrLiteral} right */
function binary(left, operator, right) {
  return seq(field('left', left), field('operator', operator), field('right', right));
}
