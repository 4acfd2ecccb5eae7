const codes = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
] as const

type CodeName = (typeof codes)[number]

export function codeOf(name: CodeName): number {
  return codes.indexOf(name)
}

export function nameOfCode(code: number): string {
  return codes[code] ?? `error ${code}`
}

/** The other side has broken a rule of HTTP/2: the connection is over. */
export class ProtocolFault extends Error {
  readonly code: number

  constructor(name: CodeName) {
    super('the other side does not keep to HTTP/2')
    this.code = codeOf(name)
  }
}
