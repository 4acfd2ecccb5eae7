import { describe, expect, it } from 'vitest'
import { closestWord } from '#base/closest-word.ts'
import { type Command, UsageError } from './command.ts'
import { readArguments } from './read-arguments.ts'

const command: Command = {
  arguments: [{ name: 'id', summary: 'which one' }],
  options: {
    app: { value: 'label', summary: 'the app', isRequired: true },
    origin: { value: 'origin', summary: 'an origin', isRepeatable: true },
    json: { summary: 'print JSON' },
  },
  examples: [],
  run: async () => undefined,
}

describe('what is typed after a command', () => {
  it('is read in any order, with values beside or inside the option', () => {
    const input = readArguments(command, ['--json', 'x1', '--app=demo', '--origin', 'a', '--origin', 'b'])
    expect(input.words).toEqual(['x1'])
    expect([input.text('app'), input.texts('origin'), input.isOn('json')]).toEqual(['demo', ['a', 'b'], true])
    expect(input.text('unset')).toBeUndefined()
  })

  it('may be a value that begins with a dash when it is written inside the option', () => {
    expect(readArguments(command, ['x1', '--app=-demo']).text('app')).toBe('-demo')
    expect(readArguments(command, ['--app', 'demo', '--', '-x1']).words).toEqual(['-x1'])
  })

  it.each([['--help'], ['-h'], ['x', 'y', '--help']])('needs nothing else beside %s', (...args) => {
    expect(readArguments(command, args).wantsHelp).toBe(true)
  })

  it.each([
    [['x1', '--ap', 'demo'], 'Unknown option --ap; did you mean --app?'],
    [['x1', '--appp=demo'], 'Unknown option --appp; did you mean --app?'],
    [['x1', '--verbose'], 'Unknown option --verbose.'],
    [['x1', '-a', 'demo'], 'Unknown option -a.'],
    [['x1', '--constructor'], 'Unknown option --constructor.'],
    [['x1', '--app'], '--app needs a value: --app <label>.'],
    [['x1', '--app', '--json'], '--app needs a value: --app <label>.'],
    [['x1', '--app', 'demo', '--json=yes'], '--json takes no value.'],
    [['x1'], 'Missing --app <label>: the app.'],
    [['--app', 'demo'], 'Missing <id>: which one.'],
    [['x1', 'x2', '--app', 'demo'], 'Unexpected "x2".'],
    [['x1', '--app', 'demo', '--app', 'shop'], '--app is given 2 times.'],
  ])('is refused as %j', (args, message) => {
    expect(() => readArguments(command, args)).toThrow(new UsageError(message))
  })
})

it('guesses a word from a few wrong letters, and nothing from others', () => {
  expect(closestWord('strat', ['start', 'app', 'token'])).toBe('start')
  expect(closestWord('tokens', ['start', 'app', 'token'])).toBe('token')
  expect(closestWord('mem', ['start', 'member'])).toBe('member')
  expect(closestWord('xyz', ['start', 'app', 'token'])).toBeUndefined()
  expect(closestWord('', ['app'])).toBeUndefined()
})
