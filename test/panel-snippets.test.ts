import { execFileSync } from 'node:child_process'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { type SnippetValues, writeSnippet } from '../panel/src/pages/overview/checklist/snippets.ts'
import { splitCode } from '../panel/src/pages/overview/checklist/split-code.ts'

const usual = { appId: 'shop', baseUrl: 'https://push.example.com', clientKey: 'qF7c-Zw_09' }
const hostile = `"'\`\\ $HOME \${x} $(touch /x) \\(x) </script><b>&quot; */ // \u2028 قیمت 🎉`
const values: [name: string, SnippetValues][] = [
  ['usual values', usual],
  ['hostile ones', { appId: hostile, baseUrl: `https://push.example.com/${hostile}`, clientKey: hostile }],
]

/** The strings of the code, as its compiler reads them. */
function stringsIn(code: string, readEscapes: (escaped: string) => string): string[] {
  return [...code.replace(/^\/\/.*$/gm, '').matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([, text]) =>
    readEscapes(text as string),
  )
}
const fromUnits = (text: string) =>
  text.replace(/\\u([0-9a-f]{4})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
const fromPoints = (text: string) =>
  text.replace(/\\u\{([0-9a-f]{1,8})\}/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)))

function expectBalanced(code: string): void {
  const bare = code.replace(/^\/\/.*$/gm, '').replace(/"(?:[^"\\\n]|\\.)*"/g, '')
  for (const [open, close] of ['()', '{}', '[]'])
    expect(bare.split(open as string).length).toBe(bare.split(close as string).length)
}

describe.each(values)('with %s', (_, given) => {
  test('the page gives the library what it needs', () => {
    const code = writeSnippet('web', given)
    const [, src, script] = /^<script src="([^"<>]*)"><\/script>\n<script>([^<]*)<\/script>$/.exec(code) ?? []
    const read = (src as string).replace(/&#(\d+);/g, (_whole, point) => String.fromCodePoint(Number(point)))
    expect(read).toBe(`${given.baseUrl}/sdk/peyk.js`)
    const calls: unknown[] = []
    class Peyk {
      constructor(options: object) {
        calls.push({ ...options })
      }
      on(event: string) {
        calls.push(event)
      }
      register() {
        calls.push('register')
      }
    }
    runInNewContext(script as string, { Peyk })
    expect(calls).toEqual([given, 'message', 'register'])
  })

  test('the shell hands curl what was meant', () => {
    const code = writeSnippet('curl', given)
    const said = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${code}`], { encoding: 'utf8' })
    expect(said.split('\0').slice(0, -1)).toEqual([
      `${given.baseUrl}/api/installations`,
      '-H',
      `X-Access-Token: ${given.clientKey}`,
      '-H',
      'Content-Type: application/json',
      '-d',
      '{ "deviceType": "android" }',
    ])
  })

  test.each([
    ['android', fromUnits, /\$/],
    ['ios', fromPoints, /\\(?!u\{)/],
  ] as const)(
    'the strings of the code for %s are the values, and nothing in them is code',
    (kind, readEscapes, code) => {
      const snippet = writeSnippet(kind, given)
      const strings = stringsIn(snippet, readEscapes)
      expect(strings).toContain(`${given.baseUrl}/api/installations`)
      expect(strings).toContain(given.clientKey)
      expect(snippet).not.toMatch(code)
      expectBalanced(snippet)
    },
  )

  test('what is drawn is what is copied', () => {
    for (const kind of ['web', 'android', 'ios', 'curl'] as const) {
      const snippet = writeSnippet(kind, given)
      expect(
        splitCode(snippet)
          .map(({ text }) => text)
          .join(''),
      ).toBe(snippet)
    }
  })
})

test('usual values are read as they are', () => {
  expect(writeSnippet('web', usual)).toContain('clientKey: "qF7c-Zw_09"')
  expect(writeSnippet('android', usual)).toContain('URL("https://push.example.com/api/installations")')
  expect(writeSnippet('ios', usual)).toContain('URL(string: "https://push.example.com/api/installations")!')
})

test('strings and comments are told from the rest, an address is no comment', () => {
  expect(splitCode(`val url = "https://a.example" // here's\nx('y')`)).toEqual([
    { text: 'val url = ', kind: 'plain' },
    { text: '"https://a.example"', kind: 'string' },
    { text: ' ', kind: 'plain' },
    { text: "// here's", kind: 'comment' },
    { text: '\nx(', kind: 'plain' },
    { text: "'y'", kind: 'string' },
    { text: ')', kind: 'plain' },
  ])
})
