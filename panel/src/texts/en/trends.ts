/** What charts answer, in English. */
export const trendsEn = {
  before: (days: number, shown: string) => (days === 7 ? 'the week before' : `the ${shown} days before`),
  rose: (what: string, share: string, before: string) => `${what} rose ${share} against ${before}`,
  fell: (what: string, share: string, before: string) => `${what} fell ${share} against ${before}`,
  level: (what: string, before: string) => `${what} stayed level with ${before}`,
  /** Where a percentage would say little. */
  against: (what: string, now: string, then: string, before: string) => `${what}: ${now}, against ${then} in ${before}`,
  none: (nothing: string, days: string) => `${nothing} in the last ${days} days`,
  what: {
    installs: 'Installs',
    visits: 'Visits',
    activeUsers: 'Active users a day',
    activeInstallations: 'Active devices a day',
    opened: 'Opens',
    uninstalls: 'Uninstalls',
    churned: 'Users who left',
    revenue: 'Revenue',
    events: 'Events',
  },
  nothing: {
    installs: 'No installs',
    visits: 'No visits',
    activeUsers: 'No active users',
    activeInstallations: 'No active devices',
    opened: 'Nothing was opened',
    uninstalls: 'No uninstalls',
    churned: 'No users left',
    revenue: 'No revenue',
    events: 'No events',
  },
  revenueIn: (currency: string) => `Revenue in ${currency}`,
  noRevenueIn: (currency: string) => `No revenue in ${currency}`,
}
