import { parseArgs } from 'node:util'
import { closestWord } from '#base/closest-word.ts'
import { type Command, type CommandInput, type Option, UsageError } from './command.ts'

const help: Option = { summary: 'show this help' }

/** What was typed after the command's name, checked against what the command knows. */
export function readArguments(command: Command, args: string[]): CommandInput & { wantsHelp: boolean } {
  const known: Record<string, Option> = { ...command.options, help }
  const options = Object.fromEntries(
    Object.entries(known).map(([name, option]) => [
      name,
      {
        type: option.value ? ('string' as const) : ('boolean' as const),
        multiple: true,
        ...(name === 'help' && { short: 'h' }),
      },
    ]),
  )
  const { tokens, positionals } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true })
  const given = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined
    if (!option) throw new UsageError(unknownOption(token.rawName, Object.keys(known)))
    given.set(token.name, [...(given.get(token.name) ?? []), readValue(token, option)])
  }
  const wantsHelp = given.has('help')
  if (!wantsHelp) checkComplete(command, given, positionals)
  return {
    wantsHelp,
    words: positionals,
    text: (name) => given.get(name)?.[0],
    texts: (name) => given.get(name) ?? [],
    isOn: (name) => given.has(name),
  }
}

function readValue(
  token: { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
  option: Option,
): string {
  if (!option.value) {
    if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value.`)
    return ''
  }
  // "--name --json" forgot the name; who means a value with a dash writes "--name=-x".
  if (token.value === undefined || (!token.inlineValue && /^-./.test(token.value))) {
    throw new UsageError(`${token.rawName} needs a value: ${token.rawName} <${option.value}>.`)
  }
  return token.value
}

function unknownOption(rawName: string, known: string[]): string {
  const hint = closestWord(rawName.replace(/^-+/, ''), known)
  return `Unknown option ${rawName}${hint ? `; did you mean --${hint}?` : '.'}`
}

function checkComplete(command: Command, given: Map<string, string[]>, words: string[]): void {
  const expected = command.arguments ?? []
  const missing = expected[words.length]
  if (missing) throw new UsageError(`Missing <${missing.name}>: ${missing.summary}.`)
  if (words.length > expected.length) throw new UsageError(`Unexpected "${words[expected.length]}".`)
  for (const [name, option] of Object.entries(command.options)) {
    const count = given.get(name)?.length ?? 0
    if (option.isRequired && count === 0)
      throw new UsageError(`Missing --${name} <${option.value}>: ${option.summary}.`)
    if (!option.isRepeatable && count > 1) throw new UsageError(`--${name} is given ${count} times.`)
  }
}
