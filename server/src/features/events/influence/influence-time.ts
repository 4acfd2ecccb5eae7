/** How long what an installation does counts for the message it had opened. */
export const influenceMs = 12 * 3_600_000
