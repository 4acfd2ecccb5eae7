import type { TestProject } from 'vitest/node'

/** Whether a file whose path matches is going to run: what only such files need is made only then. */
export function willRun(project: TestProject, path: RegExp): boolean {
  return project.vitest.state.getPaths().some((file) => path.test(file))
}
