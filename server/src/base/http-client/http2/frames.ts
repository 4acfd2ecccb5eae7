/** Kinds of frames (RFC 9113). */
export const DATA = 0
export const HEADERS = 1
export const RST_STREAM = 3
export const SETTINGS = 4
export const PUSH_PROMISE = 5
export const PING = 6
export const GOAWAY = 7
export const WINDOW_UPDATE = 8
export const CONTINUATION = 9

/** Flags. */
export const END_STREAM = 0x1
export const ACK = 0x1
export const END_HEADERS = 0x4
export const PADDED = 0x8
export const PRIORITY = 0x20

/** Names of settings. */
export const HEADER_TABLE_SIZE = 1
export const ENABLE_PUSH = 2
export const MAX_CONCURRENT_STREAMS = 3
export const INITIAL_WINDOW_SIZE = 4
export const MAX_HEADER_LIST_SIZE = 6

export const frameHeaderBytes = 9
/** What every side takes, and we ask for no more. */
export const mostFrameBytes = 16_384
export const firstWindow = 65_535
export const largestWindow = 2 ** 31 - 1
