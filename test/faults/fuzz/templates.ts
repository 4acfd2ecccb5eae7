import type { Chance } from './chance.ts'
import { askApi, askPanel, type MakeRequest } from './fuzzed-request.ts'
import { mutateValue } from './mutate.ts'
import { nastyTexts } from './nasty.ts'

const variables = [
  ...['user.firstName', 'user.from', 'user.to', 'user.many', 'user.negative', 'user.long', 'user.list', 'user.when'],
  ...['user.template', 'user.size', 'user.first', 'user.constructor', 'user.__proto__', 'user', 'user[0]', 'user.none'],
  ...[
    'userId',
    'deviceType',
    'promoCode',
    'installationId',
    'x',
    'i',
    'forloop.index',
    'user["list"][299]',
    'nil',
    '"a"',
  ],
  ...['1', '-1', '2.5', '1e9', 'true', 'empty', 'blank', 'user.list.first', 'user.list.size', 'user[userId]'],
]
const filters = [
  ...['upcase', 'default: "x"', 'append: user.long', 'prepend: "a"', 'size', 'first', 'last', 'split: ""', 'join: ","'],
  ...['reverse', 'sort', 'sort_natural', 'uniq', 'map: "x"', 'where: "a", 1', 'concat: user.list', 'slice: 0, 9999999'],
  ...['slice: -5, 3', 'truncate: 9999999', 'truncatewords: 3', 'replace: "", "xx"', 'replace_first: "a", user.long'],
  ...[
    'date: "%Y-%m-%d"',
    'date: "%999999d"',
    'date: "%Z %s"',
    'plus: 1e308',
    'times: -1',
    'divided_by: 0',
    'modulo: 0',
  ],
  ...['round: 400', 'ceil', 'floor', 'abs', 'at_least: 1', 'escape', 'escape_once', 'url_encode', 'url_decode', 'json'],
  ...['strip_html', 'newline_to_br', 'strip', 'lstrip', 'strip_newlines', 'remove: "x"', 'push: user.list', 'compact'],
  ...['group_by: "size"', 'sum', 'raw', 'base64_encode', 'base64_decode', 'array_to_sentence_string'],
  ...['pop', 'shift', 'unshift: 1', 'sample: 1000', 'find: "a", 1', 'slugify', 'normalize_whitespace', 'jsonify'],
]
const oddPieces = [
  ...[
    '{% raw %}{{ {% }}{% endraw %}',
    '{% comment %}{% if %}{% endcomment %}',
    '{% increment x %}',
    '{% cycle 1, 2 %}',
  ],
  ...['{% tablerow i in (1..5) cols: 2 %}{{ i }}{% endtablerow %}', '{% liquid assign x = 1 %}', '{% echo x %}'],
  ...['{% unless x %}a{% endunless %}', '{%- # x -%}', '{{ "}}" }}', '{%- assign y = x -%}', '{{-x-}}'],
]
const brokenPieces = [
  ...['{% include "x" %}', '{% render "x" %}', '{% layout "x" %}', '{{ x | no_such_filter }}', '{% nothing %}'],
  ...['{{', '}}', '{%', '{% endif %}', '{% for %}', '{{ x | }}', '{{ | x }}', '{% if %}', '{%%}'],
]
/** Never end in a way that counting steps does not see. A renderer is killed for each of them. */
const hanging = [
  '{{ (9007199254740992..9007199254740994) | first }}',
  '{% for i in (user.from..user.to) %}{{ i }}{% endfor %}',
  '{% assign a = "x" | split: "," %}{% for i in (1..60) %}{% assign a = a | push: a | push: a %}{% endfor %}{{ a | join: "," }}',
]
const hangingOneIn = 4_000

