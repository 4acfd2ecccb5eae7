/** How long tests wait for a condition, by `until` or by `poll`, before they fail with what they saw last. */
export const waitLimitMs = 120_000
