export interface ReadUserIds {
  ids: string[]
  /** Those that no user can have. */
  wrong: string[]
}

const allowed = /^[^\s/\\+*#]{1,64}$/u

/** User ids as people paste them: one per line, or separated by commas, semicolons or blanks; each counts once. */
export function readUserIds(text: string): ReadUserIds {
  const all = [...new Set(text.split(/[\s,;،؛]+/u).filter((part) => part !== ''))]
  return { ids: all.filter((id) => allowed.test(id)), wrong: all.filter((id) => !allowed.test(id)) }
}
