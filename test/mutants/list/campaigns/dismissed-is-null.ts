import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'users who dismissed a variant are never counted, because "not opened" is NULL without a receipt',
  file: 'server/src/features/deliveries/variants/count-variants.ts',
  find: "d.state in ('opened', 'acted') or r.kind is not null",
  replace: "d.state in ('opened', 'acted') or r.kind in ('opened', 'acted')",
  tests: ['server/src/features/deliveries/variants/variants.test.ts'],
}