/** Liquid in every text of a message: written for somebody, in a dry run, in a test send, and sent. */
export const makeTemplateRequest: MakeRequest = (chance, world, number) => {
  const text = () => (chance.is(0.01) ? chance.pick(nastyTexts).slice(0, 3_000) : makeTemplate(chance, 2))
  const content = number % hangingOneIn === 500 ? `${chance.pick(hanging)} ${number}` : text()
  const notification = {
    title: text(),
    ...(chance.is(0.5) && { body: text() }),
    ...(chance.is(0.2) && { clickUrl: `https://shop.example/${text()}` }),
    ...(chance.is(0.2) && { actions: [{ id: 'a', title: text(), url: text() }] }),
  }
  const made = {
    content,
    ...(chance.is(0.4) && { notification }),
    ...(chance.is(0.2) && { data: { text: text(), deep: { text: text() } } }),
    ...(chance.is(0.1) && { fallback: { content: text() } }),
    ...(chance.is(0.1) && { trackId: world.trackId }),
  }
  const message = (chance.is(0.1) ? mutateValue(chance, made) : made) as object
  const { app, dryApp, devices } = world
  switch (chance.int(8)) {
    case 0:
    case 1:
      return askPanel(world, app, 'POST', '/send/render', {
        product: 'message',
        ...message,
        userId: chance.pick(['fuzzed-0', 'fuzzed-1', 'nobody']),
      })
    case 2:
      return askPanel(world, dryApp, 'POST', '/send/plan', {
        product: chance.pick(['message', 'notification']),
        user: 'dry-0',
        ...message,
      })
    case 3:
      return askApi(
        dryApp,
        'POST',
        '/api/push/toUsers?dryRun=true',
        chance.is(0.2)
          ? [
              { user: 'dry-1', ...message },
              { user: 'dry-0', ...message },
            ]
          : { user: 'dry-0', ...message },
      )
    case 4:
      return askApi(dryApp, 'POST', '/api/push/notifyUsers?dryRun=true', { target: {}, ...message })
    case 5:
      return askPanel(world, app, 'POST', '/send/test', {
        product: 'message',
        ...message,
        installationIds: [chance.pick(devices).id],
      })
    case 6:
      return askApi(app, 'POST', '/api/push/toUsers', { user: chance.pick(devices).userId, ttl: 60, ...message })
    default:
      return askApi(app, 'POST', '/api/push/byQuery', {
        target: { userId: `fuzzed-${chance.int(3)}` },
        ttl: 60,
        ...message,
      })
  }
}

function makeTemplate(chance: Chance, depth: number): string {
  return chance.list(1, 4, () => makePiece(chance, depth)).join(chance.pick(['', ' ', '\n']))
}

function makePiece(chance: Chance, depth: number): string {
  const inner = () => (depth > 0 ? makeTemplate(chance, depth - 1) : '{{ x }}')
  switch (chance.int(12)) {
    case 0:
    case 1:
    case 2:
      return `{{ ${makeExpression(chance)} }}`
    case 3:
      return `{% if ${chance.pick(variables)} ${chance.pick(['==', '!=', '>', 'contains', 'and', '<>', ''])} ${chance.pick(variables)} %}${inner()}{% else %}${inner()}{% endif %}`
    case 4:
      return `{% for i in ${makeRange(chance)}${chance.pick(['', ' reversed', ' limit: 2', ' offset: 1e9', ' limit: -1'])} %}${inner()}${chance.pick(['', '{% break %}', '{% continue %}'])}{% endfor %}`
    case 5:
      return `{% assign x = ${makeExpression(chance)} %}`
    case 6:
      return `{% capture x %}${inner()}{% endcapture %}`
    case 7:
      return `{% case ${chance.pick(variables)} %}{% when 1, "a" %}${inner()}{% else %}${inner()}{% endcase %}`
    case 8:
      return chance.pick(chance.is(0.9) ? oddPieces : brokenPieces)
    case 9:
      return chance.text().toWellFormed().replaceAll('\0', '')
    default:
      return 'text '.repeat(chance.int(20))
  }
}

function makeExpression(chance: Chance): string {
  const value = chance.is(0.1) ? makeRange(chance) : chance.pick(variables)
  return [value, ...chance.list(0, 4, () => chance.pick(filters))].join(' | ')
}

function makeRange(chance: Chance): string {
  if (chance.is(0.5)) return chance.pick(['user.list', 'user', 'x', 'user.long', 'nil', '"abc"'])
  return `(${chance.pick(['1', '0', '-5', 'user.negative', 'x', 'user.size'])}..${chance.pick(['3', '20', '100', '1000', '99999', 'user.size', '1e9', 'user.list.size'])})`
}
