import { ControlError } from './control-error.ts'
import { type Route, routes } from './routes.ts'

export interface FoundRoute {
  route: Route
  /** What stands in the place of each `:word`, in order. */
  words: string[]
}

export function findRoute(method: string, path: string): FoundRoute {
  const segments = splitPath(path)
  const here = routes.flatMap((route) => {
    const words = match(route.path.split('/').slice(1), segments)
    return words ? [{ route, words }] : []
  })
  const found = here.find(({ route }) => route.method === method)
  if (found) return found
  if (here.length > 0) {
    const known = [...new Set(here.map(({ route }) => route.method))].join(' or ')
    throw new ControlError(405, `Expected ${known} for ${path}, got ${method}.`)
  }
  throw new ControlError(404, `There is no ${path}; GET / lists what there is.`)
}

function splitPath(path: string): string[] {
  try {
    return path.split('/').slice(1).map(decodeURIComponent)
  } catch {
    throw new ControlError(400, 'The path is not percent-encoded as it should be.')
  }
}

/** Undefined when it does not fit. Fixed words come before variable ones in the list of routes. */
function match(pattern: string[], segments: string[]): string[] | undefined {
  if (pattern.length !== segments.length) return undefined
  const words: string[] = []
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] as string
    if (part.startsWith(':') && segment !== '') words.push(segment)
    else if (part !== segment) return undefined
  }
  return words
}
