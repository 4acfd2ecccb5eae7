import type { Command } from './command.ts'

export interface CommandLine {
  name: string
  summary: string
}

export function overviewHelp(commands: readonly CommandLine[]): string {
  return `Peyk: push messages, segments, events and promo codes, on your own server.

Usage: peyk <command> [options]

Commands:
${columns(commands.map(({ name, summary }) => [name, summary]))}

Options:
${columns([
  ['--help', "show this help; after a command, that command's"],
  ['--version', 'show the version'],
])}

Examples:
  peyk start
  peyk app create shop --name "My shop"
  peyk token create --help
`
}

/** For "peyk app --help": the commands that begin with that word. */
export function groupHelp(group: string, commands: readonly CommandLine[]): string {
  return `Usage: peyk ${group} <command> [options]

Commands:
${columns(commands.map(({ name, summary }) => [name, summary]))}

Show the options of one: peyk ${commands[0]?.name} --help
`
}

export function commandHelp({ name, summary }: CommandLine, command: Command): string {
  const options = Object.entries(command.options)
  const words = (command.arguments ?? []).map((argument) => `<${argument.name}>`)
  const required = options
    .filter(([, option]) => option.isRequired)
    .map(([key, option]) => `--${key} <${option.value}>`)
  const usage = ['peyk', name, ...words, ...required, ...(required.length < options.length ? ['[options]'] : [])].join(
    ' ',
  )
  const lines = [
    ...(command.arguments ?? []).map((argument) => [`<${argument.name}>`, argument.summary] as const),
    ...options.map(
      ([key, option]) => [option.value ? `--${key} <${option.value}>` : `--${key}`, option.summary] as const,
    ),
    ['--help', 'show this help'] as const,
  ]
  return `${summary[0]?.toUpperCase()}${summary.slice(1)}.

Usage: ${usage}

${columns(lines)}
${command.notes ? `\n${command.notes.trimEnd()}\n` : ''}
Examples:
${command.examples.map((example) => `  ${example}`).join('\n')}
`
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
