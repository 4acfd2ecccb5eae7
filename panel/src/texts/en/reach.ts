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
}
