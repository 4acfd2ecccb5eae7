/** In English, why a provider cannot be reached. */
export const reachEn = {
  notReached: (provider: string, why: string) => `${provider} could not be reached: ${why}.`,
  faults: {
    'name-not-found': 'its name could not be resolved',
    'connection-refused': 'it refused the connection',
    'timed-out': 'it did not answer in time',
    certificate: 'its certificate is not trusted',
    network: 'the connection broke off',
  },
  /** What a provider does that takes nothing. */
  troubles: {
    'name-not-found': 'It cannot be reached: its name cannot be resolved.',
    'connection-refused': 'It cannot be reached: it refuses the connection.',
    'timed-out': 'It cannot be reached: it does not answer in time.',
    certificate: 'It cannot be reached safely: its certificate is not trusted.',
    network: 'It cannot be reached: the connection breaks off.',
    'server-error': 'It answers with server errors (5xx).',
    'slow-down': 'It asks us to slow down.',
  },
  waitingFor: (providers: string, since: string) => `waiting for ${providers} since ${since}`,
}
