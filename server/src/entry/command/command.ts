export interface Option {
  /** What its value is called in the help; without one it is a switch. */
  value?: string
  summary: string
  isRequired?: boolean
  isRepeatable?: boolean
}

export interface CommandInput {
  /** The words after the command, one for each of its arguments. */
  words: string[]
  text(option: string): string | undefined
  texts(option: string): string[]
  isOn(option: string): boolean
}

export interface Command {
  /** Each of them must be given. */
  arguments?: readonly { name: string; summary: string }[]
  options: Record<string, Option>
  /** Shown under the options. */
  notes?: string
  examples: readonly string[]
  /** Throws what went wrong; answers the exit code when that alone says it. */
  run(input: CommandInput): Promise<number | undefined>
}

/** The command was called in a way it does not know. */
export class UsageError extends Error {}

/** The command was right, the world is not. */
export class CommandError extends Error {}
