import type { CredentialCheck } from '@peyk/contract'
import type { OutwardContext } from '#base/context.ts'
import type { CredentialsOf } from '../../accounts/credential-formats/credentials.ts'
import type { CredentialProvider } from '../../accounts/providers/stored-provider.ts'
import { askProvider } from './ask-provider.ts'
import { describeCredentials } from './describe-credentials.ts'
import type { Examination } from './finding.ts'
import { readOutcome } from './read-outcome.ts'

/** Looks at credentials, tries their key, and asks the provider whether it takes them. */
export async function examineCredentials<P extends CredentialProvider>(
  ctx: OutwardContext,
  given: { provider: P; credentials: CredentialsOf[P]; isSimulated: boolean },
): Promise<Examination> {
  const findings = describeCredentials(given.provider, given.credentials)
  const broken = findings.find(({ ok }) => !ok)
  if (broken) return { findings, verdict: 'bad', decisive: broken }
  const { finding, verdict, isProven } = readOutcome(given.provider, await askProvider(ctx, given))
  return { findings: [...findings, finding], verdict, decisive: isProven ? finding : undefined }
}

const results = { good: 'taken', bad: 'refused', unasked: 'unreached' } as const

/** What is kept of an examination; undefined when the credentials were not checked by it. */
export function checkOf({ verdict, decisive }: Examination): Omit<CredentialCheck, 'at'> | undefined {
  return decisive && { result: results[verdict], finding: decisive }
}
