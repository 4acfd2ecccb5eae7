/** The index cannot say: SQL is asked. */
export class NotKept extends Error {}
