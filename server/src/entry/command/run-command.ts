import { closestWord } from '#base/closest-word.ts'
import { UsageError } from './command.ts'
import { commands } from './commands.ts'
import { reportFailure } from './failure.ts'
import { commandHelp, groupHelp, overviewHelp } from './help.ts'
import { print } from './print.ts'
import { readArguments } from './read-arguments.ts'
import { readVersion } from './read-version.ts'

const helpWords = ['--help', '-h', 'help']

/** Answers the exit code: 0, 1 for a failure, 2 for a command that was called wrongly. */
export async function runCommand(args: string[]): Promise<number> {
  const [first, second] = args
  if (first === undefined || helpWords.includes(first)) return show(overviewHelp(commands))
  if (first === '--version') return show(`peyk ${await readVersion()}\n`)
  const line = commands.find(({ name }) => name === first || name === `${first} ${second}`)
  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  try {
    if (!line) {
      if (group.length > 0 && helpWords.includes(second ?? '')) return show(groupHelp(first, group))
      throw new UsageError(unknownCommand(first, second, group))
    }
    const { command } = await line.load()
    const input = readArguments(command, args.slice(line.name.split(' ').length))
    if (input.wantsHelp) return show(commandHelp(line, command))
    return (await command.run(input)) ?? 0
  } catch (error) {
    const help = ['peyk', ...(line ? [line.name] : []), '--help'].join(' ')
    return reportFailure(error, error instanceof UsageError ? `See: ${help}` : undefined)
  }
}

function show(text: string): number {
  print(text.trimEnd())
  return 0
}

function unknownCommand(first: string, second: string | undefined, group: readonly { name: string }[]): string {
  if (first.startsWith('-')) return `Expected a command before ${first}.`
  if (group.length === 0) {
    const hint = closestWord(first, [...new Set(commands.map(({ name }) => name.split(' ')[0] as string))])
    return `Unknown command "${first}"${hint ? `; did you mean "${hint}"?` : '.'}`
  }
  const known = group.map(({ name }) => name.slice(first.length + 1))
  if (second === undefined) return `Expected peyk ${first} ${known.join(` or peyk ${first} `)}.`
  const hint = closestWord(second, known)
  return `Unknown command "${first} ${second}"; ${hint ? `did you mean "${first} ${hint}"?` : `expected ${known.join(' or ')} after ${first}.`}`
}
