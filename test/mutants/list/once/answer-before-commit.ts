import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'writes are answered before they are committed',
  file: 'server/src/base/batch.ts',
  find: `      const answers = await this.ctx.store.transaction((tx) => this.kind.flush(tx, this.inputsOf(batch), this.ctx))
`,
  replace: `      const answers = await new Promise<(Output | RequestError)[]>((resolve, reject) => {
        const flush = async (tx: Transaction) => resolve(await this.kind.flush(tx, this.inputsOf(batch), this.ctx))
        this.ctx.store.transaction(flush).catch(reject)
      })
`,
  tests: ['server/src/base/batch.test.ts'],
}
