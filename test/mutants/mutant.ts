/** A deliberate fault. The suite is good enough to notice it, or something is missing in the suite. */
export interface Mutant {
  /** What is wrong then, in plain words. */
  name: string
  file: string
  /** Stands in the file exactly once; otherwise the mutant is stale. */
  find: string
  replace: string
  /** The test files that should catch it: only these run. */
  tests: readonly string[]
}
