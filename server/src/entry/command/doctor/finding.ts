export const areas = [
  'config',
  'disk',
  'service',
  'database',
  'clock',
  'secrets',
  'providers',
  'webhooks',
  'sending',
  'backups',
] as const
export type Area = (typeof areas)[number]

/** `fault`: something does not work, or soon will not. `unseen`: it could not be looked at. */
export type State = 'ok' | 'warning' | 'fault' | 'unseen'

export interface Finding {
  state: State
  /** For programs; it does not change with the words. */
  code: string
  /** Without any secret. */
  text: string
  /** What to do; always there with a warning or a fault. */
  advice?: string
}

export type FindingOfArea = Finding & { area: Area }

export const ok = (code: string, text: string): Finding => ({ state: 'ok', code, text })
export const unseen = (code: string, text: string): Finding => ({ state: 'unseen', code, text })
export const warning = (code: string, text: string, advice: string): Finding => ({
  state: 'warning',
  code,
  text,
  advice,
})
export const fault = (code: string, text: string, advice: string): Finding => ({ state: 'fault', code, text, advice })
