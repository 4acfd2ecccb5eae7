export interface Literal {
  start: number
  end: number
}

/** Where in a source file the texts of strings and templates are: what is neither code nor a comment. */
export function findLiterals(source: string): Literal[] {
  const found: Literal[] = []
  /** How many braces are open in each `${` that is; the last one is the innermost. */
  const braces: number[] = []
  let at = 0

  const skipTo = (end: string) => {
    const next = source.indexOf(end, at)
    at = next < 0 ? source.length : next + end.length
  }
  const readString = (quote: string) => {
    const start = ++at
    while (at < source.length && source[at] !== quote) at += source[at] === '\\' ? 2 : 1
    found.push({ start, end: at++ })
  }
  /** From behind the ` or the } on. */
  const readTemplate = () => {
    const start = at
    for (;;) {
      if (at >= source.length || source[at] === '`') break
      if (source.startsWith('${', at)) {
        found.push({ start, end: at })
        braces.push(0)
        at += 2
        return
      }
      at += source[at] === '\\' ? 2 : 1
    }
    found.push({ start, end: at++ })
  }
  const readRegularExpression = () => {
    let isInClass = false
    for (at++; at < source.length && (source[at] !== '/' || isInClass); at++) {
      if (source[at] === '\\') at++
      else if (source[at] === '[') isInClass = true
      else if (source[at] === ']') isInClass = false
    }
    at++
  }

  while (at < source.length) {
    const char = source[at] as string
    if (source.startsWith('//', at)) skipTo('\n')
    else if (source.startsWith('/*', at)) skipTo('*/')
    else if (char === '/' && mayStartExpression(source, at)) readRegularExpression()
    else if (char === "'" || char === '"') readString(char)
    else if (char === '`') {
      at++
      readTemplate()
    } else if (char === '}' && braces.at(-1) === 0) {
      braces.pop()
      at++
      readTemplate()
    } else {
      const open = braces.length - 1
      if (char === '{' && open >= 0) braces[open] = (braces[open] as number) + 1
      if (char === '}' && open >= 0) braces[open] = (braces[open] as number) - 1
      at++
    }
  }
  return found
}

/** Whether a / begins a regular expression here; else it divides. */
function mayStartExpression(source: string, at: number): boolean {
  return /(?:^|[(,=:[!&|?{};<>+*%~^-]|\b(?:return|typeof|case|in|of))\s*$/.test(source.slice(Math.max(0, at - 60), at))
}
