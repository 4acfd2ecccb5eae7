/** What a simulated provider reads of a request before it breaks off. */
export const bodyLimit = 1024 * 1024

export const endlessChunk = Buffer.alloc(16 * 1024, 'and so on ')
