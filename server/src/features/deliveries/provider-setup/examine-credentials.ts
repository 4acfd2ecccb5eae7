import type { OutwardContext } from '../../../base/context.ts'
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
  if (findings.some(({ ok }) => !ok)) return { findings, verdict: 'bad' }
  const { finding, verdict } = readOutcome(given.provider, await askProvider(ctx, given))
  return { findings: [...findings, finding], verdict }
}
