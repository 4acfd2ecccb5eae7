import { type Context, db } from '#base/context.ts'
import type { CompileScope } from '../compile/compile-condition.ts'
import { type FittedRule, listRules, type Rule, type Step } from '../condition.ts'
import { findAttributeNames } from '../saved/segment-store.ts'
import { checkRuleValues } from './check-rule-values.ts'
import { readSegment } from './read-segment.ts'
import { readTarget } from './read-target.ts'
import { type Audience, resolveAudience } from './resolve-audience.ts'

export interface ReadAudience {
  steps: Step<FittedRule>[]
  scope: CompileScope
}

/** Reads either form, with what is known of the attributes that it names. */
export async function readAudience(
  ctx: Context,
  sent: Audience,
  at: Date,
  options: { wasAccepted?: boolean } = {},
): Promise<ReadAudience> {
  const audience = await resolveAudience(ctx, sent)
  const steps = 'target' in audience ? readTarget(audience.target) : readSegment(audience.segment)
  const names = steps.flatMap((step) => listRules(step.condition)).flatMap(attributeIn)
  const known = names.length === 0 ? [] : await findAttributeNames(db(ctx), ctx.app.id, names)
  const attributeKinds = new Map(known.map((attribute) => [attribute.name, attribute.kind]))
  const ownAttributes = new Set(known.filter((attribute) => attribute.isOnInstallation).map(({ name }) => name))
  return {
    steps: steps.map((step) => ({
      sent: step.sent,
      condition: checkRuleValues(step.condition, { ...options, attributeKinds, at }),
    })),
    scope: { appId: ctx.app.id, ownAttributes },
  }
}

function attributeIn({ field }: Rule): string[] {
  return field.source.from === 'attribute' ? [field.source.name] : []
}
