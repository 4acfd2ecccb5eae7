import { beforeEach, describe } from 'vitest'

/** Tests that build on those before them. They keep their order, and after the first failure the rest are skipped. */
export function story(name: string, tell: () => void): void {
  describe(name, { shuffle: false }, () => {
    let failed: string | undefined
    beforeEach(({ task, skip, onTestFailed }) => {
      skip(failed !== undefined, `"${failed}" failed`)
      onTestFailed(() => {
        failed = task.name
      })
    })
    tell()
  })
}
