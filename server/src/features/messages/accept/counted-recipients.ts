/**
 * The deliveries of a message to so many installations or more are counted as they move: see delivery_counters. Those of
 * a message to fewer, which most are, are counted when somebody asks. A message's `recipients` never changes.
 */
export const countedRecipients = 20
