import { closestWord } from '#base/closest-word.ts'
import { type CredentialProvider, credentialProviders } from '#features/accounts/providers/stored-provider.ts'
import { UsageError } from '../command.ts'

export const providerArgument = {
  name: 'provider',
  summary: credentialProviders.join(', ').replace(/, (?=\w+$)/, ' or '),
}

export function readProvider(word: string | undefined): CredentialProvider {
  const known = credentialProviders.find((provider) => provider === word)
  if (known) return known
  const hint = closestWord(word ?? '', [...credentialProviders])
  throw new UsageError(
    `Unknown provider "${word}"; ${hint ? `did you mean ${hint}?` : `expected ${providerArgument.summary}.`}`,
  )
}
